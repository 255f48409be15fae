import { isPermitted } from '../permissions.ts';
import type { Apis } from './api.ts';

/** The tag manager itself. */
export const container: Apis = {
  addEventCallback: {
    needs: 'read_event_metadata',
    run: (world, callback) => world.later(callback, 'GTM-XXXXXXX', { tags: [] }),
  },
  callLater: { run: (world, callback) => world.later(callback) },
  getContainerVersion: {
    needs: 'read_container_data',
    run: () => ({
      containerId: 'GTM-XXXXXXX',
      debugMode: false,
      environmentMode: false,
      environmentName: '',
      previewMode: true,
      version: 'QUICK_PREVIEW',
    }),
  },
  logToConsole: {
    needs: 'logging',
    // The tag manager leaves a log out without a word when it is not permitted.
    asks: () => [],
    run: (world, ...values) => void world.logged.push(values),
  },
  queryPermission: {
    run: (world, permission, ...asked) => isPermitted(world.grants, String(permission), ...asked),
  },
};
