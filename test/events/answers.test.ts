import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, NOON, openAnswers, SECOND } from './answers-parts.ts';

describe('a window', () => {
  const aroundEdges = (edge: number) => [edge - 1, edge, edge + 1].map((at) => ({ at }));

  it.each([
    ['of whole minutes', NOON, NOON + 15 * MINUTE],
    ['that starts within a minute', NOON + 20_500, NOON + 15 * MINUTE],
    ['that ends within a minute', NOON, NOON + 15 * MINUTE + 7],
    ['within one minute', NOON + 10 * SECOND, NOON + 40 * SECOND],
    ['that begins with its minute', NOON, NOON + 1500],
    ['that ends with its minute', NOON + 1500, NOON + MINUTE],
    ['of three milliseconds across minutes', NOON - 1, NOON + 2],
    ['of two milliseconds', NOON + 999, NOON + 1001],
  ])('%s has its first moment and not its last', async (_, from, to) => {
    const { receive, ask } = await openAnswers();
    const events = [...aroundEdges(from), ...aroundEdges(to)];
    await receive(events);
    const within = events.filter(({ at }) => at >= from && at < to).length;
    const path = 'nothing';
    expect(await ask({ from, to }, { from, to, measure: { of: 'lacking', path } })).toEqual([
      within,
      within,
    ]);
  });

  it('without length has nothing in it', async () => {
    const { receive, ask } = await openAnswers();
    await receive([{ at: NOON, data: '{"v":1}' }]);
    for (const at of [NOON, NOON + 1]) {
      const nothing = { from: at, to: at };
      expect(await ask(nothing)).toEqual([0]);
      expect(await ask({ ...nothing, measure: { of: 'sum', path: 'v' } })).toEqual([null]);
      expect(await ask({ ...nothing, measure: { of: 'unique', path: 'v' } })).toEqual([0]);
    }
  });
});

describe('many windows at once', () => {
  const minutes = Array.from({ length: 300 }, (_, minute) => NOON + minute * MINUTE);
  const events = minutes.flatMap((minute, i) => [
    { at: minute + 1, source: i % 2 ? 'web' : 'shop' },
    { at: minute + 30_000, source: 'shop' },
  ]);

  it('that cut more minutes than are looked at one by one are counted alike', async () => {
    const { receive, ask } = await openAnswers();
    await receive(events);
    // Three cuts in each minute make four pieces of it: 1,200 in all.
    const cuts = minutes.flatMap((minute) =>
      [1, 2, 30_001].map((ms) => ({ from: NOON, to: minute + ms })),
    );
    const half = cuts.map((window, i) => (i % 2 ? { ...window, source: 'web' } : window));
    const expected = half.map(
      (window) =>
        events.filter(
          ({ at, source }) => at < window.to && (!('source' in window) || source === window.source),
        ).length,
    );
    expect(await ask(...half)).toEqual(expected);
    expect(await ask(...half.slice(0, 3))).toEqual(expected.slice(0, 3));
  });

  it('have their first moment and not their last, with gaps between them', async () => {
    const { receive, ask } = await openAnswers();
    const all = Array.from({ length: 401 }, (_, minute) => NOON + minute * MINUTE);
    await receive(all.flatMap((minute) => [0, 1, 4, 5].map((ms) => ({ at: minute + ms }))));
    const windows = all.map((minute) => ({ from: minute + 1, to: minute + 5 }));
    expect(await ask(...windows)).toEqual(windows.map(() => 2));
    expect(await ask(...windows.slice(0, 5))).toEqual([2, 2, 2, 2, 2]);
  });

  it('count what only the kept counts still know, also when many minutes are cut', async () => {
    const { forget, receive, ask } = await openAnswers();
    await receive([{ at: NOON - 5 * DAY }, { at: NOON }]);
    await forget(NOON - DAY, NOON - 400 * DAY);
    const whole = { from: NOON - 6 * DAY, to: NOON - 4 * DAY };
    expect(await ask(whole)).toEqual([1]);
    const cuts = Array.from({ length: 401 }, (_, i) => ({
      from: NOON + i * MINUTE + 1,
      to: NOON + i * MINUTE + 2,
    }));
    expect((await ask(whole, ...cuts))[0]).toBe(1);
  });
});

describe('questions', () => {
  it('about nothing at all take no answer', async () => {
    const { answer } = await openAnswers();
    expect(await answer([])).toEqual([]);
  });

  it('about no event have a count of 0 and no sum, average or extreme', async () => {
    const { ask } = await openAnswers();
    const kinds = ['unique', 'sum', 'lacking', 'avg', 'min', 'max'] as const;
    const asked = kinds.map((of) => ({ measure: { of, path: 'v' } }));
    expect(await ask({}, ...asked)).toEqual([0, 0, null, 0, null, null, null]);
  });

  it('twice the same have the same answer twice', async () => {
    const { receive, ask } = await openAnswers();
    await receive([{ at: NOON, data: '{"v":1}' }]);
    const unique = { measure: { of: 'unique', path: 'v' } as const };
    expect(await ask({}, unique, {}, unique)).toEqual([1, 1, 1, 1]);
  });

  const odd = ["it's", '"quoted"', '😀', '\ufefftype', '', ' ', 'a\nb', '%', '$1', '?', 'Ä\\u0041'];

  it('see their own event type and source, however odd, and no others', async () => {
    const { receive, ask } = await openAnswers();
    await receive(
      odd.flatMap((name) => [
        { at: NOON, event_type: name, source: name, data: '{"v":1}' },
        { at: NOON, event_type: name, source: `${name}.`, data: '{"v":2}' },
      ]),
    );
    const sum = { measure: { of: 'sum', path: 'v' } as const };
    const unique = { measure: { of: 'unique', path: 'v' } as const };
    const answers = odd.map((name) => {
      const type = { event_type: name };
      const both = { event_type: name, source: name };
      const asked = [type, both, { ...type, ...sum }, { ...both, ...sum }];
      return ask(...asked, { ...type, ...unique }, { ...both, ...unique });
    });
    const found = (await Promise.all(answers)).map((answer, i) => [odd[i], answer]);
    expect(found).toEqual(odd.map((name) => [name, [2, 1, 3, 1, 2, 1]]));
  });

  it('about a type that no event can have leave the others their answers', async () => {
    const { receive, ask } = await openAnswers();
    await receive([{ at: NOON }]);
    // Half of a pair of code units, which no JSON text in UTF-8 can hold as it is.
    expect(await ask({}, { event_type: '\ud800' })).toEqual([1, expect.any(Error)]);
  });

  it('about far and near windows are answered together', async () => {
    const { receive, ask } = await openAnswers();
    await receive([{ at: NOON - 28 * DAY }, { at: NOON - 3 * HOUR }, { at: NOON }]);
    const weeksAgo = { from: NOON - 28 * DAY - 1, to: NOON - 28 * DAY + 1 };
    expect(await ask(weeksAgo, { from: NOON - 4 * HOUR }, {})).toEqual([1, 2, 1]);
  });
});
