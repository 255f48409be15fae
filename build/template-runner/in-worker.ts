import { Worker } from 'node:worker_threads';
import type { Outcome } from './run.ts';
import type { Template } from './template-file.ts';

const WORKER = new URL('worker.ts', import.meta.url);
const MOST_MEMORY_MB = 512;

/** Runs scenarios until one takes too long or too much: gives what came of it until there. */
function attempt(template: Template, limit: number): Promise<{ done: Outcome[]; end?: string }> {
  const done: Outcome[] = [];
  const worker = new Worker(WORKER, {
    workerData: template,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  return new Promise<{ done: Outcome[]; end?: string }>((resolve, reject) => {
    worker.on('message', (said: Outcome | 'ready') => {
      if (said !== 'ready') done.push(said);
      clearTimeout(timer);
      const end = `it does not end: it took longer than ${limit / 1000} s`;
      timer = setTimeout(() => resolve({ done, end }), limit);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        resolve({ done, end: `it takes more memory than ${MOST_MEMORY_MB} MB` });
      else reject(error);
    });
    worker.on('exit', () => resolve({ done }));
  }).finally(() => {
    clearTimeout(timer);
    return worker.terminate();
  });
}

/**
 * Runs every scenario outside of this thread, so that each comes to an end: there is code that
 * takes for ever within one step of JavaScript, such as the search for an unlucky pattern.
 */
export async function runInWorker(template: Template, limit = 10_000): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (;;) {
    const scenarios = template.scenarios.slice(outcomes.length);
    const { done, end } = await attempt({ ...template, scenarios }, limit);
    outcomes.push(...done);
    const stuck = scenarios[done.length];
    if (end === undefined || stuck === undefined) return outcomes;
    outcomes.push({ name: stuck.name, failure: end, logged: [] });
    if (outcomes.length === template.scenarios.length) return outcomes;
  }
}
