import { describe, expect, it } from 'vitest';
import { problems } from '../../server/platform/errors.ts';
import { TagManagerFault } from '../../server/tagmanager/faults.ts';
import { createJobs } from '../../server/tagmanager/jobs.ts';
import type { JobHandle } from '../../server/tagmanager/jobs.ts';

const START = Date.parse('2026-03-01T10:00:00Z');

function setUp(patienceMs = {}) {
  const clock = { time: START, now: () => clock.time };
  const pacer = { waiting: 0 };
  const logged: unknown[] = [];
  const jobs = createJobs({
    clock,
    patienceMs,
    log: { error: ({ err }: { err?: unknown }) => logged.push(err) },
    pacerOf: () => ({
      waitingMs: () => pacer.waiting,
      secondsFor: (requests) => requests * 4,
    }),
  });
  return { clock, pacer, logged, jobs };
}

/** Work that waits until it is told how to end. */
function held() {
  const gate = Promise.withResolvers<undefined>();
  const handles: JobHandle[] = [];
  return {
    work: (job: JobHandle) => {
      handles.push(job);
      job.signal.addEventListener('abort', () => gate.reject(job.signal.reason as Error));
      return gate.promise;
    },
    handle: () => {
      const [handle] = handles;
      if (handle === undefined) throw new Error('It has not begun');
      return handle;
    },
    done: () => gate.resolve(undefined),
    fails: (error: unknown) => gate.reject(error),
  };
}

const fault = (code: TagManagerFault['code']) => new TagManagerFault(code, 'What.', 'Next.');

describe('a job on the tag manager', () => {
  it('counts its requests, and tells step, pause and time left', async () => {
    const { jobs, pacer } = setUp();
    const { work, handle, done } = held();
    const started = jobs.start('a', 'snapshot', work);
    expect(started).toMatchObject({ kind: 'snapshot', requests: 0, expected: null });
    expect(started).toMatchObject({ left_seconds: null, started_at: '2026-03-01T10:00:00.000Z' });
    await Promise.resolve();

    handle().step('Reading tags');
    handle().expect(8);
    handle().call.asking?.();
    handle().call.asking?.();
    pacer.waiting = 2_500;
    expect(jobs.current('a')).toMatchObject({
      step: 'Reading tags',
      requests: 2,
      expected: 8,
      waiting_seconds: 3,
      left_seconds: 24,
    });
    // The one that is being waited for counts as made already.
    handle().expect(2);
    expect(jobs.current('a')?.left_seconds).toBe(3);
    // More pages than last time.
    handle().expect(1);
    expect(jobs.current('a')?.expected).toBe(2);

    done();
    await jobs.idle('a');
    expect(jobs.current('a')).toBeNull();
    expect(jobs.lastFailure('a')).toBeNull();
  });

  it('is one at a time for each tenant', async () => {
    const { jobs } = setUp();
    const [first, other, second] = [held(), held(), held()];
    jobs.start('a', 'apply', first.work);
    jobs.start('b', 'snapshot', other.work);
    expect(() => jobs.start('a', 'snapshot', second.work)).toThrow(problems.tagManagerBusy());
    first.done();
    await jobs.idle('a');
    jobs.start('a', 'snapshot', second.work);
    expect(jobs.current('b')?.kind).toBe('snapshot');
    await jobs.close();
  });

  it('ends by its signal, which is told as stopped', async () => {
    const { jobs, logged } = setUp();
    const { work } = held();
    jobs.start('a', 'snapshot', work);
    await jobs.stop('a');
    expect(jobs.current('a')).toBeNull();
    expect(jobs.lastFailure('a')?.code).toBe('stopped');
    expect(logged).toEqual([]);
  });

  it('waits when it is stopped until its last step is done', async () => {
    const { jobs } = setUp();
    const gate = Promise.withResolvers<undefined>();
    jobs.start('a', 'apply', () => gate.promise);
    await new Promise(setImmediate);
    let isStopped = false;
    const stopping = jobs.stop('a').then(() => (isStopped = true));
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    gate.resolve(undefined);
    await stopping;
    // What was finished all the same did not fail.
    expect(jobs.lastFailure('a')).toBeNull();
  });

  it('keeps its failure until the next success', async () => {
    const { jobs, clock } = setUp();
    const run = async (work: () => Promise<void>) => {
      jobs.start('a', 'snapshot', work);
      await jobs.idle('a');
      return jobs.lastFailure('a');
    };
    expect(await run(() => Promise.reject(fault('quota_day')))).toMatchObject({
      code: 'quota_day',
      what: 'What.',
      next: 'Next.',
      at: '2026-03-01T10:00:00.000Z',
    });
    clock.time += 1000;
    expect(await run(() => Promise.reject(fault('unreachable')))).toMatchObject({
      code: 'unreachable',
      at: '2026-03-01T10:00:01.000Z',
    });
    expect(await run(async () => undefined)).toBeNull();
    expect(jobs.lastFailure('b')).toBeNull();
  });

  it('logs what nobody foresaw, and shows no more of it than that', async () => {
    const { jobs, logged } = setUp();
    const error = new TypeError('token=abc is not a function');
    jobs.start('a', 'snapshot', () => {
      throw error;
    });
    await jobs.idle('a');
    expect(logged).toEqual([error]);
    expect(JSON.stringify(jobs.lastFailure('a'))).not.toContain('abc');
    expect(jobs.lastFailure('a')?.code).toBe('stopped');
  });

  it('says in their own words what stands in the way here', async () => {
    const { jobs, logged } = setUp();
    jobs.start('a', 'snapshot', () => Promise.reject(problems.cannotWrite()));
    await jobs.idle('a');
    expect(jobs.lastFailure('a')?.what).toContain('cannot be written to disk');
    expect(logged).toEqual([]);
  });

  it.each(['close', 'stop'] as const)(
    'is cut off by %s when its last step does not end',
    async (end) => {
      const { jobs } = setUp({ [end]: 1 });
      const order: string[] = [];
      jobs.start('a', 'apply', async ({ signal, call }) => {
        signal.addEventListener('abort', () => order.push('stopped'));
        await new Promise((done) => call.cut?.addEventListener('abort', done));
        order.push('cut off');
      });
      await new Promise(setImmediate);
      await jobs[end]('a');
      expect(order).toEqual(['stopped', 'cut off']);
      expect(jobs.current('a')).toBeNull();
    },
  );

  it('is waited for when all are closed, and not begun after that', async () => {
    const { jobs } = setUp();
    const ended: string[] = [];
    for (const tenant of ['a', 'b']) {
      jobs.start(tenant, 'snapshot', async ({ signal }) => {
        await new Promise((done) => signal.addEventListener('abort', done));
        await new Promise(setImmediate);
        ended.push(tenant);
      });
    }
    await Promise.resolve();
    await Promise.resolve();
    await jobs.close();
    expect(ended.sort()).toEqual(['a', 'b']);
    expect(() => jobs.start('a', 'snapshot', async () => undefined)).toThrow(problems.closing());
  });

  it('whose failure is forgotten has left no word of it', async () => {
    const { jobs } = setUp();
    jobs.start('a', 'apply', () => Promise.reject(fault('grant_ended')));
    jobs.start('b', 'apply', () => Promise.reject(fault('grant_ended')));
    await Promise.all([jobs.idle('a'), jobs.idle('b')]);
    jobs.forget('a');
    expect(jobs.lastFailure('a')).toBeNull();
    expect(jobs.lastFailure('b')?.code).toBe('grant_ended');
  });
});
