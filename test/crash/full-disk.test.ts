import { randomUUID } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { runCrashable, runVedette, startVedette } from '../helpers/child.ts';
import { createLedger } from '../helpers/ledger.ts';
import type { Ledger } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import { smallDisk, whyNoSmallDisk } from '../helpers/small-disk.ts';
import { rounds } from '../helpers/soak.ts';
import { openStream } from '../helpers/sse.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import {
  ALL_THERE,
  ask,
  held,
  pixelNumbers,
  post,
  postNumbers,
  startTraffic,
} from '../helpers/traffic.ts';

const MIB = 1 << 20;
const DISK = '64m';
const CLOCK_SPEED = 2_000;
const why = whyNoSmallDisk();
const onSmallDisk = test.skipIf(why !== undefined);
if (why) process.stderr.write(`full-disk tests are skipped: ${why}\n`);

/** So fast that checkpoints are due all the time. */
function fastClock() {
  const born = Date.now();
  return { now: () => born + (Date.now() - born) * CLOCK_SPEED };
}

/** A write that failed half-way is nothing to read, nor to tell of. */
const setAside = (dataDir: string) => existsSync(path.join(dataDir, 'set-aside'));

const healthOf = async (url: string) =>
  ((await (await fetch(`${url}/health`)).json()) as { status: string }).status;

/** Large batches beside the load, so that what is left does not last long. */
const untilFull = (url: string, ledger: Ledger, message: string) =>
  expect
    .poll(() => postNumbers(url, ledger, 20, 'x'.repeat(5_000)), { message, interval: 5 })
    .toBe(503);

// What is left when the load begins decides which write is the first to fail: the journal's,
// the database log's, or a checkpoint's. In the soak each of them is the first once, and more
// that are drawn by lot follow.
const LEFT = [0, 0.5, 2, 5, 7];

onSmallDisk.for(LEFT.slice(0, rounds(1, LEFT.length)).map((_, index) => index))(
  'a disk that fills up again and again under load costs nothing, and Vedette goes on by itself (%i)',
  async (index) => {
    const random = createRandom();
    const disk = smallDisk(DISK);
    const ledger = createLedger();
    await using appliance = await startAppliance({ dataDir: disk.dir, clock: fastClock() });
    const { url } = appliance;
    const lots = Array.from({ length: rounds(0, 8) }, () => random.whole(0, 6 * MIB) / MIB);

    for (const left of [...LEFT.slice(index), ...LEFT.slice(0, index), ...lots]) {
      const note = `${left} MiB left, seed ${random.seed}`;
      const noted = { message: note };
      const traffic = startTraffic(url, ledger, random);
      const count = (status: number) => traffic.statuses.get(status) ?? 0;
      await expect.poll(() => count(201), noted).toBeGreaterThan(20);
      disk.fill(left * MIB);
      await untilFull(url, ledger, note);
      await expect.poll(() => count(503), noted).toBeGreaterThan(20);
      disk.fill();
      await expect.poll(() => postNumbers(url, ledger, 50, 'x'.repeat(2000)), noted).toBe(503);
      disk.makeRoom();
      const taken = count(201);
      await expect.poll(() => count(201), noted).toBeGreaterThan(taken + 20);
      const statuses = [...(await traffic.stop()).keys()];
      expect(
        statuses.filter((status) => ![200, 201, 422, 503].includes(status)),
        note,
      ).toEqual([]);

      await expect.poll(async () => (await ask(url, '/events')).status, noted).toBe(200);
      await expect.poll(() => healthOf(url), noted).toBe('ok');
      expect(await held(url, ledger), note).toEqual(ALL_THERE);
      expect(setAside(disk.dir)).toBe(false);
    }
    // Checkpoints work again too: the journal is cut back behind them.
    const segments = async () => (await readdir(path.join(disk.dir, 'journal'))).length;
    await expect.poll(() => postNumbers(url, ledger, 600).then(segments)).toBeLessThan(4);
  },
);

