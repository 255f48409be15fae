import { Cron } from 'croner';

export interface Job {
  name: string;
  /** A cron pattern with seconds. */
  at: string;
  run: () => Promise<unknown>;
}

/** Runs jobs on time, each one at a time; one that fails is logged and comes again. */
export function createScheduler(log: { error(fields: object, message: string): void }) {
  const jobs: Cron[] = [];
  return {
    add({ name, at, run }: Job): void {
      const options = {
        protect: true,
        unref: true,
        catch: (error: unknown) => log.error({ err: error, job: name }, 'A scheduled job failed'),
      };
      jobs.push(
        new Cron(at, options, async () => {
          await run();
        }),
      );
    },
    stop(): void {
      for (const job of jobs) job.stop();
    },
  };
}

export type Scheduler = ReturnType<typeof createScheduler>;
