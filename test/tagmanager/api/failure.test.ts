import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TagManagerFault } from '../../../server/tagmanager/faults.ts';
import type { Answer } from '../../helpers/tag-manager-api/answers.ts';
import { EDIT_SCOPE, READ_SCOPE } from '../../helpers/tag-manager-api/routes.ts';
import { startTagManagerApi } from '../../helpers/tag-manager-api/start.ts';
import { openElsewhere } from './elsewhere.ts';
import { container, HTML, start } from './parts.ts';

const TOKEN = 'ya29.very-secret';

/** What the work ends with; nobody may be told the token. */
async function faultOf(work: Promise<unknown>): Promise<TagManagerFault> {
  const error = await work.then(
    () => new Error('It went well'),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(TagManagerFault);
  const fault = error as TagManagerFault;
  expect(JSON.stringify([fault.message, fault.next, String(fault.stack)])).not.toContain(TOKEN);
  return fault;
}

describe('a token that is not taken', () => {
  it('is exchanged for another, once', async () => {
    const asked: (boolean | undefined)[] = [];
    const { api, google } = await start({
      emulator: { tokens: (token) => (token === 'new' ? EVERYTHING : undefined) },
      accessToken: async (options) => {
        asked.push(options?.refresh);
        return options?.refresh ? 'new' : 'old';
      },
    });
    expect(await api.accounts()).toHaveLength(1);
    expect(asked).toEqual([false, true]);
    expect(google.requests.map(({ token }) => token)).toEqual(['old', 'new']);
  });

  it('is not exchanged again for another trouble behind it', async () => {
    const asked: (boolean | undefined)[] = [];
    const { api, google, time } = await start({
      emulator: { tokens: (token) => (token === 'new' ? EVERYTHING : undefined) },
      accessToken: async (options) => {
        asked.push(options?.refresh);
        if (options?.refresh) google.fail();
        return asked.includes(true) ? 'new' : 'old';
      },
    });
    await time.run(api.accounts());
    expect(asked).toEqual([false, true, false]);
  });

  it('means that the grant has ended when the next one is not taken either', async () => {
    const { api, google } = await start({
      emulator: { tokens: () => undefined },
      accessToken: () => Promise.resolve(TOKEN),
    });
    const fault = await faultOf(api.accounts());
    expect(fault.code).toBe('grant_ended');
    expect(google.requests).toHaveLength(2);
  });

  it('is nothing of the API when there is none to be had', async () => {
    const ended = new TagManagerFault('grant_ended', 'Over.', 'Again.');
    const { api, google } = await start({ accessToken: () => Promise.reject(ended) });
    await expect(api.accounts()).rejects.toBe(ended);
    expect(google.requests).toEqual([]);
  });
});

const EVERYTHING = { user: 'a', scopes: [READ_SCOPE, EDIT_SCOPE] };

describe('too many requests', () => {
  it.each([403, 429] as const)(
    'are made again after a pause when answered with %d',
    async (status) => {
      const { api, google, time, place } = await start();
      google.quotaAnswers({ times: 3, status });
      const made = await time.run(api.create(place, 'tag', HTML));
      expect(made).toMatchObject({ name: 'Banner' });
      expect(google.list(place, 'tag')).toHaveLength(1);
      expect(google.requests).toHaveLength(4);
      expect(time.real()).toBe(5000 + 10_000 + 20_000);
    },
  );

  it.each([
    ['in seconds', () => '42'],
    ['as a date', () => new Date(Date.now() + 42_500).toUTCString()],
  ])('wait for as long as they are asked to: %s', async (_, retryAfter) => {
    const { api, google, time } = await start();
    google.quotaAnswers({ retryAfter: retryAfter() });
    await time.run(api.accounts());
    expect(Math.round(time.real() / 1000)).toBeGreaterThanOrEqual(41);
    expect(Math.round(time.real() / 1000)).toBeLessThanOrEqual(43);
  });

  it('make everybody of the project pause', async () => {
    const { google, time, pacer, api } = await start();
    google.quotaAnswers({ retryAfter: 60 });
    const gate = google.hold();
    const first = api.accounts();
    await gate.arrived();
    gate.release();
    await google.arrived(1);
    while (pacer.waitingMs('1234') === 0) await time.settled();
    expect(pacer.waitingMs('1234')).toBe(60_000);
    expect(pacer.waitingMs('another')).toBe(0);
    await time.run(first);
  });

  it('are given up at last, with the time to wait', async () => {
    const { api, google, time } = await start();
    google.quotaAnswers({ times: 100 });
    const fault = await time.run(faultOf(api.accounts()));
    expect(fault).toMatchObject({ code: 'quota', waitSeconds: 100 });
    expect(google.requests).toHaveLength(7);
    google.quotaAnswers({ retryAfter: 3600 });
    const far = await start();
    far.google.quotaAnswers({ retryAfter: 3600 });
    expect(await faultOf(far.api.accounts())).toMatchObject({ code: 'quota', waitSeconds: 3600 });
  });

  it.each([403, 429] as const)('of a day are not waited for: %d', async (status) => {
    const { api, google } = await start();
    google.dayIsUsedUp({ status });
    expect((await faultOf(api.accounts())).code).toBe('quota_day');
    expect(google.requests).toHaveLength(1);
  });
});

describe('what is not allowed', () => {
  it('says what is missing, and the way on', async () => {
    let scopes = [READ_SCOPE];
    const { api, google, place } = await start({
      emulator: { tokens: () => ({ user: 'a', scopes }) },
    });
    expect((await faultOf(api.create(place, 'tag', HTML))).code).toBe('missing_scope');
    scopes = [READ_SCOPE, EDIT_SCOPE];
    google.permit(place, 'a', 'read');
    expect((await faultOf(api.create(place, 'tag', HTML))).code).toBe('no_permission');
    google.permit(place, 'a', 'noAccess');
    expect((await faultOf(api.list(place, 'tag'))).code).toBe('not_found');
    expect((await faultOf(api.live(container(place)))).code).toBe('not_found');
    google.disable();
    const fault = await faultOf(api.accounts());
    expect(fault).toMatchObject({ code: 'api_disabled' });
    expect(fault.next).toMatch(/Switch on the Tag Manager API in your Google Cloud project/);
    expect(google.requests).toHaveLength(6);
  });
});

describe('an answer that fails or never comes', () => {
  it.each([
    ['fails', (google: Google) => google.fail({ times: 3, status: 503 })],
    ['breaks off', (google: Google) => google.drop({ times: 3 })],
  ])('is asked for again by a read: it %s', async (_, spoil) => {
    const { api, google, time } = await start();
    spoil(google);
    expect(await time.run(api.accounts())).toHaveLength(1);
    expect(google.requests).toHaveLength(4);
    expect(time.real()).toBe(1000 + 4000 + 15_000);
  });

  it('is not waited for for ever', async () => {
    const { api, google, time } = await start();
    google.fail({ times: 100 });
    const fault = await time.run(faultOf(api.accounts()));
    expect(fault).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/500/) as string,
    });
    expect(google.requests).toHaveLength(4);
  });

  it.each(['before', 'after'] as const)('leaves a write as it is: %s it was made', async (when) => {
    for (const spoil of ['fail', 'drop'] as const) {
      const { api, google, place } = await start();
      google[spoil]({ when, of: 'writes' });
      expect((await faultOf(api.create(place, 'tag', HTML))).code).toBe('unreachable');
      expect(google.requests).toHaveLength(1);
      expect(google.list(place, 'tag')).toHaveLength(when === 'after' ? 1 : 0);
    }
  });

  it('ends with its time', async () => {
    const { api, google, place } = await start({ timeoutMs: 50 });
    google.hold();
    const fault = await faultOf(api.create(place, 'tag', HTML));
    expect(fault).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/no answer within 0.05 seconds/) as string,
    });
  });
});

