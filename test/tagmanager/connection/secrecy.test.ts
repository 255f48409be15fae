import { expect, it } from 'vitest';
import { TagManagerFault } from '../../../server/tagmanager/faults.ts';
import type { Tokens } from '../../../server/tagmanager/connection/schema.ts';
import { CLIENT_SECRET, SECRET_CLIENT } from '../../helpers/identity-provider.ts';
import { connectionApp } from './parts.ts';

/** All that anybody could read, over a life with everything in it that goes wrong. */
it('tokens, codes, states and the client secret are in no log, answer, page or fault', async () => {
  const app = await connectionApp();
  const { provider, PATH, connection } = app;
  provider.switches.rotatesRefreshTokens = true;
  const read: string[] = [];
  const secrets = new Set([CLIENT_SECRET]);
  const note = () => {
    const sealed = app.stored()?.tokens;
    if (!sealed) return;
    const { access, refresh } = JSON.parse(app.cipher.decrypt(sealed)) as Tokens;
    secrets.add(access).add(refresh).add(sealed);
  };
  const ask = async (...given: Parameters<typeof app.ask>) => {
    const answer = await app.ask(...given);
    read.push(answer.body, JSON.stringify(answer.headers));
    note();
    return answer;
  };
  const lookAround = async () => {
    for (const path of ['connection', 'accounts?refresh=true', 'containers?account_id=100'])
      await ask('GET', `${PATH}/${path}`);
  };
  const open = async (address: string) => {
    const { searchParams } = new URL(address);
    for (const name of ['code', 'state']) secrets.add(searchParams.get(name) ?? 'none');
    const { page, headers } = await app.open(address);
    read.push(page, JSON.stringify([...headers]));
    note();
  };

  await ask('PUT', `${PATH}/connection/client`, {
    client_id: SECRET_CLIENT,
    client_secret: CLIENT_SECRET,
  });
  for (const goesWrong of [false, true]) {
    // Only who begins a consent gets to see its state, which is good for nothing once it is used.
    const back = await provider.consent(await app.begin());
    provider.switches.tokenAnswers = goesWrong
      ? (response) => {
          response.writeHead(500, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ access_token: 'half-an-answer', error: 'invalid_grant' }));
        }
      : undefined;
    await open(back);
    await open(back);
    await ask('POST', `${PATH}/connection/answer`, { address: back });
  }
  secrets.add('half-an-answer');
  await lookAround();
  app.clock.time += 2 * 3_600_000;
  await lookAround();
  provider.switches.tokenAnswers = undefined;
  await lookAround();
  provider.revokeGrants();
  app.clock.time += 2 * 3_600_000;
  await lookAround();
  await open(await provider.consent(await app.begin()));
  await lookAround();
  provider.switches.revocationDown = true;
  read.push((await app.disconnect()).body);

  const faults: unknown[] = [];
  for (const verb of [
    () => connection.apiFor(app.tenantId),
    () => connection.chosen(app.tenantId),
  ]) {
    try {
      verb();
    } catch (error) {
      faults.push(error);
    }
  }
  for (const fault of faults) {
    expect(fault).toBeInstanceOf(TagManagerFault);
    read.push(JSON.stringify(fault), String((fault as Error).stack));
  }
  read.push(JSON.stringify(app.deeds), ...app.lines);

  expect(secrets.size).toBeGreaterThan(10);
  expect(app.lines.length).toBeGreaterThan(0);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8);
    expect(read.filter((text) => text.includes(secret))).toEqual([]);
  }
});
