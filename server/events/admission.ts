import type { IncomingMessage } from 'node:http';
import { mayDo } from '../http/identity.ts';
import type { Caller, Identity } from '../http/identity.ts';
import { visitorKey } from '../http/limits.ts';
import type { Limiter } from '../http/limits.ts';
import type { Clock } from '../platform/clock.ts';
import { HttpError, problems } from '../platform/errors.ts';
import type { Intake } from './intake.ts';

export type Door = 'events' | 'collect';

export interface AdmissionParts {
  identity: Identity;
  intake: Intake;
  clock: Clock;
  limits: Record<Door, Limiter>;
  rates: Record<Door, () => number>;
}

/** Who may come in by the two doors for events, and how often. */
export function createAdmission({ identity, intake, clock, limits, rates }: AdmissionParts) {
  return {
    /** The caller behind a key, within its rate; anyone else gets the problem thrown. */
    admit(door: Door, secret: string | undefined, request: IncomingMessage): Caller {
      const now = clock.now();
      const caller = secret ? identity.byKey(secret, now) : undefined;
      if (caller?.keyId === undefined) {
        const missing = door === 'events' ? problems.noKey() : problems.noPixelKey();
        throw identity.refusal(request, now, secret ? problems.badKey() : missing);
      }
      const wait = limits[door].take(caller.keyId, now);
      if (wait > 0) throw problems.tooMany(rates[door](), wait);
      return caller;
    },

    /** What counts as one sender. */
    visitor: (request: IncomingMessage): string => visitorKey(identity.addressOf(request)),

    mustIngest(caller: Caller): void {
      if (!mayDo(caller.scope, 'ingest')) throw problems.insufficientScope('send events');
    },

    /** What a known key was refused is kept, so that its owner can see and mend it. */
    async keepRefused(
      door: Door,
      caller: Caller | undefined,
      error: unknown,
      payload: () => Buffer,
    ): Promise<void> {
      if (!caller || !(error instanceof HttpError) || ![400, 403, 422].includes(error.status))
        return;
      await intake.refused(caller.tenantId, door, error, payload());
    },
  };
}

export type Admission = ReturnType<typeof createAdmission>;
