import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { Server } from './children.ts';
import { quantile } from './figures.ts';

/** The same for all servers, so that none is favoured. */
export const CONNECTIONS = 128;

export interface Pressure {
  /** Answers of the expected status a second. */
  perSecond: number;
  /** All of them, the ones before and after the measured time too. */
  answers: number;
  /** Cores used by the generator, by the server, and by the server's main thread. */
  cores: { generator: number; server: number; main: number };
}

interface Target {
  server: Server;
  requests: readonly Buffer[];
  /** Any other answer ends the run: a refusal is cheap, and would flatter. */
  status: number;
}

/** As many requests as the server takes: each connection sends the next when it has its answer. */
export async function press(
  { server, requests, status }: Target,
  { seconds, leadIn }: { seconds: number; leadIn: number },
): Promise<Pressure> {
  const failed = Promise.withResolvers<never>();
  const open = await openAll(server.port, CONNECTIONS, failed.reject);
  let answers = 0;
  let busy = open.length;
  let over = false;
  const idle = Promise.withResolvers<undefined>();

  for (const [index, connection] of open.entries()) {
    let next = Math.floor((index * requests.length) / open.length);
    const send = () => {
      connection.send(requests[next] as Buffer);
      if (++next === requests.length) next = 0;
    };
    connection.answered = (got, answer) => {
      if (got !== status) failed.reject(unexpected(got, answer));
      answers++;
      if (!over) send();
      else if (--busy === 0) idle.resolve(undefined);
    };
    send();
  }

  const work = async (): Promise<Pressure> => {
    await sleep(leadIn * 1000);
    const before = { time: performance.now(), answers, own: process.cpuUsage(), cpu: server.cpu() };
    await sleep(seconds * 1000);
    const taken = performance.now() - before.time;
    const counted = answers - before.answers;
    const { user, system } = process.cpuUsage(before.own);
    const { all, main } = server.cpu();
    over = true;
    await idle.promise;
    return {
      perSecond: (counted / taken) * 1000,
      answers,
      cores: {
        generator: (user + system) / 1000 / taken,
        server: (all - before.cpu.all) / taken,
        main: (main - before.cpu.main) / taken,
      },
    };
  };
  return Promise.race([work(), failed.promise]).finally(() => closeAll(open));
}

export interface Steady {
  latency: (share: number) => number;
  answers: number;
}

/**
 * So many requests a second, whatever the server does. A request's time begins when it was due,
 * so one that had to wait for others counts its wait.
 */
export async function hold(
  { server, requests, status }: Target,
  { rate, seconds, leadIn }: { rate: number; seconds: number; leadIn: number },
): Promise<Steady> {
  const failed = Promise.withResolvers<never>();
  const open = await openAll(server.port, CONNECTIONS, failed.reject);
  const free = [...open];
  const queue: number[] = [];
  const latencies: number[] = [];
  const start = performance.now();
  const total = Math.round((leadIn + seconds) * rate);
  const counted = start + leadIn * 1000;
  const finished = Promise.withResolvers<undefined>();
  let due = 0;
  let answers = 0;

  const send = (connection: Connection, since: number) => {
    connection.answered = (got, answer) => {
      if (got !== status) failed.reject(unexpected(got, answer));
      if (since >= counted) latencies.push(performance.now() - since);
      if (++answers === total) finished.resolve(undefined);
      const waiting = queue.shift();
      if (waiting === undefined) free.push(connection);
      else send(connection, waiting);
    };
    connection.send(requests[answers % requests.length] as Buffer);
  };
  const timer = setInterval(() => {
    const until = Math.min(total, ((performance.now() - start) * rate) / 1000);
    for (; due < until; due++) {
      const since = start + (due * 1000) / rate;
      // The one that rested longest, so that none rests until the server closes it.
      const connection = free.shift();
      if (connection) send(connection, since);
      else queue.push(since);
    }
  }, 1);

  return Promise.race([finished.promise, failed.promise])
    .then(() => ({ latency: (share: number) => quantile(latencies, share), answers }))
    .finally(() => {
      clearInterval(timer);
      closeAll(open);
    });
}

/** One request after the other; the milliseconds that each took. */
export async function ask(
  port: number,
  request: Buffer,
  { times, warmUp, status = 200 }: { times: number; warmUp: number; status?: number },
): Promise<{ taken: number[]; body: string }> {
  const failed = Promise.withResolvers<never>();
  const connection = await Connection.open(port, failed.reject);
  const taken: number[] = [];
  let body = '';
  try {
    for (let i = 0; i < warmUp + times; i++) {
      const answered = Promise.withResolvers<undefined>();
      connection.answered = (got, answer) => {
        const time = performance.now() - since;
        if (got !== status) failed.reject(unexpected(got, answer));
        if (i >= warmUp) taken.push(time);
        if (i === 0) body = answer.toString('utf8', answer.indexOf('\r\n\r\n') + 4);
        answered.resolve(undefined);
      };
      const since = performance.now();
      connection.send(request);
      await Promise.race([answered.promise, failed.promise]);
    }
  } finally {
    connection.close();
  }
  return { taken, body };
}

const openAll = (port: number, count: number, lost: (error: Error) => void) =>
  Promise.all(Array.from({ length: count }, () => Connection.open(port, lost)));

function closeAll(connections: readonly Connection[]): void {
  for (const connection of connections) connection.close();
}

function unexpected(status: number, answer: Buffer): Error {
  return new Error(`Answered ${status}: ${answer.toString('utf8', 0, 1000)}`);
}
