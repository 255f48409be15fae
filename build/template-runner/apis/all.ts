import type { Apis } from './api.ts';
import { consent } from './consent.ts';
import { container } from './container.ts';
import { network } from './network.ts';
import { page } from './page.ts';
import { storage } from './storage.ts';
import { values } from './values.ts';
import { window } from './window.ts';

/** All that a web template can `require`, by name. */
export const APIS: Apis = {
  ...consent,
  ...container,
  ...network,
  ...page,
  ...storage,
  ...values,
  ...window,
};
