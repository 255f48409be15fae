import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

let collect: Collect | undefined;

/** Under load the space of new objects must grow: with the MiB of the start, a pixel takes nearly twice the time. */
export function letHeapGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}

/**
 * Gives back all that the heap does not need, which stops the program for some tens of
 * milliseconds. By itself the runtime takes minutes for it.
 */
export function shrinkHeap(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
    setFlagsFromString('--no-expose-gc');
  }
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
