import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pino from 'pino';
import { expect, it } from 'vitest';
import type { ChangeView } from '../../../server/tagmanager/changes/schema.ts';
import { startAppliance } from '../../helpers/appliance.ts';
import { startGoogle } from '../../helpers/google.ts';
import { CLIENT_SECRET, SECRET_CLIENT } from '../../helpers/identity-provider.ts';
import type { Consent } from '../../helpers/identity-provider.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { connect, createHurriedClock, heldAt, isWrite, selectionOf, signIn } from './parts.ts';
import type { Person } from './parts.ts';

/** In an answer that is none. */
const HALF = 'half-an-answer';

/** Every file, with its bytes as they are. */
function filesOf(dir: string): { name: string; text: string }[] {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => path.join(dir, name))
    .filter((file) => statSync(file).isFile())
    .map((name) => ({ name, text: readFileSync(name, 'latin1') }));
}

/** All that all tables hold, since what is compressed does not show in the bytes of the file. */
async function rowsOf(dir: string): Promise<string[]> {
  const file = readdirSync(dir).find((name) => name.endsWith('.duckdb')) ?? '';
  const instance = await DuckDBInstance.create(path.join(dir, file), { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const tables = await connection.runAndReadAll('SELECT table_name FROM duckdb_tables()');
  const texts: string[] = [];
  for (const [table] of tables.getRowsJson() as [string][]) {
    const rows = await connection.runAndReadAll(`SELECT * FROM "${table}"`);
    texts.push(JSON.stringify([table, rows.getRowsJson()]));
  }
  connection.closeSync();
  instance.closeSync();
  return texts;
}

/** Everything that can be read of the tag manager. */
async function lookAround(person: Person, read: string[]): Promise<void> {
  for (const path of [
    ...['connection', 'accounts?refresh=true', 'snapshot', 'snapshot/objects?limit=1000'],
    ...['snapshot/differences', 'verification', 'changes?status=all', 'audit?limit=1000'],
  ]) {
    read.push((await person.ask('GET', `/tag-manager/${path}`)).text);
  }
  for (const { id } of await person.changes('all')) {
    read.push((await person.ask('GET', `/tag-manager/changes/${id}`)).text);
  }
  for (const path of ['/settings', '/about', '/tenants/me']) {
    read.push((await person.ask('GET', path)).text);
  }
}

it('tokens and the client secret are in no file, table, log, answer or document', async () => {
  await using google = await startGoogle();
  const { api, identity } = google;
  identity.switches.rotatesRefreshTokens = true;
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const dataDir = tempDir();
  const read: string[] = [];
  const secrets = new Set([CLIENT_SECRET, HALF]);
  let sealed = '';

  /** The consent screen, and what it leads back to once more, opened and pasted. */
  async function answer(person: Person, how: Consent = {}): Promise<void> {
    const { back, shown } = await connect(person, google, how);
    for (const name of ['code', 'state']) secrets.add(new URL(back).searchParams.get(name) ?? '');
    const again = await fetch(back);
    const pasted = await person.ask('POST', '/tag-manager/connection/answer', { address: back });
    read.push(shown, await again.text(), pasted.text);
    await lookAround(person, read);
  }

  const place = api.container({ accountId: api.account() });
  api.fillContainer(place, { tags: 4, triggers: 4, variables: 4 });
  {
    const hurried = createHurriedClock();
    await using appliance = await startAppliance({ ...google.options, ...hurried, dataDir, log });
    const person = await signIn(appliance);
    const client = { client_id: SECRET_CLIENT, client_secret: CLIENT_SECRET };
    await person.tell('PUT', '/connection/client', client);
    await answer(person, { deny: true });
    identity.switches.tokenAnswers = (response) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: HALF, error: 'invalid_grant' }));
    };
    await answer(person);
    identity.switches.tokenAnswers = undefined;
    await answer(person);
    await person.tell('PUT', '/selection', selectionOf(place));
    await person.settled();
    const settings = readFileSync(path.join(dataDir, 'settings.json'), 'utf8');
    const [kept] = (JSON.parse(settings) as { tag_managers: { tokens: string }[] }).tag_managers;
    sealed = kept?.tokens ?? '';

    // A snapshot in which everything goes wrong that can.
    identity.expireAccessTokens();
    api.fail();
    api.drop();
    api.quotaAnswers({ status: 403 });
    await person.tell('POST', '/snapshot');
    expect(await person.settled()).toMatchObject({ last_failure: null });
    await lookAround(person, read);
    for (const trouble of [() => api.fail({ times: 4 }), () => api.disable()]) {
      trouble();
      await person.tell('POST', '/snapshot');
      expect((await person.settled()).last_failure).not.toBeNull();
      await lookAround(person, read);
    }
    api.disable(false);

    // Writing that is refused, that is interrupted, and that is done.
    const changes = await person.tell<ChangeView[]>('POST', '/changes/install');
    api.drop({ of: 'writes', times: 3 });
    await person.accept(changes);
    await person.settled();
    await lookAround(person, read);
    const held = heldAt(api, 2, isWrite);
    await person.tell('POST', '/changes/resume');
    const goOn = await held;
    identity.revokeGrants();
    goOn();
    await person.settled();
    await lookAround(person, read);
    await connect(person, google);
    await person.tell('POST', '/changes/resume');
    await expect.poll(() => person.changes()).toEqual([]);
    await person.settled();
    await lookAround(person, read);
    identity.switches.tokenDown = true;
    identity.expireAccessTokens();
    await lookAround(person, read);
    identity.switches.tokenDown = false;
    await lookAround(person, read);
  }

  const files = filesOf(dataDir);
  const rows = await rowsOf(dataDir);
  {
    const hurried = createHurriedClock();
    await using appliance = await startAppliance({ ...google.options, ...hurried, dataDir, log });
    const person = await signIn(appliance);
    identity.switches.revocationDown = true;
    const { text } = await person.ask('DELETE', '/tag-manager/connection');
    expect(text).toContain('"revoked":false');
    read.push(text);
    await lookAround(person, read);
  }

  for (const { token } of api.requests) secrets.add(token);
  for (const { body } of identity.asked) {
    for (const name of ['code', 'code_verifier', 'refresh_token'])
      secrets.add(body.get(name) ?? '');
  }
  secrets.delete('');
  expect(secrets.size).toBeGreaterThan(12);
  expect(rows.filter((text) => text.includes('All events'))).not.toEqual([]);
  expect(files.map(({ name }) => path.basename(name))).toContain('settings.json');
  expect(lines.length).toBeGreaterThan(5);
  for (const secret of [...secrets, sealed]) {
    expect(secret.length).toBeGreaterThan(12);
    const places = [...lines, ...read, ...rows].filter((text) => text.includes(secret));
    expect(places.map((text) => text.slice(0, 300))).toEqual([]);
    if (secret === sealed) continue;
    expect(files.filter(({ text }) => text.includes(secret)).map(({ name }) => name)).toEqual([]);
  }
});
