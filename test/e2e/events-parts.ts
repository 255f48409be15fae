import { expect } from 'vitest';
import { signedIn } from '../helpers/browser.ts';
import type { Visit } from '../helpers/browser.ts';
import { freshTenant } from '../helpers/tenant.ts';

/** A window at a tenant to which this has been sent before; nothing in it may go wrong. */
export async function open(path: string, ...sent: (object[] | string)[]) {
  const appliance = await freshTenant();
  for (const body of sent) await appliance.post(body);
  const window = await signedIn(appliance, path);
  return {
    ...window,
    appliance,
    async [Symbol.asyncDispose]() {
      await window[Symbol.asyncDispose]();
      expect(window.faults).toEqual([]);
    },
  };
}

export const purchase = (data: object = { value: 1 }) => ({
  source: 'shop',
  event_type: 'purchase',
  data,
});

export const rows = (page: Visit['page']) =>
  page.getByRole('list', { name: 'Events, newest first' }).getByRole('link');
