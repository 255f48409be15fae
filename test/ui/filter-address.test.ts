import fc from 'fast-check';
// Declares the rune that the router is made with.
import type {} from 'svelte';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { viewOf, WIDE } from '../../ui/src/pages/alerts/filter.ts';
import { EMPTY, filterOf as eventsOf, SPANS } from '../../ui/src/pages/events/filter.ts';
import { FILTERS, filterOf as rulesOf } from '../../ui/src/pages/rules/list.ts';
import {
  ALL_FLAGS,
  filterOf as objectsOf,
  FLAGS,
  NOTHING,
} from '../../ui/src/pages/tag-manager/container/list.ts';

type Router = (typeof import('../../ui/src/lib/router.svelte.ts'))['router'];
type Changes = Parameters<Router['setQuery']>[0];

let router: Router;

// Where a window stands, as far as the address of it goes; the rest of a browser has no part in it.
beforeAll(async () => {
  vi.stubGlobal('$state', { raw: (value: unknown) => value });
  vi.stubGlobal('location', new URL('http://localhost/'));
  vi.stubGlobal('history', { replaceState: () => undefined, pushState: () => undefined });
  vi.stubGlobal('document', { addEventListener: () => undefined });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('scrollTo', () => undefined);
  ({ router } = await import('../../ui/src/lib/router.svelte.ts'));
});
beforeEach(() => router.go('/somewhere?event=1'));
afterAll(() => vi.unstubAllGlobals());

/** What the address says to whom a link of it was sent. */
const read = () => new URL(router.here, 'http://elsewhere.example').searchParams;

/** Nothing that was looked at before may be left once something else is. */
function comesBack<Filter>(
  filter: fc.Arbitrary<Filter>,
  write: (filter: Filter) => Changes,
  readBack: (query: URLSearchParams) => Filter,
): void {
  fc.assert(
    fc.property(fc.array(filter, { minLength: 1, maxLength: 3 }), (filters) => {
      for (const one of filters) {
        router.setQuery(write(one));
        expect(readBack(read())).toEqual(one);
      }
    }),
    { numRuns: 300 },
  );
}

// A field that people type into holds no half of a character.
const text = fc.string({ unit: 'binary', maxLength: 20 });
const iso = fc
  .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const perhaps = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const filled = text.filter((one) => one !== '');

describe('what is looked for comes back from the address as it was', () => {
  it('on the page of events', () => {
    const filter = fc.record({
      ...{ event_type: text, source: text, text, missing: text },
      range: fc.constantFrom('', ...Object.keys(SPANS)),
      since: fc.oneof(fc.constant(''), iso),
      until: fc.oneof(fc.constant(''), iso),
    });
    comesBack(filter, (one) => ({ ...one }), eventsOf);
    router.setQuery({ ...EMPTY });
    expect(router.here).toBe('/somewhere?event=1');
  });

  it('on the page of alerts', () => {
    const view = fc.record({
      by: fc.constantFrom('rule' as const, 'alert' as const),
      range: fc.constantFrom('1h' as const, '24h' as const, '7d' as const, '30d' as const),
      filter: fc.record({
        status: fc.constantFrom(
          ...(['open', 'acknowledged', 'resolved', 'all'] as const satisfies string[]),
        ),
        severity: perhaps(
          fc.constantFrom('critical' as const, 'warning' as const, 'info' as const),
        ),
        rule_type: perhaps(
          fc.constantFrom('threshold' as const, 'missing_field' as const, 'volume' as const),
        ),
        ...{ source: perhaps(filled), tag: perhaps(filled), category: perhaps(filled) },
        ...{ rule_id: perhaps(fc.uuid()), since: perhaps(iso), until: perhaps(iso) },
      }),
    });
    const write = ({ by, range, filter }: ReturnType<typeof viewOf>) => ({
      ...{ view: by === 'alert' ? 'single' : null, range: range === '7d' ? null : range },
      ...filter,
    });
    comesBack(view, write, viewOf);
    router.setQuery(WIDE);
    const { status } = viewOf(read()).filter;
    expect(viewOf(read()).filter).toEqual({ ...viewOf(new URLSearchParams()).filter, status });
  });

  it('on the page of rules', () => {
    const filter = fc.record({
      text,
      type: text,
      severity: text,
      state: text,
      tag: text,
      category: text,
    });
    comesBack(filter, (one) => ({ ...one }), rulesOf);
    router.setQuery(Object.fromEntries(FILTERS.map((name) => [name, ''])));
    expect(router.here).toBe('/somewhere?event=1');
  });

  it('on the page of the container', () => {
    const filter = fc
      .record({
        kind: fc.constantFrom(
          'tag' as const,
          'trigger' as const,
          'variable' as const,
          'template' as const,
        ),
        ...{ text, trigger: text, flags: fc.subarray(ALL_FLAGS) },
        order: fc.constantFrom('name' as const, 'type' as const, 'use' as const),
        isReversed: fc.boolean(),
      })
      // Of other kinds, the page offers neither triggers nor what is said of tags alone.
      .map(({ kind, trigger, flags, ...rest }) => ({
        ...{ ...rest, kind, trigger: kind === 'tag' ? trigger : '' },
        flags: flags.filter((flag) => FLAGS[flag].of.includes(kind)),
      }));
    const write = ({
      kind,
      text,
      trigger,
      flags,
      order,
      isReversed,
    }: ReturnType<typeof objectsOf>) => ({
      ...NOTHING,
      ...{ list: kind === 'tag' ? '' : kind, text, trigger },
      ...Object.fromEntries(flags.map((flag) => [flag, '1'])),
      sort: order === 'name' && !isReversed ? '' : `${isReversed ? '-' : ''}${order}`,
    });
    comesBack(filter, write, objectsOf);
  });
});
