import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Disconnected } from '../../../server/tagmanager/connection/schema.ts';
import { PUBLIC_CLIENT } from '../../helpers/identity-provider.ts';
import { connectionApp } from './parts.ts';

const GONE = {
  ...{ state: 'not_connected', connected_at: null, may_edit: false, chosen: null },
  ...{ problem: null, client: { id: PUBLIC_CLIENT, has_secret: false } },
};

async function chosenApp() {
  const app = await connectionApp();
  await app.connect();
  await app.choose();
  const forgotten: string[] = [];
  app.connection.onDisconnected((tenantId) => forgotten.push(tenantId));
  return { ...app, forgotten };
}

/** Another tenant, connected by the same client in the same name. */
async function secondTenant({ file }: Awaited<ReturnType<typeof chosenApp>>): Promise<string> {
  const id = '11111111-1111-4111-8111-111111111111';
  await file.update(({ tag_managers }) => {
    const [first] = tag_managers;
    if (first) tag_managers.push({ ...structuredClone(first), tenant_id: id });
  });
  return id;
}

describe('disconnecting', () => {
  it('stops what runs, deletes all but the client, and withdraws the grant', async () => {
    const app = await chosenApp();
    app.stopped.length = app.state.forgotten.length = 0;
    const answer = await app.disconnect();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ revoked: true });
    expect(app.stopped).toEqual([app.tenantId]);
    expect(app.state.forgotten).toEqual([app.tenantId]);
    expect(app.forgotten).toEqual([app.tenantId]);
    expect(app.provider.grants()).toBe(0);
    expect(await app.view()).toMatchObject(GONE);
    expect(app.stored()).toMatchObject({ tokens: null, scopes: [], chosen: null });
    expect(app.deeds.at(-1)).toMatchObject({
      ...{ deed: 'disconnected', words: 'The grant is withdrawn' },
    });
    expect((await app.connect()).status).toBe(200);
    expect((await app.choose()).statusCode).toBe(200);
  });

  it('leaves nothing of it in the settings and their copy', async () => {
    const app = await chosenApp();
    const sealed = app.stored()?.tokens ?? '';
    const texts = () =>
      ['settings.json', 'settings.last-good.json'].map((name) =>
        readFileSync(join(app.dir, name), 'utf8'),
      );
    for (const text of texts()) expect(text).toContain(sealed);
    await app.disconnect();
    for (const text of texts()) {
      for (const gone of [sealed, 'GTM-SHOP1', 'Default Workspace'])
        expect(text).not.toContain(gone);
    }
  });

  it('says so when the copy of the settings could not be renewed, and can be asked again', async () => {
    const app = await chosenApp();
    const { renewCopy } = app.store;
    app.store.renewCopy = () => Promise.reject(new Error('The disk is full'));
    expect((await app.disconnect()).statusCode).toBe(500);
    expect(app.provider.grants()).toBe(0);
    expect(app.forgotten).toEqual([app.tenantId]);
    app.store.renewCopy = renewCopy;
    expect((await app.disconnect()).statusCode).toBe(200);
    expect(readFileSync(join(app.dir, 'settings.last-good.json'), 'utf8')).not.toContain('GTM-');
  });

  it('leaves the grant to another tenant that lives on it, and says so', async () => {
    const app = await chosenApp();
    const other = await secondTenant(app);
    const answer = await app.disconnect();
    const { revoked, detail } = answer.json<Disconnected>();
    expect(revoked).toBe(false);
    expect(detail).toContain('still in use by another tenant here');
    expect(app.provider.asked.map(({ path }) => path)).not.toContain('/revoke');
    expect(app.provider.grants()).toBe(1);
    expect(app.stored()?.tokens).toBeNull();
    expect(app.deeds.at(-1)).toMatchObject({ words: 'The grant may still stand' });

    const { revoked: atLast } = await app.connection.disconnect(other, 'Somebody');
    expect(atLast).toBe(true);
    expect(app.provider.grants()).toBe(0);
  });

  it('when the grant had ended, or could not be read, says just that', async () => {
    const ended = await chosenApp();
    ended.provider.revokeGrants();
    await ended.ask('GET', `${ended.PATH}/accounts?refresh=true`);
    expect((await ended.disconnect()).json()).toMatchObject({
      ...{ revoked: true, detail: expect.stringContaining('had ended before') as string },
    });
    const locked = await chosenApp();
    await locked.store.change(locked.tenantId, (record) => {
      record.tokens = 'g1.of-a-key-that-is-lost';
    });
    expect((await locked.disconnect()).json()).toMatchObject({
      ...{ revoked: false, detail: expect.stringContaining('could not be read') as string },
    });
    expect(locked.stored()?.tokens).toBeNull();
  });

  it('where there is nothing is no error, and ends an open consent', async () => {
    const app = await connectionApp();
    expect((await app.disconnect()).json()).toMatchObject({ revoked: true });
    await app.setClient();
    await app.begin();
    expect((await app.disconnect()).json()).toMatchObject({ revoked: true });
    expect((await app.view()).state).toBe('not_connected');
  });

  it('does nothing by halves when the settings cannot be written', async () => {
    const app = await chosenApp();
    const { change } = app.store;
    app.store.change = () => Promise.reject(new Error('The disk is full'));
    expect((await app.disconnect()).statusCode).toBe(500);
    expect(await app.view()).toMatchObject({ state: 'connected' });
    expect(app.provider.grants()).toBe(1);
    expect(app.forgotten).toEqual([]);
    app.store.change = change;
    expect((await app.disconnect()).statusCode).toBe(200);
  });

  it('withdraws the grant also when others cannot delete their part, and can be asked again', async () => {
    const app = await chosenApp();
    let isBroken = true;
    app.connection.onDisconnected(async () => {
      if (isBroken) throw new Error('The database is busy');
    });
    expect((await app.disconnect()).statusCode).toBe(500);
    expect(app.provider.grants()).toBe(0);
    expect(app.stored()?.tokens).toBeNull();
    isBroken = false;
    expect((await app.disconnect()).statusCode).toBe(200);
    expect(app.forgotten).toHaveLength(2);
  });

  it('that was cut off by a crash is finished at the next start', async () => {
    const app = await chosenApp();
    await app.connection.tidy();
    expect(app.forgotten).toEqual([]);
    await app.disconnect();
    await app.connection.tidy();
    expect(app.forgotten).toEqual([app.tenantId, app.tenantId]);
  });

  it('ends an answer that is being taken', async () => {
    const app = await chosenApp();
    const { reached, goOn } = app.held('exchange');
    const opening = app.open(await app.provider.consent(await app.begin()));
    await reached;
    await app.disconnect();
    goOn();
    expect((await opening).status).toBe(400);
    expect(await app.view()).toMatchObject(GONE);
    expect(app.provider.grants()).toBe(0);
  });
});
