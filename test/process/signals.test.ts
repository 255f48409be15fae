import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { KEY } from '../helpers/appliance.ts';
import { startWithKey } from '../helpers/child.ts';
import { createLedger, NO_FAULTS } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { startTraffic, storedEvents } from '../helpers/traffic.ts';

test.for(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it within 5 s under load with 0, and every acknowledged event is kept',
  async (signal) => {
    const random = createRandom();
    const dataDir = tempDir();
    const ledger = createLedger();
    const vedette = await startWithKey(dataDir);
    const traffic = startTraffic(vedette.url, ledger, random);
    await expect.poll(() => traffic.statuses.get(201) ?? 0).toBeGreaterThan(50);
    const asked = performance.now();
    expect(await vedette.end(signal)).toEqual({ code: 0, signal: null });
    expect(performance.now() - asked).toBeLessThan(5_000);
    const statuses = await traffic.stop();
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    expect(vedette.stderr()).toBe('');

    const again = await startWithKey(dataDir);
    expect(ledger.faults(await storedEvents(again.url)), `seed ${random.seed}`).toEqual(NO_FAULTS);
    expect(again.stdout()).not.toContain('Notice');
  },
);

test('a sender that stops in the middle of its body does not hold up the end', async () => {
  const vedette = await startWithKey(tempDir());
  const { port } = new URL(vedette.url);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/v1/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n[{"source":',
  );
  // An answer to a later connection shows that this one is being read.
  await fetch(`${vedette.url}/health`);
  const asked = performance.now();
  expect(await vedette.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(performance.now() - asked).toBeLessThan(5_000);
});