onSmallDisk(
  'kills on a full disk lose nothing, be there room at the next start or only later',
  async () => {
    const random = createRandom();
    const disk = smallDisk(DISK);
    const ledger = createLedger();
    const started = async () => {
      const vedette = runCrashable({ dataDir: disk.dir, clockSpeed: CLOCK_SPEED });
      return { ...vedette, ...(await vedette.up) };
    };
    let vedette = await started();
    for (const left of [0.5, 3, 5]) {
      disk.fill(left * MIB);
      const traffic = startTraffic(vedette.url, ledger, random);
      const note = `${left} MiB left, seed ${random.seed}`;
      await untilFull(vedette.url, ledger, note);
      await expect.poll(() => traffic.statuses.get(503) ?? 0).toBeGreaterThan(5);
      await vedette.end('SIGKILL');
      await traffic.stop();
      disk.makeRoom();

      vedette = await started();
      expect(await held(vedette.url, ledger), note).toEqual(ALL_THERE);
      expect(vedette.notices).toEqual([]);
    }

    const traffic = startTraffic(vedette.url, ledger, random);
    await expect.poll(() => traffic.statuses.get(201) ?? 0).toBeGreaterThan(100);
    await vedette.end('SIGKILL');
    await traffic.stop();
    disk.fill();
    const { url } = await started();
    expect(await healthOf(url)).toBe('degraded');
    expect(await postNumbers(url, ledger, 20, 'x'.repeat(5000))).toBe(503);
    disk.makeRoom();
    expect(await postNumbers(url, ledger, 20)).toBe(201);
    expect(await held(url, ledger)).toEqual(ALL_THERE);
    expect(await healthOf(url)).toBe('ok');
  },
);

onSmallDisk('a very first start on a full disk says so and ends', async () => {
  const disk = smallDisk(DISK);
  disk.fill();
  const vedette = runVedette(['--data-dir', disk.dir, '--host', '127.0.0.1', '--port', '0']);
  expect((await vedette.ended).code).toBe(2);
  expect(vedette.stderr()).toContain('the disk is full');
  expect(vedette.stderr()).not.toContain('    at ');
});

onSmallDisk(
  'on a full disk events are answered 503 with detail, and health is degraded',
  async () => {
    const disk = smallDisk(DISK);
    const ledger = createLedger();
    await using appliance = await startAppliance({ dataDir: disk.dir });
    const { url } = appliance;
    await postNumbers(url, ledger, 10);
    disk.fill();
    await expect.poll(() => postNumbers(url, ledger, 20, 'x'.repeat(5000))).toBe(503);

    const large = JSON.stringify([{ source: 's', event_type: 't', data: { x: 'x'.repeat(9000) } }]);
    const refused = await post(url, large);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('content-type')).toContain('application/json');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toEqual({ detail: expect.any(String) as string });
    expect(await healthOf(url)).toBe('degraded');
    await expect.poll(() => pixelNumbers(url, ledger, 200)).toBe(503);

    disk.makeRoom();
    expect(await postNumbers(url, ledger, 10)).toBe(201);
    expect(await healthOf(url)).toBe('ok');
    expect(await held(url, ledger)).toEqual(ALL_THERE);
  },
);

onSmallDisk(
  'on a full disk what is stored can be read, marked as stale, and nothing is concluded from it',
  async () => {
    const disk = smallDisk(DISK);
    const ledger = createLedger();
    await using appliance = await startAppliance({ dataDir: disk.dir });
    const { url } = appliance;
    await postNumbers(url, ledger, 10);
    const list = async () => {
      const answer = await ask(url, '/events');
      const events = (await answer.json()) as unknown[];
      return [answer.status, answer.headers.get('x-stale'), events.length];
    };
    expect(await list()).toEqual([200, null, 10]);

    // Into the journal, for which alone there is room.
    disk.fill(MIB);
    await untilFull(url, ledger, 'full');
    expect(await list()).toEqual([200, 'true', 10]);
    const unknown = `/events/${randomUUID()}`;
    for (const path of ['/events/usual', unknown, '/evaluations']) {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method: path === '/evaluations' ? 'POST' : 'GET',
        headers: { 'x-api-key': KEY },
      });
      expect([path, answer.status]).toEqual([path, 503]);
    }
    using stream = await openStream(`${url}/api/v1/events/stream`, { 'x-api-key': KEY });
    expect(stream.response.statusCode).toBe(200);

    disk.makeRoom();
    await expect.poll(async () => (await list())[1]).toBe(null);
    expect(await held(url, ledger)).toEqual(ALL_THERE);
    expect((await ask(url, unknown)).status).toBe(404);
    await postNumbers(url, ledger, 1);
    expect(await stream.next()).toMatchObject({ event: 'event' });
  },
);