type Google = Awaited<ReturnType<typeof startTagManagerApi>>;

describe('work that is stopped', () => {
  it('asks nothing more, and gives up a read that is under way', async () => {
    const { api, google, place } = await start();
    const controller = new AbortController();
    const { signal } = controller;
    const gate = google.hold();
    const read = api.list(place, 'tag', { signal });
    await gate.arrived();
    controller.abort();
    expect((await faultOf(read)).code).toBe('stopped');
    expect((await faultOf(api.list(place, 'tag', { signal }))).code).toBe('stopped');
    expect(google.requests).toHaveLength(1);
    gate.release();
  });

  it('still learns what became of a write', async () => {
    const { api, google, place } = await start();
    const controller = new AbortController();
    const gate = google.hold();
    const write = api.create(place, 'tag', HTML, { signal: controller.signal });
    await gate.arrived();
    controller.abort();
    gate.release();
    expect(await write).toMatchObject({ name: 'Banner' });
  });

  it('is cut off when all is closed, and it is not known what became of it', async () => {
    const { api, google, place } = await start();
    const stop = new AbortController();
    const cut = new AbortController();
    const gate = google.hold();
    const write = api.create(place, 'tag', HTML, { signal: stop.signal, cut: cut.signal });
    await gate.arrived();
    stop.abort();
    cut.abort();
    expect((await faultOf(write)).code).toBe('unreachable');
    gate.release();
  });

  it('does not wait for a token that does not come', async () => {
    const asked = Promise.withResolvers<undefined>();
    const accessToken = () => {
      asked.resolve(undefined);
      return new Promise<string>(() => undefined);
    };
    const { api, place } = await start({ accessToken });
    const controller = new AbortController();
    const write = api.create(place, 'tag', HTML, { signal: controller.signal });
    await asked.promise;
    controller.abort();
    expect((await faultOf(write)).code).toBe('stopped');
  });

  it('ends a pause', async () => {
    const { api, google, place, time } = await start();
    const controller = new AbortController();
    google.quotaAnswers();
    const write = api.create(place, 'tag', HTML, { signal: controller.signal });
    while (time.waiting() === 0) await time.settled();
    controller.abort();
    expect((await faultOf(write)).code).toBe('stopped');
    expect(google.list(place, 'tag')).toEqual([]);
  });
});

