import type { KeyStoreAtHand } from './sealed-key.ts';

export type Until = <T>(answer: T | Promise<T>) => Promise<T>;

/** Waits for an answer, but for none that comes after the signal. */
export function untilAborted(signal: AbortSignal): Until {
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => undefined);
  const leave = () => gone.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  return (answer) => Promise.race([answer, gone.promise]);
}

/** The same key store, of which nobody waits for an answer longer than that. */
export function patient(keyStore: KeyStoreAtHand, until: Until): KeyStoreAtHand {
  if (keyStore === undefined || keyStore === 'none') return keyStore;
  return {
    seal: (key) => until(keyStore.seal(key)),
    open: (sealed) => until(keyStore.open(sealed)),
  };
}

/** Fails as the work does, if that is in time. */
export async function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
