import type { FaultCode, FaultView } from './connection/schema.ts';

/** What the tag manager or the identity provider refused, or could not be asked. */
export class TagManagerFault extends Error {
  readonly code: FaultCode;
  /** What to do about it. */
  readonly next: string;
  /** How long to wait before it makes sense to ask again. */
  readonly waitSeconds: number;

  constructor(code: FaultCode, what: string, next: string, waitSeconds = 0) {
    super(what);
    this.code = code;
    this.next = next;
    this.waitSeconds = waitSeconds;
  }

  view(now: number): FaultView {
    const { code, message: what, next } = this;
    return { code, what, next, at: new Date(now).toISOString() };
  }
}
