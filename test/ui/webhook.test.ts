import { describe, expect, it } from 'vitest';
import { headerFaults } from '../../ui/src/pages/settings/webhook/webhook.ts';

describe('the headers of a webhook', () => {
  const header = (name: string, value: string | null = 'x', isStored = false) => ({
    ...{ name, value, isStored },
  });

  it('need a name where they have a value, typed or stored', () => {
    expect(
      headerFaults([header(' '), header('', null, true), header('', ''), header('A')]),
    ).toEqual([...['needs a name', 'needs a name', undefined, undefined]]);
  });

  it('are there once, however their names are written', () => {
    expect(headerFaults([header('X-Team'), header('Other'), header('x-team ')])).toEqual([
      ...[undefined, undefined, 'is there twice'],
    ]);
  });
});
