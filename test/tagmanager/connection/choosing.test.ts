import { describe, expect, it } from 'vitest';
import { faults } from '../../../server/tagmanager/fault-words.ts';
import { TagManagerFault } from '../../../server/tagmanager/faults.ts';
import type { ContainerView } from '../../../server/tagmanager/connection/schema.ts';
import { ADA, BOB, connectionApp } from './parts.ts';

const MINUTE = 60_000;

const apiDisabled = () => new TagManagerFault('api_disabled', 'The API is off.', 'Switch it on.');

const job = (kind: 'apply' | 'snapshot') => ({
  ...{ kind, step: 'At work', requests: 1, expected: 2, waiting_seconds: 0 },
  ...{ left_seconds: null, started_at: new Date().toISOString() },
});

async function connectedApp(users = [ADA]) {
  const app = await connectionApp({ users });
  await app.connect();
  const list = async <T>(what: string) => {
    const answer = await app.ask('GET', `${app.PATH}/${what}`);
    return answer.json<T[]>();
  };
  return { ...app, list, containers: `containers?account_id=${app.choice.account_id}` };
}

/** An agency: many containers, in no order. */
async function agencyApp() {
  const app = await connectedApp();
  const { google, place } = app;
  google.removeContainer(place);
  for (let i = 0; i < 120; i++) {
    const name = `client ${(i * 37) % 120}.example`;
    google.container({ accountId: place.accountId, name, publicId: `GTM-C${i}` });
  }
  return app;
}

describe('what there is to choose from', () => {
  it('is shown as the API names it', async () => {
    const { list, containers, choice } = await connectedApp();
    const { workspace_id, ...container } = choice;
    const { account_id, container_id } = container;
    expect(await list('accounts')).toEqual([{ account_id, name: 'Shop' }]);
    expect(await list(containers)).toEqual([
      {
        ...{ ...container, public_id: 'GTM-SHOP1' },
        ...{ name: 'shop.example', usage_context: ['web'] },
      },
    ]);
    const query = `account_id=${account_id}&container_id=${container_id}`;
    expect(await list(`workspaces?${query}`)).toEqual([
      { ...container, workspace_id, name: 'Default Workspace', description: null },
    ]);
  });

  it('is in order, in pages, and found by parts of name and ids', async () => {
    const { list, containers } = await agencyApp();
    const names = async (query: string) =>
      (await list<ContainerView>(`${containers}${query}`)).map(({ name }) => name);
    expect(await names('&limit=3')).toEqual([
      'client 0.example',
      'client 1.example',
      'client 2.example',
    ]);
    expect(await names('&skip=118&limit=50')).toEqual(['client 118.example', 'client 119.example']);
    expect(await names('&search=CLIENT%20119.ex')).toEqual(['client 119.example']);
    expect(await names('&search=gtm-c119')).toHaveLength(1);
    expect(await names('&search=nothing')).toEqual([]);
    expect(await names('')).toHaveLength(100);
  });

  it('is read once in five minutes, by however many, unless it is asked for anew', async () => {
    const { list, containers, google, clock } = await connectedApp();
    google.requests.length = 0;
    await Promise.all([1, 2, 3].map((skip) => list(`${containers}&skip=${skip}`)));
    await list(`${containers}&search=7`);
    expect(google.requests).toHaveLength(1);
    await list(`${containers}&refresh=true`);
    expect(google.requests).toHaveLength(2);
    clock.time += 5 * MINUTE;
    await list(containers);
    expect(google.requests).toHaveLength(3);
  });

  it('that could not be read is asked for again', async () => {
    const { ask, PATH, containers, state } = await connectedApp();
    state.answers = 500;
    const path = `${PATH}/${containers}`;
    expect((await ask('GET', path)).statusCode).toBe(503);
    state.answers = null;
    expect((await ask('GET', path)).json()).toHaveLength(1);
  });

  it('is that of whoever is connected now', async () => {
    const app = await connectedApp();
    expect(await app.list('accounts')).toHaveLength(1);
    await app.connect({ account: BOB });
    expect(await app.list('accounts')).toEqual([]);
  });

  it('is not asked for without saying of what', async () => {
    const { ask, PATH } = await connectedApp();
    for (const [query, name] of [
      ['containers', 'account_id'],
      ['containers?account_id=a', 'account_id'],
      ['workspaces?account_id=1', 'container_id'],
      ['accounts?limit=0', 'limit'],
    ] as const) {
      const answer = await ask('GET', `${PATH}/${query}`);
      expect(answer.statusCode, query).toBe(400);
      expect(answer.body).toContain(name);
    }
  });
});

