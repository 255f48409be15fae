import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sealed } from '../../server/events/intake.ts';
import { eventBatch, pixelPayload } from '../../server/events/schema.ts';
import { scanBatch, scanPixel } from '../../server/events/shapes.ts';
import { rounds } from '../helpers/soak.ts';

const TIMES = rounds(1, 20);

const taken = (text: string | Buffer) => !('flaw' in scanBatch(sealed(text)));
const data = (text: string) => taken(`[{"source":"a","event_type":"b","data":{"x":${text}}}]`);

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('a scan', () => {
  it('takes the same text as JSON.parse within a payload', () => {
    const pieces = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"', '\\', '\\u', 'd83d', '\\ude00', '"a"', 'a', 'é', '😀'],
      ...['0', '-', '1', '.', 'e', 'E', '+', '1.5', 'true', 'false', 'null', 'nul'],
      ...[' ', '\n', '\t', '\r', '\f', '\u0000', '\u001f'],
    );
    const value = fc.oneof(
      fc.array(pieces, { maxLength: 8 }).map((all) => all.join('')),
      fc.json(),
      // Correct JSON with one character too many, too few or changed.
      fc.tuple(fc.json(), fc.nat(), pieces, fc.nat({ max: 1 })).map(([text, at, piece, cut]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + piece + text.slice(place + cut);
      }),
    );
    fc.assert(
      fc.property(value, (text) => {
        const well = parses(`{"x":${text}}`);
        const halves = /\\u[dD][89a-fA-F]/.test(text) || !text.isWellFormed();
        // The braces around may be closed and opened again by the text; then it is not one value.
        fc.pre(parses(text) || !well);
        if (!well) expect(data(text)).toBe(false);
        else if (!halves) expect(data(text)).toBe(true);
      }),
      { numRuns: 1500 * TIMES },
    );
  });

  it('takes just the batches that the schema takes', () => {
    const maybe = <T>(value: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 6, arbitrary: value }, fc.jsonValue());
    const item = fc.record(
      {
        source: maybe(fc.string()),
        event_type: maybe(fc.string()),
        data: maybe(fc.object()),
        more: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const batch = maybe(fc.array(maybe(item), { maxLength: 3 }));
    fc.assert(
      fc.property(batch, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(taken(text)).toBe(eventBatch.safeParse(JSON.parse(text)).success);
      }),
      { numRuns: 700 * TIMES },
    );
  });

  it('takes just the pixel payloads that the schema takes', () => {
    const maybe = <T>(value: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 8, arbitrary: value }, fc.jsonValue());
    const event = fc.record(
      {
        type: maybe(fc.string()),
        timestamp: maybe(fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double())),
        data: maybe(fc.object()),
        metadata: maybe(fc.object()),
      },
      { requiredKeys: ['type', 'data'] },
    );
    const payload = fc.record(
      {
        source: maybe(fc.string()),
        source_id: maybe(fc.string()),
        events: maybe(fc.array(event, { maxLength: 3 })),
      },
      { requiredKeys: ['source', 'events'] },
    );
    fc.assert(
      fc.property(payload, (value) => {
        const text = JSON.stringify(value);
        expect(!('flaw' in scanPixel(sealed(text)))).toBe(
          pixelPayload.safeParse(JSON.parse(text)).success,
        );
      }),
      { numRuns: 700 * TIMES },
    );
  });

  it.each([
    ['1', false],
    ['-1', false],
    ['0', false],
    ['0.5', false],
    ['123456789.123456', false],
    ['123456789012345678901234567890', false],
    ['1e5', true],
    ['1E-400', true],
    ['-0', true],
    ['0.1234567890123456', true],
    ['1234567890.123456', true],
  ])('knows whether a number may change in the database: %s', (text, exact) => {
    const scan = scanBatch(sealed(`[{"source":"a","event_type":"b","data":{"x":${text}}}]`));
    expect(scan).toMatchObject({ exact });
  });

  it('sees a key of an item twice, also when it is spelled with escapes', () => {
    for (const twice of ['"source":"c"', '"s\\u006furce":"c"']) {
      expect(scanBatch(sealed(`[{"source":"a","event_type":"b",${twice},"data":{}}]`))).toEqual({
        flaw: 'duplicate',
        element: 0,
        field: 'source',
      });
    }
    expect(taken('[{"source":"a","event_type":"b","data":{"source":1,"source":2}}]')).toBe(true);
  });

  it('takes nesting up to 1,000 levels', () => {
    expect(data('['.repeat(999) + ']'.repeat(999))).toBe(true);
    expect(data('['.repeat(1000) + ']'.repeat(1000))).toBe(false);
    expect(data('['.repeat(5_000_000))).toBe(false);
  });
});
