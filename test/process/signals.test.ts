import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { startWithKey } from '../helpers/child.ts';
import { createLedger } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { ALL_THERE, held, postNumbers, startTraffic } from '../helpers/traffic.ts';

// What does not end in time ends with 1, so 0 says that it did.
const IN_ORDER = { code: 0, signal: null };

test('SIGTERM ends it in time under load with 0, and every acknowledged event is kept', async () => {
  const random = createRandom();
  const dataDir = tempDir();
  const ledger = createLedger();
  const vedette = await startWithKey(dataDir);
  const traffic = startTraffic(vedette.url, ledger, random);
  await expect.poll(() => traffic.statuses.get(201) ?? 0).toBeGreaterThan(50);
  expect(await vedette.end('SIGTERM')).toEqual(IN_ORDER);
  const statuses = await traffic.stop();
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  expect(vedette.stderr()).toBe('');

  await using again = await startAppliance({ dataDir });
  expect(await held(again.url, ledger), `seed ${random.seed}`).toEqual(ALL_THERE);
  expect(again.notices).toEqual([]);
});

test('SIGINT ends it in time with 0, also when senders and readers stop in the middle', async () => {
  const vedette = await startWithKey(tempDir());
  const { port } = new URL(vedette.url);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/v1/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n[{"source":',
  );
  const ledger = createLedger();
  expect(await postNumbers(vedette.url, ledger, 300, 'x'.repeat(40_000))).toBe(201);
  const reader = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void reader.destroy());
  reader.on('error', () => undefined).pause();
  reader.write(`GET /api/v1/events?limit=300 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\n\r\n`);
  // An answer to a later connection shows that this one is being read.
  await fetch(`${vedette.url}/health`);
  expect(await vedette.end('SIGINT')).toEqual(IN_ORDER);
  expect(vedette.stderr()).toBe('');
});
