import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BEFORE_ALL, Stream } from '../../ui/src/lib/stream.ts';

/** As the browser's own, with the other end in the test's hands. */
class FakeSource extends EventTarget {
  static CLOSED = 2;
  static made: FakeSource[] = [];
  readyState = 0;
  onopen: (() => void) | undefined;
  onerror: (() => void) | undefined;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.made.push(this);
  }
  close() {
    this.readyState = FakeSource.CLOSED;
  }
  refuse() {
    this.readyState = FakeSource.CLOSED;
    this.onerror?.();
  }
  say(type: string, data: object, lastEventId = '') {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data), lastEventId }));
  }
}

const newest = () => FakeSource.made.at(-1) ?? expect.fail('nothing was opened');
const listening = () =>
  FakeSource.made.filter(({ readyState }) => readyState !== FakeSource.CLOSED).length;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeSource);
  FakeSource.made = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function stream(onrefused = () => {}) {
  const heard: string[] = [];
  const made = new Stream(
    (from) => `/stream?from=${from}`,
    BEFORE_ALL,
    {
      opened: () => heard.push('opened'),
      lost: () => heard.push('lost'),
      event: (_record, id) => heard.push(id),
      missed: (count, late) => heard.push(`missed ${count}${late ? ' late' : ''}`),
    },
    onrefused,
  );
  return { made, heard };
}

describe('a stream of events', () => {
  it('holds no connection while it is closed, and then goes on where it was', () => {
    const { made, heard } = stream();
    made.open();
    expect(newest().url).toBe(`/stream?from=${BEFORE_ALL}`);
    newest().onopen?.();
    newest().say('event', {}, 'a');
    made.close();
    expect(listening()).toBe(0);
    made.open();
    made.open();
    expect(listening()).toBe(1);
    expect(newest().url).toContain('from=a');
    newest().onopen?.();
    newest().say('missed', { count: 7 });
    newest().say('event', {}, 'b');
    newest().say('missed', { count: 8 });
    expect(heard).toEqual(['opened', 'a', 'opened', 'missed 7 late', 'b', 'missed 8']);
  });

  it('asks again after growing pauses where it is refused, and from the start once let in', () => {
    const { made } = stream();
    made.open();
    const tries = () => {
      const before = FakeSource.made.length;
      for (let second = 0; second < 120; second++) {
        if (newest().readyState !== FakeSource.CLOSED) newest().refuse();
        vi.advanceTimersByTime(1_000);
      }
      return FakeSource.made.length - before;
    };
    expect(tries()).toBeLessThan(9);
    vi.advanceTimersByTime(30_000);
    newest().onopen?.();
    newest().refuse();
    vi.advanceTimersByTime(2_000);
    expect(listening()).toBe(1);
  });

  it('asks no more once it is closed, by the refusal itself or while it waits', () => {
    const { made } = stream(() => made.close());
    made.open();
    newest().refuse();
    vi.advanceTimersByTime(60_000);
    expect(FakeSource.made).toHaveLength(1);
    const patient = stream().made;
    patient.open();
    newest().refuse();
    patient.close();
    vi.advanceTimersByTime(60_000);
    expect(FakeSource.made).toHaveLength(2);
  });

  it('leaves it to the browser to come back where it was only cut off', () => {
    const { made, heard } = stream();
    made.open();
    newest().onopen?.();
    newest().onerror?.();
    vi.advanceTimersByTime(60_000);
    expect(FakeSource.made).toHaveLength(1);
    expect(heard).toEqual(['opened', 'lost']);
  });
});
