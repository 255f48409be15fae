import { describe, expect, it } from 'vitest';
import { headlineOf } from '../../ui/src/pages/tag-manager/status/headline.ts';
import { progressWords, seconds } from '../../ui/src/pages/tag-manager/parts/progress.ts';
import { isOwnDoing, waysOf } from '../../ui/src/pages/tag-manager/status/ways.ts';
import { faultCodes } from '../../server/tagmanager/connection/schema.ts';
import type { FaultCode } from '../../server/tagmanager/connection/schema.ts';
import {
  connections,
  fault,
  job,
  verificationOf,
  verifications,
} from '../helpers/tag-manager-views.ts';

const LACKS = ['template', 'tag', 'events'] as const;

/** Every way in which the three checks can come out. */
const outcomes = Array.from({ length: 8 }, (_, bits) =>
  LACKS.filter((_, i) => (bits & (1 << i)) !== 0),
);

describe('the sentence', () => {
  it.each(outcomes.map((lacks) => [lacks]))('is one of its own where %j is lacking', (lacks) => {
    const verification = verificationOf(Object.fromEntries(lacks.map((name) => [name, {}])));
    const { mark, sentence, more } = headlineOf(connections.chosen, verification);
    expect(mark).toBe(lacks.length === 0 ? 'healthy' : 'warning');
    expect(sentence).toContain('GTM-SHOP123');
    if (lacks.length > 0) expect(more).toMatch(new RegExp(`^${3 - lacks.length} of 3 checks hold`));
  });

  it('is another one for each way', () => {
    const sentences = outcomes.map((lacks) => {
      const verification = verificationOf(Object.fromEntries(lacks.map((name) => [name, {}])));
      return headlineOf(connections.chosen, verification).sentence;
    });
    expect(new Set(sentences).size).toBe(outcomes.length);
  });

  it('speaks of the connection before it speaks of the container', () => {
    const sentenceOf = (name: keyof typeof connections) =>
      headlineOf(connections[name], verifications.notConnected).sentence;
    expect(sentenceOf('none')).toBe('The tag manager is not connected.');
    expect(sentenceOf('waiting')).toBe('Waiting for your consent at Google.');
    expect(sentenceOf('choosing')).toMatch(/^Choose the container/);
    expect(headlineOf(connections.none, verificationOf()).sentence).toMatch(/^Events arrive/);
  });

  it('says that what is shown is old where the container can no longer be read', () => {
    const problem = fault('grant_ended', 'It ended.', 'Connect again.');
    const told = headlineOf({ ...connections.chosen, problem }, verifications.complete);
    expect(told).toMatchObject({ mark: 'warning', sentence: 'GTM-SHOP123 can no longer be read.' });
  });

  it('is of the checks where only editing was not granted', () => {
    const problem = fault('missing_scope', 'It may only read.', 'Connect again.');
    const view = { ...connections.chosen, may_edit: false, problem };
    expect(headlineOf(view, verifications.complete).mark).toBe('healthy');
    expect(headlineOf({ ...view, may_edit: true }, verifications.complete).mark).toBe('warning');
  });

  it('names the step that is left though all holds', () => {
    const next = 'Publish the workspace in the tag manager.';
    const verification = verificationOf({ tag: { holds: true, next, action: 'publish' } });
    expect(headlineOf(connections.chosen, verification)).toMatchObject({
      mark: 'healthy',
      more: next,
    });
  });
});

describe('the way on', () => {
  it('is there for every fault of a connection that has its container', () => {
    for (const code of faultCodes) {
      if (code === 'nothing_chosen') continue;
      expect(waysOf(code, connections.chosen), code).not.toEqual([]);
    }
  });

  it('begins with what is the likeliest to help', () => {
    const first = (...codes: FaultCode[]) =>
      codes.map((code) => waysOf(code, connections.chosen)[0]);
    expect(first('grant_ended', 'missing_scope', 'wrong_account')).toEqual(
      Array(3).fill('connect'),
    );
    expect(
      first('no_permission', 'tokens_unreadable', 'quota_day', 'unreachable', 'not_found'),
    ).toEqual(Array(5).fill('snapshot'));
    expect(first('stopped', 'workspace_gone', 'wrong_client', 'api_disabled')).toEqual([
      ...['snapshot', 'choose', 'client', 'api'],
    ]);
  });

  it('offers nothing that cannot be done yet', () => {
    for (const code of faultCodes) {
      const ways = waysOf(code, connections.none);
      for (const way of ['connect', 'snapshot', 'choose']) expect(ways, code).not.toContain(way);
      expect(waysOf(code, { ...connections.chosen, job: job() })).not.toContain('snapshot');
      expect(waysOf(code, connections.waiting)).not.toContain('connect');
    }
  });

  it('is no trouble where somebody stopped it themselves', () => {
    expect(isOwnDoing('stopped')).toBe(true);
    expect(isOwnDoing('grant_ended')).toBe(false);
  });
});

describe('progress in words', () => {
  it('says what was asked, what it waits for and how long it takes', () => {
    expect(progressWords(job())).toBe(
      '18 of about 30 requests · waits 40 s for the quota of the tag manager · about 1 min 35 s left',
    );
    expect(progressWords(job({ expected: null, waiting_seconds: 0, left_seconds: null }))).toBe(
      '18 requests',
    );
  });

  it('never expects fewer requests than were made', () => {
    const words = progressWords(job({ requests: 31, expected: 30, waiting_seconds: 0 }));
    expect(words).toMatch(/^31 of about 31 requests/);
  });

  it('counts seconds up to a minute, and minutes with the rest', () => {
    expect([0, 0.4, 59, 60, 61, 125].map(seconds)).toEqual([
      ...['0 s', '0 s', '59 s', '1 min', '1 min 1 s', '2 min 5 s'],
    ]);
  });
});
