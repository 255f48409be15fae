import type { ServerResponse } from 'node:http';
import { MAX_BEHIND_BYTES, MAX_STREAMS } from '../platform/bounds.ts';
import { problems } from '../platform/errors.ts';
import { createShares } from '../platform/shares.ts';
import type { Who } from '../platform/shares.ts';
import type { Tail, Watcher } from './tail.ts';

const HEARTBEAT_MS = 15_000;

/** Live tails as server-sent events. */
export function createStreams(tail: Tail) {
  const open = new Set<() => void>();
  const places = createShares(MAX_STREAMS);

  return {
    count: () => open.size,

    /** A place for one of these; must come right before its start. */
    admit(who: Who): void {
      if (!places.take(who, 1)) throw problems.tooManyStreams(MAX_STREAMS);
    },

    /** `stillAllowed` is asked with every heartbeat and event: keys end, streams do not. */
    async start(
      response: ServerResponse,
      { who, ...watcher }: Pick<Watcher, 'tenantId' | 'filter'> & { who: Who },
      lastEventId: string | undefined,
      stillAllowed: () => boolean,
    ): Promise<void> {
      const write = (text: string) => {
        if (response.writableLength + text.length > MAX_BEHIND_BYTES) response.destroy();
        else if (response.writable) response.write(text);
      };
      response.write('retry: 2000\n\n');
      const end = () => {
        response.end();
      };
      const mayWatch = () => {
        const allowed = stillAllowed();
        if (!allowed) end();
        return allowed;
      };
      const heartbeat = setInterval(() => mayWatch() && write(': \n\n'), HEARTBEAT_MS);
      open.add(end);
      // Who watches says nothing more, but neither closes their half before they leave.
      response.socket?.once('end', end);
      const watching = tail.watch(
        {
          ...watcher,
          mayWatch,
          event: (id, record) => write(`id: ${id}\nevent: event\ndata: ${record}\n\n`),
          missed: (count) => write(`event: missed\ndata: {"count":${count}}\n\n`),
        },
        lastEventId,
      );
      response.once('close', () => {
        clearInterval(heartbeat);
        open.delete(end);
        places.giveBack(who, 1);
        watching.then(
          (stop) => stop(),
          () => undefined,
        );
      });
      await watching.catch(end);
    },

    close(): void {
      for (const end of open) end();
    },
  };
}

export type Streams = ReturnType<typeof createStreams>;