describe('a choice', () => {
  it('is kept with its names, told to others, and starts with nothing running', async () => {
    const app = await connectedApp();
    const told: unknown[] = [];
    app.connection.onChosen((...news) => told.push(news));
    const answer = await app.choose();
    const chosen = {
      ...{ ...app.choice, account_name: 'Shop', workspace_name: 'Default Workspace' },
      ...{ container_name: 'shop.example', public_id: 'GTM-SHOP1' },
    };
    expect(answer.json()).toMatchObject({ state: 'connected', chosen, problem: null });
    const who = expect.stringMatching(/^Dashboard, /) as string;
    expect(told).toEqual([[app.tenantId, who, null]]);
    expect(app.stopped).toEqual([app.tenantId]);
    await app.choose();
    expect(told[1]).toEqual([app.tenantId, who, chosen]);
    expect(app.deeds.at(-1)).toEqual({
      ...{ deed: 'chose', who, words: 'shop.example (GTM-SHOP1), Default Workspace' },
    });
    expect(app.connection.chosen(app.tenantId)).toEqual(chosen);
    expect(app.connection.placeOf(app.connection.chosen(app.tenantId))).toEqual(app.place);
  });

  it('of what that account cannot see is refused where it is none', async () => {
    const app = await connectedApp();
    for (const path of ['account_id', 'container_id', 'workspace_id']) {
      const answer = await app.choose({ ...app.choice, [path]: '999' });
      expect(answer.statusCode, path).toBe(422);
      expect(answer.json()).toMatchObject({ errors: [{ path }] });
      expect((await app.view()).chosen).toBeNull();
    }
  });

  it('finds what was made since the lists were read', async () => {
    const app = await connectedApp();
    await app.choose();
    const { workspaceId } = app.google.workspace(app.place, 'New');
    expect((await app.choose({ ...app.choice, workspace_id: workspaceId })).json()).toMatchObject({
      chosen: { workspace_name: 'New' },
    });
  });

  it('waits until changes are written', async () => {
    const app = await connectedApp();
    app.state.job = job('apply');
    expect((await app.choose()).statusCode).toBe(409);
    app.state.job = job('snapshot');
    expect((await app.choose()).statusCode).toBe(200);
  });

  it('is refused too when writing begins while it is looked up', async () => {
    const app = await connectedApp();
    const { stop } = app.jobs;
    app.jobs.stop = async (tenantId) => {
      await stop(tenantId);
      app.state.job = job('apply');
    };
    expect((await app.choose()).statusCode).toBe(409);
    expect((await app.view()).chosen).toBeNull();
  });

  it('that was not made yet is said so to others', async () => {
    const { connection, tenantId } = await connectedApp();
    expect(() => connection.chosen(tenantId)).toThrow(
      expect.objectContaining({ code: 'nothing_chosen' }) as Error,
    );
    expect(() => connection.apiFor('00000000-0000-4000-8000-000000000000')).toThrow(
      expect.objectContaining({ code: 'not_connected' }) as Error,
    );
  });

  it('follows its workspace when publishing has put another in its place', async () => {
    const app = await connectedApp();
    await app.choose();
    const moved = { ...app.place, workspaceId: '9' };
    await app.connection.moved(app.tenantId, { ...moved, name: 'Default', description: null });
    expect((await app.view()).chosen).toMatchObject({
      workspace_id: '9',
      workspace_name: 'Default',
    });
    const other = { ...moved, containerId: '777', workspaceId: '10' };
    await app.connection.moved(app.tenantId, { ...other, name: 'X', description: null });
    expect((await app.view()).chosen?.workspace_id).toBe('9');
  });
});

