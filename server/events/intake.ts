import { isUtf8 } from 'node:buffer';
import { MAX_EVENTS } from '../platform/bounds.ts';
import type { Clock } from '../platform/clock.ts';
import { problems } from '../platform/errors.ts';
import type { HttpError } from '../platform/errors.ts';
import { explainBatch, explainPixel } from './explain.ts';
import type { IdStems } from './ids.ts';
import type { Journal } from './journal.ts';
import { batchLine, pixelLine, refusalLine } from './lines.ts';
import type { Head } from './lines.ts';
import type { Scan, Sealed } from './scan.ts';
import { scanBatch, scanPixel } from './shapes.ts';

/** Takes events in: judged, then on disk, and only then answered. */
export function createIntake(parts: {
  journal: Pick<Journal, 'append'>;
  stems: IdStems;
  clock: Clock;
}) {
  const { journal, stems, clock } = parts;

  const head = (tenantId: string): Head => {
    const at = clock.now();
    return { stem: stems(at), tenantId, at };
  };

  let refusals = 0;

  return {
    refusals: () => refusals,

    async batch(tenantId: string, text: Sealed): Promise<number> {
      const scan = judged(scanBatch(text), text, explainBatch);
      if (scan.elements > MAX_EVENTS) throw problems.tooLarge('The batch', `${MAX_EVENTS} events`);
      if (scan.elements > 0) await journal.append(batchLine(head(tenantId), text, scan));
      return scan.elements;
    },

    /** Throws what is wrong at once. */
    pixel(tenantId: string, text: Sealed): Promise<void> {
      const scan = judged(scanPixel(text), text, explainPixel);
      if (scan.elements === 0) return Promise.resolve();
      return journal.append(pixelLine(head(tenantId), text, scan));
    },

    /** Keeps a note of what was refused. A full or closing journal may lose it. */
    async refused(
      tenantId: string,
      endpoint: 'events' | 'collect',
      why: HttpError,
      payload: Buffer,
    ): Promise<void> {
      const line = refusalLine(head(tenantId), endpoint, why, payload);
      refusals++;
      await journal.append(line).catch(() => undefined);
    },
  };
}

export type Intake = ReturnType<typeof createIntake>;

function judged(
  result: ReturnType<typeof scanBatch>,
  { bytes, length }: Sealed,
  explain: typeof explainBatch,
): Scan {
  const text = bytes.subarray(0, length);
  if (!isUtf8(text)) throw problems.notJson('it is not UTF-8');
  if ('flaw' in result) throw explain(text, result);
  return result;
}

/** Seals text for a scan; see `Sealed`. */
export function sealed(text: Buffer | string): Sealed {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(length + 1);
  if (typeof text === 'string') bytes.write(text);
  else text.copy(bytes);
  bytes[length] = 0;
  return { bytes, length };
}
