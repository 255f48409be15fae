import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Page } from 'playwright-core';

type Pushed = Record<string, unknown>;

interface Container {
  /** The template's code. */
  code: string;
  /** The fields of its tag. */
  fields: Record<string, unknown>;
}

/** What the page keeps of what its tag manager did. */
declare global {
  interface Window {
    dataLayer: Pushed[];
    /** How the tag ended for each event that it fired on. */
    fired: Promise<{ event: unknown; outcome: 'success' | 'failure' }>[];
    startContainer: (container: Container) => void;
  }
}

/** A site of its own, at another origin than the appliance. */
export async function openShop(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1></html>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens a page of the site, where a tag manager can be started. */
export async function openShopPage(page: Page, url: string): Promise<void> {
  await page.addInitScript(installTagManager);
  await page.goto(url);
}

/** Starts the container, in which one tag fires on every event, past and to come. */
export async function startContainer(page: Page, container: Container): Promise<void> {
  await page.evaluate((given) => window.startContainer(given), container);
}

/** How the tag ended for all events so far. */
export async function outcomes(page: Page) {
  return page.evaluate(() => Promise.all(window.fired));
}

/**
 * Runs in the page: a tag manager with one tag, its sandbox's functions on the real `window` and
 * `dataLayer`. It is handed over as text, so all that it uses stands inside.
 */
function installTagManager(): void {
  window.dataLayer = [];
  window.fired = [];
  /** All that was pushed so far, one over the other. */
  const model: Pushed = {};
  let lastId = 0;

  const isArguments = (value: unknown): boolean =>
    Object.prototype.toString.call(value) === '[object Arguments]';

  // The tag manager takes the arguments of a function for no plain object.
  const isPlain = (value: unknown): value is Pushed =>
    typeof value === 'object' &&
    value !== null &&
    !isArguments(value) &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

  function merge(into: Pushed, from: Pushed): void {
    for (const [key, value] of Object.entries(from)) {
      const known = into[key];
      // Whoever pushes a circle finds it in the model as well, and no end of it here.
      if (isPlain(value) && isPlain(known) && value !== known) into[key] = { ...known, ...value };
      else into[key] = value;
    }
  }

  /** What the sandbox can hold is copied, circles as circles; the rest is not there. */
  function copy(value: unknown, known = new Map<unknown, unknown>()): unknown {
    if (typeof value === 'function') return undefined;
    if (typeof value !== 'object' || value === null) return value;
    if (known.has(value)) return known.get(value);
    const made: unknown[] | Pushed | undefined = Array.isArray(value)
      ? []
      : isPlain(value)
        ? {}
        : undefined;
    if (made === undefined) return undefined;
    known.set(value, made);
    for (const [key, inner] of Object.entries(value)) {
      Reflect.set(made, key, copy(inner, known));
    }
    return made;
  }

  function orNothing<T>(make: () => T): T | undefined {
    try {
      return make();
    } catch {
      return undefined;
    }
  }

  const typeOf = (value: unknown) =>
    value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

  const apis: Record<string, unknown> = {
    JSON: {
      parse: (text: string) => orNothing(() => JSON.parse(text) as unknown),
      stringify: (value: unknown) => orNothing(() => JSON.stringify(value)),
    },
    Object: { keys: Object.keys, values: Object.values },
    copyFromDataLayer: (key: string) => copy(model[key]),
    copyFromWindow: (key: string) => copy(Reflect.get(window, key)),
    encodeUriComponent: (text: string) => orNothing(() => encodeURIComponent(text)),
    getContainerVersion: () => ({
      ...{ containerId: 'GTM-SHOP1', version: '7', environmentName: 'Live' },
      ...{ environmentMode: false, debugMode: false, previewMode: false },
    }),
    getTimestampMillis: () => Date.now(),
    getType: typeOf,
    getUrl: () => location.href,
    // eslint-disable-next-line no-console
    logToConsole: (...words: unknown[]) => console.log(...words),
    makeString: (value: unknown) => String(value),
    sendPixel: (url: string, onSuccess: () => void, onFailure: () => void) => {
      const image = new Image();
      image.onload = onSuccess;
      image.onerror = onFailure;
      image.src = url;
    },
  };
  const require = (name: string) => {
    if (!(name in apis)) throw new Error(`There is no API ${name}`);
    return apis[name];
  };

  window.startContainer = ({ code, fields }) => {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval
    const run = new Function('require', 'data', `'use strict';${code}`) as (
      ...given: unknown[]
    ) => void;
    /** What gtag() pushes are its arguments, which become a message of their own. */
    const messageOf = (entry: Pushed): Pushed => {
      if (!isArguments(entry)) return entry;
      return entry[0] === 'event' ? { event: entry[1], eventModel: entry[2] } : {};
    };
    const take = (entry: Pushed) => {
      const message = messageOf(entry);
      if ('event' in message) {
        entry['gtm.uniqueEventId'] = ++lastId;
        message['gtm.uniqueEventId'] = lastId;
      }
      delete model['eventModel'];
      merge(model, message);
      if (!('event' in message)) return;
      const { event } = message;
      window.fired.push(
        new Promise((resolve) => {
          const end = (outcome: 'success' | 'failure') => () => resolve({ event, outcome });
          run(require, { ...fields, gtmOnSuccess: end('success'), gtmOnFailure: end('failure') });
        }),
      );
    };
    window.dataLayer.forEach(take);
    window.dataLayer.push = (...entries) => {
      Array.prototype.push.apply(window.dataLayer, entries);
      entries.forEach(take);
      return window.dataLayer.length;
    };
  };
}
