import type { Clock } from '../../platform/clock.ts';
import { TagManagerFault } from '../faults.ts';
import type { FaultCode, FaultView } from '../connection/schema.ts';
import type { Jobs } from '../jobs.ts';
import { eventsCheck } from './events-check.ts';
import type { Arrivals } from './events-check.ts';
import type { ConnectionPart } from './parts.ts';
import type { Check, SnapshotView, Verification } from './schema.ts';
import { tagCheck } from './tag-check.ts';
import type { Snapshots } from './take.ts';
import { templateCheck } from './template-check.ts';
import { ago } from './words.ts';

export interface Facts {
  snapshot: SnapshotView | undefined;
  /** What is missing before a snapshot can be taken. */
  state: 'not_connected' | 'nothing_chosen' | 'reading' | 'ready';
  /** What keeps the container from being read, until it is put right. */
  problem: FaultView | null;
  events: Arrivals;
  /** Proposed changes that nobody has looked at yet. */
  waiting: number;
  now: number;
}

const DAY = 86_400_000;

/** Whether events come in by way of the tag manager, and if not, what is missing. */
export function verificationOf({ snapshot, problem, events, now, ...facts }: Facts): Verification {
  const checks = [
    ...(snapshot
      ? [templateCheck(snapshot), tagCheck(snapshot)].map((check) =>
          problem ? outOfSight(check, snapshot, problem, now) : aged(check, snapshot, now),
        )
      : unknown(problem ? wayPast(problem) : wayOn(facts.state))),
    eventsCheck(events, snapshot, now),
  ];
  return {
    complete: checks.every(({ holds }) => holds),
    checked_at: new Date(now).toISOString(),
    snapshot_taken_at: snapshot?.taken_at ?? null,
    checks: checks.map((check) => reviewed(check, facts.waiting)),
  };
}

function aged(check: Check, { taken_at }: SnapshotView, now: number): Check {
  const then = Date.parse(taken_at);
  if (now - then <= DAY) return check;
  const evidence = [...check.evidence, takenWords(then, now)];
  if (check.next !== null) return { ...check, evidence };
  const next = 'Take a new snapshot, to be sure that it is still so.';
  return { ...check, evidence, next, action: 'snapshot' };
}

/** What it says was so once; whether it still is cannot be seen. */
function outOfSight(
  check: Check,
  { taken_at }: SnapshotView,
  problem: FaultView,
  now: number,
): Check {
  const { what, next, action } = wayPast(problem);
  const title = `When it was last read: ${check.title.replace(/^T/, 't')}`;
  const taken = takenWords(Date.parse(taken_at), now);
  return { ...check, title, evidence: [...check.evidence, taken, what], next, action };
}

const takenWords = (then: number, now: number) => `The snapshot was taken ${ago(then, now)}.`;

/** What is missing may have been proposed already. */
function reviewed(check: Check, waiting: number): Check {
  if (check.action !== 'install' || waiting === 0) return check;
  const next = `${check.next ?? ''} Look through the changes that wait first: it may be among them.`;
  return { ...check, next, action: 'review' };
}

const WAYS = {
  not_connected: ['The tag manager is not connected.', 'Connect it.', 'connect'],
  nothing_chosen: ['No container has been chosen yet.', 'Choose one.', 'choose'],
  reading: ['The container is being read.', 'Wait until that is done.', null],
  ready: ['No snapshot of the container has been taken yet.', 'Take one.', 'snapshot'],
} as const;

type Way = { what: string } & Pick<Check, 'next' | 'action'>;

function wayOn(state: Facts['state']): Way {
  const [what, next, action] = WAYS[state];
  return { what, next, action };
}

/** Where a fault is put right; the others when the container is read again. */
const MENDED: Partial<Record<FaultCode, Check['action']>> = {
  ...{ grant_ended: 'connect', wrong_client: 'connect', tokens_unreadable: 'connect' },
  ...{
    access_failed: 'connect',
    wrong_account: 'connect',
    no_accounts: 'connect',
    workspace_gone: 'choose',
  },
};

function wayPast({ code, what, next }: FaultView): Way {
  return { what, next, action: MENDED[code] ?? 'snapshot' };
}

function unknown({ what, next, action }: Way): Check[] {
  const check = { holds: false, evidence: [what], next, action };
  return [
    { name: 'template', title: 'Whether the template is there is not known', ...check },
    { name: 'tag', title: 'Whether the tag is there is not known', ...check },
  ];
}

interface Parts {
  connection: Pick<ConnectionPart, 'apiFor' | 'chosen' | 'standsInTheWay'>;
  snapshots: Pick<Snapshots, 'newest'>;
  jobs: Pick<Jobs, 'current'>;
  /** Of what came with the source `gtm`. */
  arrivals: (tenantId: string, now: number) => Promise<Arrivals>;
  /** How many proposed changes are open. */
  waiting?: (tenantId: string) => number | Promise<number>;
  clock: Clock;
}

export type VerificationPart = ReturnType<typeof createVerification>;

export function createVerification(parts: Parts) {
  const { connection, snapshots, jobs, arrivals, waiting = () => 0, clock } = parts;

  function stateOf(tenantId: string): Facts['state'] {
    try {
      connection.apiFor(tenantId);
      connection.chosen(tenantId);
    } catch (error) {
      if (!(error instanceof TagManagerFault)) throw error;
      return error.code === 'nothing_chosen' ? 'nothing_chosen' : 'not_connected';
    }
    return jobs.current(tenantId)?.kind === 'snapshot' ? 'reading' : 'ready';
  }

  return {
    async check(tenantId: string): Promise<Verification> {
      const now = clock.now();
      const [newest, events, open] = await Promise.all([
        snapshots.newest(tenantId),
        arrivals(tenantId, now),
        waiting(tenantId),
      ]);
      const state = stateOf(tenantId);
      return verificationOf({
        ...{ snapshot: newest?.view, state, events, waiting: open, now },
        problem: connection.standsInTheWay(tenantId),
      });
    },
  };
}