describe('an answer of something else', () => {
  const json = (body: unknown): Answer => ({ status: 200, body: body as object });

  it.each<[string, Answer | string]>([
    ['a page', '<html>Sign in to the network</html>'],
    ['nothing', ''],
    ['a list', json([])],
    ['null', json(null)],
    ['a number for an id', json({ account: [{ accountId: 6, name: 'Shop' }] })],
    ['no list where one belongs', json({ account: 'none' })],
    ['a number for the next page', json({ account: [], nextPageToken: 5 })],
  ])('is a fault: %s', async (_, answer) => {
    const { url } = await openElsewhere(answer);
    const { api } = await start({ endpoint: url, accessToken: () => Promise.resolve(TOKEN) });
    expect((await faultOf(api.accounts())).code).toBe('unreachable');
  });

  it.each<[string, object]>([
    ['without a fingerprint', { tag: [{ tagId: '1', name: 'a' }] }],
    ['without an id', { tag: [{ fingerprint: '1', name: 'a' }] }],
    ['that is none', { tag: [null] }],
  ])('is a fault: an object %s', async (_, body) => {
    const { url } = await openElsewhere(json(body));
    const { api, place } = await start({ endpoint: url });
    expect((await faultOf(api.list(place, 'tag'))).code).toBe('unreachable');
  });

  it('is not followed elsewhere with the token', async () => {
    const target = await openElsewhere(json({ account: [] }));
    const headers = { location: `${target.url}/tagmanager/v2/accounts` };
    const { url } = await openElsewhere({ status: 302, headers });
    const { api, time } = await start({ endpoint: url });
    expect((await time.run(faultOf(api.accounts()))).code).toBe('unreachable');
    expect(target.received).toEqual([]);
  });

  it('is not read without an end', async () => {
    const { url } = await openElsewhere(json({ account: [], junk: 'x'.repeat(5000) }));
    const { api, time } = await start({ endpoint: url, mostBytes: 4000 });
    const fault = await time.run(faultOf(api.accounts()));
    expect(fault.message).toMatch(/too long/);
    const endless = await openElsewhere(json({ account: [], nextPageToken: 'again' }));
    const parts = await start({ endpoint: endless.url });
    expect((await faultOf(parts.api.accounts())).message).toMatch(/no end/);
    expect(endless.received).toHaveLength(2);
  });

  it.each<[string, number, unknown]>([
    ['with the token in it', 400, { error: { message: `Bearer ${TOKEN} is bad` } }],
    ['that is long', 400, { error: { message: 'x'.repeat(100_000) } }],
    [
      'of odd parts',
      403,
      { error: { message: 5, errors: 'none', details: [null, { metadata: 3 }] } },
    ],
    ['without parts', 404, {}],
  ])('is told with care: a refusal %s', async (_, status, body) => {
    const { url } = await openElsewhere({ status, body: body as object });
    const logged: unknown[] = [];
    const log = { info: (...told: unknown[]) => void logged.push(told) };
    const { api } = await start({ endpoint: url, accessToken: () => Promise.resolve(TOKEN), log });
    const fault = await faultOf(api.accounts());
    expect(fault.message.length).toBeLessThan(400);
    expect(JSON.stringify(logged)).not.toContain(TOKEN);
  });

  it('is a fault or good, whatever JSON it is', async () => {
    let answer = new Response();
    const parts = await start({ fetch: () => Promise.resolve(answer) });
    const { api, place, time } = parts;
    const verbs = [
      () => api.containers('1'),
      () => api.workspace(place),
      () => api.status(place),
      () => api.live(container(place)),
      () => api.list(place, 'template'),
      () => api.update(place, 'tag', '1', HTML, '1'),
      () => api.delete(place, 'tag', '1'),
    ];
    const name = fc.constantFrom(
      ...['error', 'message', 'errors', 'details', 'reason', 'tag', 'template', 'nextPageToken'],
      ...['workspaceChange', 'changeStatus', 'tagId', '__proto__', 'containerVersionId'],
    );
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom(null, 1, true, '', 'added', 'per day'),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(name, tie('json'), { maxKeys: 4 }),
      ),
    }));
    const status = fc.constantFrom(200, 302, 400, 401, 403, 404, 409, 429, 500);
    const property = fc.asyncProperty(
      json,
      status,
      fc.nat(verbs.length - 1),
      async (body, status, i) => {
        answer = new Response(JSON.stringify(body), { status });
        const ended = verbs[i]?.().then(
          () => 'good',
          (error: unknown) => error,
        );
        const result = await time.run(Promise.resolve(ended));
        if (result !== 'good') expect(result).toBeInstanceOf(TagManagerFault);
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });

  it('says why nothing was reached', async () => {
    const google = await startTagManagerApi();
    await google.close();
    const { api, time } = await start({ endpoint: google.url });
    const fault = await time.run(faultOf(api.accounts()));
    expect(fault.message).toMatch(/connection refused/);
  });
});
