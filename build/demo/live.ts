import { DOMAIN, SITE } from './catalogue.ts';
import type { Filled } from './fill.ts';
import { FLAWS } from './flaws.ts';
import type { Flaw } from './flaws.ts';
import { createShop } from './shop.ts';
import type { ShopEvent } from './shop.ts';
import { MINUTE } from './story.ts';

interface LiveOptions extends Pick<Filled, 'keys' | 'story'> {
  url: string;
  seed: number;
  events: number;
}

/** The first of what is sent wrongly comes soon, so that a visitor may see it. */
const FIRST_FLAW_MS = 45_000;
const FLAW_MS = 5 * MINUTE;

/** The shop goes on: what happens in it now comes in by pixel and by POST, like anybody's. */
export function goOn({ url, keys, story, seed, events }: LiveOptions) {
  // Orders are numbered on from those of the past.
  const shop = createShop({ story, seed: seed + 1, events, firstOrder: 490_600 });
  const sending = new Set<Promise<unknown>>();
  let from = Date.now();
  const coming = shop.minute(from);
  let timer = setTimeout(next, 0);
  let flaws = 0;
  let flawTimer = setTimeout(sendFlaw, FIRST_FLAW_MS);

  function next(): void {
    const now = Date.now();
    while (coming[0] && coming[0].at <= now) sendEvent(coming.shift() as ShopEvent);
    if (now >= from + MINUTE) {
      // After sleep, the shop does not make up for it.
      from = Math.max(from + MINUTE, now - 1_000);
      coming.push(...shop.minute(from));
    }
    const at = Math.min(coming[0]?.at ?? Infinity, from + MINUTE);
    timer = setTimeout(next, Math.max(at - Date.now(), 0));
  }

  function sendEvent({ source, type, data, context }: ShopEvent): void {
    if (!context) {
      send({ door: 'events', payload: JSON.stringify([{ source, event_type: type, data }]) });
      return;
    }
    const { source_id, timestamp, metadata } = context;
    const payload = { source, source_id, events: [{ type, timestamp, data, metadata }] };
    send({ door: 'collect', payload: JSON.stringify(payload) });
  }

  function sendFlaw(): void {
    send(FLAWS[flaws++ % FLAWS.length] as Flaw);
    flawTimer = setTimeout(sendFlaw, FLAW_MS);
  }

  function send({ door, payload }: Flaw): void {
    const address = `${url}/api/v1/events`;
    const request =
      door === 'events'
        ? fetch(address, {
            method: 'POST',
            headers: { 'x-api-key': keys.full, 'content-type': 'application/json' },
            body: payload,
          })
        : fetch(`${address}/collect?k=${keys.ingest}&d=${encodeURIComponent(payload)}`, {
            headers: { referer: `${SITE}/`, origin: `https://www.${DOMAIN}` },
          });
    // One that is lost is no loss in a demonstration.
    const sent = request
      .then((response) => response.arrayBuffer())
      .catch(() => undefined)
      .finally(() => sending.delete(sent));
    sending.add(sent);
  }

  return {
    async stop(): Promise<void> {
      clearTimeout(timer);
      clearTimeout(flawTimer);
      await Promise.all(sending);
    },
  };
}