onSmallDisk(
  'with its disk full it ends in time with 0, and keeps what it has accepted',
  async () => {
    const disk = smallDisk(DISK);
    const ledger = createLedger();
    const vedette = await startVedette(disk.dir, {
      args: ['--log-level', 'debug'],
      env: { VEDETTE_API_KEY: KEY },
    });
    await postNumbers(vedette.url, ledger, 10);
    disk.fill(MIB / 2);
    await untilFull(vedette.url, ledger, 'full');
    disk.fill();
    // Each is a line of the log, which has no room either.
    const refused = () => postNumbers(vedette.url, ledger, 20, 'x'.repeat(5_000));
    for (let time = 0; time < 60; time++) expect(await refused()).toBe(503);
    expect(await vedette.end('SIGTERM')).toEqual({ code: 0, signal: null });
    disk.makeRoom();
    await using again = await startAppliance({ dataDir: disk.dir });
    expect(await held(again.url, ledger)).toEqual(ALL_THERE);
  },
);

onSmallDisk('what was answered 503 is not there after a kill either', async () => {
  const disk = smallDisk(DISK);
  const ledger = createLedger();
  await using appliance = await startAppliance({ dataDir: disk.dir });
  const { url } = appliance;
  const together = () =>
    Promise.all(Array.from({ length: 12 }, () => postNumbers(url, ledger, 1, 'x'.repeat(1_500))));

  for (let round = 1; round <= rounds(3, 30); round++) {
    expect(await together()).not.toContain(503);
    // Room for some lines of a batch, but not for all.
    disk.fill((1 + (round % 3)) * 4096);
    expect(await together()).toContain(503);
    // A copy that is made in one go is what a kill would leave.
    const copy = tempDir();
    cpSync(disk.dir, copy, { recursive: true, filter: (name) => !name.endsWith('filler') });
    disk.makeRoom();

    await using again = await startAppliance({ dataDir: copy });
    expect(await held(again.url, ledger), `round ${round}`).toEqual(ALL_THERE);
  }
});

onSmallDisk('rules and alerts on a full disk are put off, and go on with room', async () => {
  const disk = smallDisk(DISK);
  await using appliance = await startAppliance({ dataDir: disk.dir });
  const call = (method: 'GET' | 'POST', path: string, payload?: object) =>
    appliance.app.inject({
      ...{ method, url: `/api/v1${path}`, headers: { 'x-api-key': KEY } },
      ...(payload && { payload }),
    });
  const config = { event_type: 'error', operator: '>', value: 0, window_minutes: 60 };
  const rule = { name: 'r', rule_type: 'threshold', config: { ...config, severity: 'info' } };
  expect((await call('POST', '/rules', rule)).statusCode).toBe(201);
  expect((await appliance.post([{ source: 's', event_type: 'error', data: {} }])).statusCode).toBe(
    201,
  );
  expect((await call('POST', '/evaluations')).statusCode).toBe(201);
  const [alert] = (await call('GET', '/alerts')).json<{ id: string }[]>();

  disk.fill();
  let turn = 0;
  const changes = [
    () => call('POST', '/rules', rule),
    () => call('POST', '/evaluations'),
    // What is resolved already has nothing to write.
    () => call('POST', `/alerts/${alert?.id}/${turn++ % 2 === 0 ? 'resolve' : 'reopen'}`),
  ];
  // What was set aside for the file before may still take a little.
  for (const change of changes) {
    await expect.poll(async () => (await change()).statusCode).toBe(503);
  }
  disk.makeRoom();
  for (const change of changes) expect((await change()).statusCode).toBeLessThan(300);
});
