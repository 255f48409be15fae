import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asking } from '../platform/asker.ts';
import { ANSWER_MS, MAX_ASKED, seconds, STALLED_MS, UNTAKEN_BYTES } from '../platform/bounds.ts';
import { problems } from '../platform/errors.ts';
import type { HttpError } from '../platform/errors.ts';
import { createShares } from '../platform/shares.ts';
import type { Who } from '../platform/shares.ts';
import type { Caller } from './identity.ts';
import { sendRaw } from './errors.ts';
import { isPieces } from './pieces.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only reads, although it is a POST: it ends when nobody waits for it. */
    onlyReads?: boolean;
    /** Goes on for hours, and has bounds of its own. */
    lasts?: boolean;
  }
}

/** What was ended has so long to say so itself. */
const SLACK_MS = 500;

/** How often one who has closed their half is asked whether they are still there. */
const PROBE_MS = 250;

export interface AnswerTimes {
  /** How long nobody need take any of an answer, and how long one may take to begin. */
  stalledMs?: number | undefined;
  answerMs?: number | undefined;
}

/** Everybody has a share of the requests that are under way and of the memory of their answers. */
export function shareAnswers(
  app: FastifyInstance,
  { stalledMs = STALLED_MS, answerMs = ANSWER_MS }: AnswerTimes = {},
): void {
  const asked = createShares(MAX_ASKED);
  const untaken = createShares(UNTAKEN_BYTES);

  app.addHook('preHandler', (request, reply, done) => {
    const caller = callerOf(request);
    const { onlyReads = isRead(request), lasts } = request.routeOptions.config;
    if (lasts) {
      done();
      return;
    }
    const problem = onlyReads ? problems.tookTooLong : problems.stillUnderWay;
    answerAtLast(request, reply, answerMs + (onlyReads ? SLACK_MS : 0), () =>
      problem(seconds(answerMs)),
    );
    if (caller === undefined) {
      done();
      return;
    }
    const who = whoIs(caller);
    if (!asked.take(who, 1)) {
      done(problems.tooManyAsked(MAX_ASKED));
      return;
    }
    onceOver(reply, () => asked.giveBack(who, 1));
    // What changes something is done whole, whoever waits for it.
    if (!onlyReads) {
      done();
      return;
    }
    asking({ owner: who.join(' '), signal: whileWaitedFor(request, reply, answerMs) }, done);
  });

  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const caller = callerOf(request);
    const holds = reply.statusCode < 400 ? sizeOf(payload) : 0;
    const who = caller ? whoIs(caller) : ['', request.ip];
    if (!untaken.take(who, holds)) {
      if (isPieces(payload)) payload.destroy();
      done(problems.tooMuchUnread(`${UNTAKEN_BYTES >> 20} MiB`));
      return;
    }
    onceOver(reply, () => {
      untaken.giveBack(who, holds);
      // A HEAD takes none of it.
      if (isPieces(payload)) payload.destroy();
    });
    // Node counts every byte that goes out as a sign of life.
    reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
    done(null, payload);
  });
}

/** Nobody where a route requires nobody. */
const callerOf = (request: FastifyRequest): Caller | undefined => request.caller;

/** Whose share it is. */
export const whoIs = ({ tenantId, keyId, sessionId }: Caller): Who => [
  tenantId,
  keyId ?? sessionId ?? '',
];

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  if (Buffer.isBuffer(payload)) return payload.length;
  return isPieces(payload) ? payload.holds : 0;
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

/** By hand, whatever the handler still waits for: what it answers later nobody gets. */
function answerAtLast(
  request: FastifyRequest,
  reply: FastifyReply,
  afterMs: number,
  problem: () => HttpError,
): void {
  const timer = setTimeout(() => {
    if (reply.sent || reply.raw.headersSent) return;
    reply.hijack();
    sendRaw(reply.raw, problem(), request.log, reply.getHeaders() as Record<string, string>);
  }, afterMs);
  onceOver(reply, () => clearTimeout(timer));
}

/** Sent to the end or cut off, whichever comes first. */
function onceOver({ raw }: FastifyReply, then: () => void): void {
  let isOver = false;
  const over = () => {
    if (!isOver) then();
    isOver = true;
  };
  raw.once('finish', over).once('close', over);
}

/**
 * Who has closed their half of the connection may have left or may still wait, which only shows
 * once something is sent to them. So they are sent what HTTP has for that.
 */
function whileWaitedFor(
  request: FastifyRequest,
  reply: FastifyReply,
  answerMs: number,
): AbortSignal {
  const left = new AbortController();
  const { socket } = request.raw;
  let probing: NodeJS.Timeout | undefined;
  const probe = () => {
    if (request.raw.httpVersion !== '1.0' && !reply.raw.headersSent) reply.raw.writeProcessing();
  };
  const halfClosed = () => {
    probe();
    probing = setInterval(probe, PROBE_MS);
  };
  socket.once('end', halfClosed);
  const late = setTimeout(() => {
    // How long the rest takes is up to the reader.
    if (!reply.raw.headersSent) left.abort(problems.tookTooLong(seconds(answerMs)));
  }, answerMs);
  onceOver(reply, () => {
    socket.off('end', halfClosed);
    clearInterval(probing);
    clearTimeout(late);
    left.abort(problems.nobodyWaits());
  });
  return left.signal;
}
