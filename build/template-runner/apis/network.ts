import type { Apis, FunctionApi } from './api.ts';

/** Nothing leaves the machine: it is taken to have arrived, and the word of that comes later. */
const request = (permission: string): FunctionApi => ({
  needs: permission,
  asks: (url) => [[permission, url]],
  run: (world, _url, onSuccess) => {
    world.later(onSuccess);
  },
});

export const network: Apis = {
  injectHiddenIframe: request('inject_hidden_iframe'),
  injectScript: request('inject_script'),
  sendPixel: request('send_pixel'),
};
