/**
 * Places where a crash would hurt most. A test passes a function that kills the process at one of
 * them; in the product nobody listens.
 */
export type FaultPoint =
  | 'journal-written'
  | 'flush-committed'
  | 'checkpoint-running'
  | 'checkpoint-done'
  | 'cycle-judged'
  | 'cycle-committed'
  | 'delivery-sent';

export type Faults = (point: FaultPoint) => void;

export const noFaults: Faults = () => undefined;
