import { describe, expect, test } from 'vitest';
import { describeFailure, describeStartingAnew } from '../../electron/failure.ts';
import { servePages, FAILURE, STARTING } from '../../electron/pages.ts';
import type { Failure } from '../../electron/pages.ts';
import { startProblems } from '../../server/platform/start-errors.ts';

const DIR = '/home/ana/.local/share/vedette';
const namesOf = ({ actions }: Failure) => actions.map(({ name }) => name);

describe('a start that failed', () => {
  test('for its port offers another one', () => {
    const failure = describeFailure(startProblems.portTaken('0.0.0.0', 8737), DIR);
    expect(failure.what).toContain('8737');
    expect(failure.advice).not.toContain('--port');
    expect(namesOf(failure)).toEqual(['retry', 'other-port', 'logs', 'quit']);
  });

  test.for([
    startProblems.dataDirHeld(DIR, 'process 4711'),
    startProblems.dataDirUnwritable(DIR, 'permission denied'),
    startProblems.hostUnknown('203.0.113.7'),
    startProblems.databaseNewer(`${DIR}/events.duckdb`),
    startProblems.settingsUnreadable(`${DIR}/settings.json`),
    startProblems.keyFileDamaged(`${DIR}/secret.key`),
  ])('says what and what to do: %s', (problem) => {
    const { what, advice, where } = describeFailure(problem, DIR);
    expect(problem.message).toContain(what);
    expect(advice).not.toBe('');
    // Nobody who sees a window has a command line to put an option on.
    expect(advice).not.toMatch(/--\w/);
    expect(where).toBe(['directory', 'disk'].includes(problem.code) ? null : DIR);
  });

  test('for an installation that is not whole can start anew, which is asked about first', () => {
    for (const problem of [
      startProblems.settingsMissing(DIR, '3f2a91c0'),
      startProblems.mixedInstallations(DIR, '3f2a91c0', '77aa01be'),
      startProblems.installationGone(DIR, '3 March 2026', '3f2a91c0'),
    ]) {
      const failure = describeFailure(problem, DIR);
      expect(failure.advice).not.toMatch(/--\w/);
      expect(namesOf(failure)).toEqual(['retry', 'start-anew', 'logs', 'quit']);
    }
    // Back is the one that is at hand.
    expect(namesOf(describeStartingAnew(DIR))).toEqual(['back', 'start-anew-now']);
  });

  test('that nobody foresaw is told in one line', () => {
    const { what } = describeFailure(new Error('boom\n    at x (y:1)'), DIR);
    expect(what).toContain('boom');
    expect(what).not.toContain('at x');
  });
});

describe('the own pages of the program', () => {
  async function ask(url: string, failure?: Failure) {
    let serve: ((request: Request) => Response) | undefined;
    const handle = (_scheme: string, handler: unknown) => (serve = handler as typeof serve);
    servePages({ handle }, () => failure);
    const answer = serve?.({ url } as Request);
    return { status: answer?.status, headers: answer?.headers, text: (await answer?.text()) ?? '' };
  }

  test('hold no script and may load none', async () => {
    const failure = describeFailure(new Error('boom'), DIR);
    for (const url of [STARTING, FAILURE]) {
      const { headers, text } = await ask(url, failure);
      expect(text).not.toMatch(/<script|javascript:| on\w+=/i);
      expect(headers?.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  test('show what a stranger wrote as text', async () => {
    const { text } = await ask(FAILURE, describeFailure(new Error('<img src=x>&'), '/a"><b>'));
    expect(text).toContain('&lt;img src=x&gt;&amp;');
    expect(text).not.toContain('<img');
    expect(text).not.toContain('<b>');
  });

  test('are these and no others', async () => {
    expect((await ask('vedette://other/')).status).toBe(404);
    expect((await ask(FAILURE)).status).toBe(404);
  });
});
