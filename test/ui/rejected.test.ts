import { describe, expect, it } from 'vitest';
import { hintFor, parsed } from '../../ui/src/pages/events/hints.ts';

const item = { endpoint: 'events', status: 422, detail: '', errors: [] } as const;
const hint = (changes: object) => hintFor({ ...item, ...changes });

describe('what would make a refused item right', () => {
  it('is the key’s list, for a domain that is not on it', () => {
    const { text, link } = hint({
      status: 403,
      detail: 'Domain is not allowed for this key: shop.example',
    });
    expect(text).toContain('shop.example');
    expect(link?.href).toBe('/settings/keys');
  });

  it('is another key, for one that may only read', () => {
    const { text, link } = hint({
      status: 403,
      detail: 'Insufficient permissions: this needs a key that may send events',
    });
    expect(text).toContain('ingest');
    expect(link?.href).toBe('/settings/keys');
  });

  it('names what is missing and what is of the wrong kind, and shows the right shape', () => {
    const { text, example } = hint({
      errors: [
        { path: '[0].event_type', message: 'is required' },
        { path: '[7].event_type', message: 'is required' },
        { path: '[1].data', message: 'must be an object' },
      ],
    });
    expect(text).toContain('Add event_type to each event.');
    expect(text).toContain('Mend the kind of data');
    expect(JSON.parse(example ?? '')).toMatchObject([{ event_type: 'purchase' }]);
  });

  it('is a list around a single event', () => {
    const message = 'The body must be a list of events: put a single one in [ ]';
    expect(hint({ errors: [{ path: '', message }] }).text).toContain('square brackets');
  });

  it('is a JSON library, for a body that is none', () => {
    expect(hint({ status: 400, detail: 'This is not valid JSON: x' }).text).toContain(
      'JSON.stringify',
    );
  });

  it('has the shape of the pixel, for a pixel', () => {
    const { text, example } = hint({
      endpoint: 'collect',
      status: 400,
      detail: 'Parameter d is neither URL-encoded JSON nor base64 of it',
    });
    expect(text).toContain('encodeURIComponent');
    expect(JSON.parse(example ?? '')).toMatchObject({ events: [{ type: 'purchase' }] });
  });

  it('is smaller requests, for what is too large', () => {
    expect(hint({ status: 413 }).text).toContain('50,000 events');
  });

  it('says something whatever is wrong', () => {
    for (const message of ['is given twice', 'is nested deeper than 64 levels', 'is odd']) {
      expect(hint({ errors: [{ path: '[0].data', message }] }).text).not.toBe('');
    }
    expect(hint({ status: 418 }).text).not.toBe('');
  });
});

describe('what came', () => {
  it('is read from a body, and from a parameter in either writing', () => {
    expect(parsed('events', '[{"a":1}]')).toEqual([{ a: 1 }]);
    expect(parsed('collect', encodeURIComponent('{"a":"ü"}'))).toEqual({ a: 'ü' });
    expect(parsed('collect', btoa('{"a":1}'))).toEqual({ a: 1 });
  });

  it('stays text where it is none', () => {
    expect(parsed('events', '[{"a":')).toBeUndefined();
    expect(parsed('events', '3')).toBeUndefined();
    expect(parsed('collect', '%E0%A4%A')).toBeUndefined();
  });
});