describe('the account that was connected', () => {
  it('and sees nothing at all is told so', async () => {
    const app = await connectedApp([BOB]);
    expect((await app.view()).problem).toMatchObject({ code: 'no_accounts' });
    app.google.account({ users: [ADA] });
    expect(await app.list('accounts?refresh=true')).toHaveLength(1);
    expect((await app.view()).problem).toBeNull();
  });

  it('and cannot see what was chosen before is told which container that is', async () => {
    const app = await connectedApp();
    await app.choose();
    await app.connect({ account: BOB });
    const { problem, chosen } = await app.view();
    expect(problem?.code).toBe('wrong_account');
    expect(problem?.what).toContain('shop.example (GTM-SHOP1)');
    expect(problem?.next).toMatch(/^Connect again with the account that can.*another container/);
    expect(chosen).not.toBeNull();
    // That it sees nothing at all says less.
    expect(await app.list('accounts?refresh=true')).toEqual([]);
    expect((await app.view()).problem).toMatchObject({ code: 'wrong_account' });
    expect(app.connection.standsInTheWay(app.tenantId)).toMatchObject({ code: 'wrong_account' });
    await app.connect();
    expect((await app.view()).problem).toBeNull();
  });

  it('leaves no grant of the one before, which is withdrawn when it was another', async () => {
    const app = await connectedApp();
    await app.connect({ account: BOB });
    expect(app.provider.grants()).toBe(1);
    expect((await app.list('accounts?refresh=true')).length).toBe(0);
  });

  it('again ends no grant, since all of one person are one', async () => {
    const app = await connectedApp();
    await app.connect();
    expect(app.provider.asked.map(({ path }) => path)).not.toContain('/revoke');
  });

  it('is said in the audit trail to take the place of the one before', async () => {
    const app = await connectedApp();
    await app.connect();
    await app.disconnect();
    await app.connect();
    expect(app.deeds.map(({ deed, words }) => `${deed}: ${words}`)).toEqual([
      'connected: To read and to edit',
      'connected: To read and to edit, in place of the connection before',
      'disconnected: The grant is withdrawn',
      'connected: To read and to edit',
    ]);
  });

  it('says how to end the grant of the one before, where that may still stand', async () => {
    const app = await connectedApp();
    const words = () => app.deeds.slice(1).map((entry) => entry.words);
    app.state.answers = 500;
    await app.connect({ account: BOB });
    expect(words()).toEqual([
      'To read and to edit, in place of the connection before',
      expect.stringMatching(/may still stand.+ https:\/\/myaccount\.google\.com\/connections$/),
    ]);
    // Withdrawn at Google, it stands no more, whoever could be asked here.
    app.deeds.length = 1;
    app.provider.revokeGrants();
    await app.connect();
    expect(words()).toEqual(['To read and to edit, in place of the connection before']);
  });

  it('begins with no word of how the work of the one before went', async () => {
    const app = await connectedApp();
    await app.choose();
    app.state.forgotten.length = 0;
    app.stopped.length = 0;
    await app.connect();
    expect(app.state.forgotten).toEqual([app.tenantId]);
    expect(app.stopped).toEqual([]);
    app.state.job = job('snapshot');
    await app.connect();
    expect(app.stopped).toEqual([app.tenantId]);
  });

  it.each([403, 404])('and is answered %d about it, too', async (status) => {
    const app = await connectedApp();
    await app.choose();
    app.state.answers = status;
    await app.connect();
    expect((await app.view()).problem).toMatchObject({ code: 'wrong_account' });
  });

  it('by a project whose API is off is told so, until it is on', async () => {
    const app = await connectionApp();
    app.google.disable();
    await app.connect();
    expect((await app.view()).problem).toMatchObject({
      ...{ code: 'api_disabled', next: expect.stringMatching(/^Switch on the/) as string },
    });
    app.google.disable(false);
    await app.ask('GET', `${app.PATH}/accounts`);
    expect((await app.view()).problem).toBeNull();
  });

  it('has the quota of its project', async () => {
    const { view } = await connectedApp();
    expect((await view()).quota).toEqual({ used_today: 7, per_day: 10_000, waiting_seconds: 0 });
  });
});

describe('what others report', () => {
  it('stands until it is cleared, when it is of the lasting kind', async () => {
    const { connection, tenantId, view, clock } = await connectedApp();
    const gone = new TagManagerFault('workspace_gone', 'It is gone.', 'Choose another.');
    await connection.report(tenantId, faults.unreachable());
    expect((await view()).problem).toBeNull();
    const at = new Date(clock.time).toISOString();
    await connection.report(tenantId, gone);
    clock.time += MINUTE;
    await connection.report(tenantId, gone);
    expect((await view()).problem).toEqual({
      ...{ code: 'workspace_gone', what: 'It is gone.', next: 'Choose another.', at },
    });
    await connection.cleared(tenantId);
    expect((await view()).problem).toBeNull();
  });

  it('about a connection that is gone is of no account', async () => {
    const { connection, tenantId, view, disconnect } = await connectedApp();
    await disconnect();
    await connection.report(tenantId, apiDisabled());
    await connection.report('00000000-0000-4000-8000-000000000000', apiDisabled());
    expect((await view()).problem).toBeNull();
  });

  it('and the lack of the right to edit is none that a success clears', async () => {
    const app = await connectionApp();
    await app.connect({ scopes: ['https://www.googleapis.com/auth/tagmanager.readonly'] });
    await app.connection.cleared(app.tenantId);
    expect((await app.view()).problem).toMatchObject({ code: 'missing_scope' });
    expect(app.connection.mayEdit(app.tenantId)).toBe(false);
  });
});
