import type { IdStems } from '../../server/events/ids.ts';
import type { ShopEvent } from './shop.ts';

/** As the journal would have it; pixels and posts of one event each. */
export function journalLine(tenantId: string, stems: IdStems, event: ShopEvent): string {
  const { at, source, type: event_type, data, context } = event;
  const head = { stem: stems(at), tenant: tenantId, ms: at };
  const item = { source, event_type, data };
  return `${JSON.stringify(
    context ? { ...head, pixel: [{ ...item, context }] } : { ...head, items: [item] },
  )}\n`;
}
