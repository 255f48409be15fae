import { parentPort, workerData } from 'node:worker_threads';
import { outcomesOf } from './run.ts';
import type { Template } from './template-file.ts';

parentPort?.postMessage('ready');
for (const outcome of outcomesOf(workerData as Template)) parentPort?.postMessage(outcome);
