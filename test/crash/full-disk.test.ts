import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { KEY } from '../helpers/appliance.ts';
import { runCrashable, runVedette, startWithKey } from '../helpers/child.ts';
import { createLedger, NO_FAULTS } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import { smallDisk, whyNoSmallDisk } from '../helpers/small-disk.ts';
import {
  ask,
  countedEvents,
  pixelNumbers,
  post,
  postNumbers,
  startTraffic,
  storedEvents,
} from '../helpers/traffic.ts';

const MIB = 1 << 20;
const DISK = '64m';
const why = whyNoSmallDisk();
const onSmallDisk = test.skipIf(why !== undefined);
if (why) process.stderr.write(`full-disk tests are skipped: ${why}\n`);

/** A write that failed half-way is nothing to read, nor to tell of. */
const setAside = (dataDir: string) => existsSync(path.join(dataDir, 'set-aside'));

const healthOf = async (url: string) =>
  ((await (await fetch(`${url}/health`)).json()) as { status: string }).status;

// What is left when the load begins decides which write is the first to fail: the journal's,
// the database log's, or a checkpoint's. The clock runs fast, so that checkpoints are due.
onSmallDisk.for([0, 0.5, 2, 5, 7])(
  'a disk that fills up with %d MiB left costs nothing, and Vedette goes on by itself',
  async (left) => {
    const random = createRandom();
    const disk = smallDisk(DISK);
    const ledger = createLedger();
    const vedette = runCrashable({ dataDir: disk.dir, clockSpeed: 2_000 });
    const { url } = await vedette.up;
    await postNumbers(url, ledger, 100);
    expect((await ask(url, '/events')).status).toBe(200);

    disk.fill(left * MIB);
    const traffic = startTraffic(url, ledger, random);
    await expect.poll(() => traffic.statuses.get(503) ?? 0).toBeGreaterThan(5);
    disk.fill();
    await expect.poll(() => postNumbers(url, ledger, 50, 'x'.repeat(2000))).toBe(503);
    const statuses = await traffic.stop();
    const note = `seed ${random.seed} ${vedette.stderr()}`;
    expect(
      [...statuses.keys()].filter((status) => ![200, 201, 422, 503].includes(status)),
      note,
    ).toEqual([]);

    disk.makeRoom();
    await expect.poll(() => postNumbers(url, ledger, 1)).toBe(201);
    await expect.poll(async () => (await ask(url, '/events')).status).toBe(200);
    await expect.poll(() => healthOf(url)).toBe('ok');
    const events = await storedEvents(url);
    expect(ledger.faults(events), note).toEqual(NO_FAULTS);
    expect(await countedEvents(url), note).toBe(events.length);
    expect(setAside(disk.dir)).toBe(false);
    expect(await vedette.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  },
);

onSmallDisk('a disk that is full again and again under load costs nothing', async () => {
  const random = createRandom();
  const disk = smallDisk(DISK);
  const ledger = createLedger();
  const vedette = runCrashable({ dataDir: disk.dir, clockSpeed: 2_000 });
  const { url } = await vedette.up;
  const traffic = startTraffic(url, ledger, random);
  const count = (status: number) => traffic.statuses.get(status) ?? 0;
  for (let time = 0; time < 8; time++) {
    const [taken, putOff] = [count(201), count(503)];
    disk.fill(random.whole(0, 6 * MIB));
    await expect.poll(() => count(503)).toBeGreaterThan(putOff + 20);
    disk.makeRoom();
    await expect.poll(() => count(201)).toBeGreaterThan(taken + 20);
  }
  const statuses = await traffic.stop();
  const note = `seed ${random.seed}`;
  expect(
    [...statuses.keys()].filter((status) => ![200, 201, 422, 503].includes(status)),
    note,
  ).toEqual([]);
  const events = await storedEvents(url);
  expect(ledger.faults(events), note).toEqual(NO_FAULTS);
  expect(await countedEvents(url), note).toBe(events.length);
  expect(setAside(disk.dir)).toBe(false);
  // Checkpoints work again too: the journal is cut back behind them.
  const segments = async () => (await readdir(path.join(disk.dir, 'journal'))).length;
  await expect.poll(() => postNumbers(url, ledger, 600).then(segments)).toBeLessThan(4);
});

onSmallDisk(
  'a start on a full disk is degraded and goes on by itself once there is room',
  async () => {
    const random = createRandom();
    const disk = smallDisk(DISK);
    const ledger = createLedger();
    const first = await startWithKey(disk.dir);
    const traffic = startTraffic(first.url, ledger, random);
    await expect.poll(() => traffic.statuses.get(201) ?? 0).toBeGreaterThan(100);
    await first.end('SIGKILL');
    await traffic.stop();

    disk.fill();
    const { url } = await startWithKey(disk.dir);
    expect(await healthOf(url)).toBe('degraded');
    expect(await postNumbers(url, ledger, 20, 'x'.repeat(5000))).toBe(503);
    disk.makeRoom();
    expect(await postNumbers(url, ledger, 20)).toBe(201);
    expect(ledger.faults(await storedEvents(url))).toEqual(NO_FAULTS);
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
    const { url } = await startWithKey(disk.dir);
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
    expect(ledger.faults(await storedEvents(url))).toEqual(NO_FAULTS);
  },
);

onSmallDisk('a kill on a full disk loses nothing once there is room', async () => {
  const random = createRandom();
  const disk = smallDisk(DISK);
  const ledger = createLedger();
  for (const left of [0.5, 3, 5]) {
    const vedette = runCrashable({ dataDir: disk.dir, clockSpeed: 2_000 });
    const { url } = await vedette.up;
    disk.fill(left * MIB);
    const traffic = startTraffic(url, ledger, random);
    await expect.poll(() => traffic.statuses.get(503) ?? 0).toBeGreaterThan(5);
    await vedette.end('SIGKILL');
    await traffic.stop();
    disk.makeRoom();

    const again = await startWithKey(disk.dir);
    const events = await storedEvents(again.url);
    expect(ledger.faults(events), `${left} MiB left, seed ${random.seed}`).toEqual(NO_FAULTS);
    expect(await countedEvents(again.url)).toBe(events.length);
    expect(again.stdout()).not.toContain('Notice');
    await again.end('SIGKILL');
  }
});

onSmallDisk('what was answered 503 is not there after a kill either', async () => {
  const disk = smallDisk(DISK);
  const ledger = createLedger();
  for (let round = 1; round <= 6; round++) {
    const vedette = runCrashable({ dataDir: disk.dir });
    const { url } = await vedette.up;
    const together = () =>
      Promise.all(Array.from({ length: 12 }, () => postNumbers(url, ledger, 1, 'x'.repeat(1_500))));
    expect(await together()).not.toContain(503);
    // Room for some lines of a batch, but not for all.
    disk.fill((1 + (round % 3)) * 4096);
    expect(await together()).toContain(503);
    await vedette.end('SIGKILL');
    disk.makeRoom();

    const again = runCrashable({ dataDir: disk.dir });
    const events = await storedEvents((await again.up).url);
    expect(ledger.faults(events), `round ${round}`).toEqual(NO_FAULTS);
    await again.end('SIGKILL');
  }
});

onSmallDisk('rules and alerts on a full disk are put off, and go on with room', async () => {
  const disk = smallDisk(DISK);
  const { url } = await startWithKey(disk.dir);
  const call = (method: string, path: string, body?: object) =>
    fetch(`${url}/api/v1${path}`, {
      ...{ method, headers: { 'x-api-key': KEY, 'content-type': 'application/json' } },
      ...(body && { body: JSON.stringify(body) }),
    });
  const config = { event_type: 'type-0', operator: '>', value: 0, window_minutes: 60 };
  const rule = { name: 'r', rule_type: 'threshold', config: { ...config, severity: 'info' } };
  expect((await call('POST', '/rules', rule)).status).toBe(201);
  expect(await postNumbers(url, createLedger(), 10)).toBe(201);
  expect((await call('POST', '/evaluations')).status).toBe(201);
  const [alert] = (await (await call('GET', '/alerts')).json()) as { id: string }[];

  disk.fill();
  const changes = [
    () => call('POST', '/rules', rule),
    () => call('POST', '/evaluations'),
    () => call('POST', `/alerts/${alert?.id}/resolve`),
  ];
  // What was set aside for the file before may still take a little.
  for (const change of changes) {
    await expect.poll(async () => (await change()).status).toBe(503);
  }
  disk.makeRoom();
  for (const change of changes) expect((await change()).ok).toBe(true);
});
