import { expect, it } from 'vitest';
import type { ChangeView } from '../../../server/tagmanager/changes/schema.ts';
import { chosenContainer } from './parts.ts';

it('who is to install a template that sends elsewhere is warned of it', async () => {
  const world = await chosenContainer();
  const install = (url?: string) =>
    world.tell<ChangeView[]>('POST', '/changes/install', url === undefined ? {} : { url });
  const templateIn = (changes: ChangeView[]) => changes.find(({ kind }) => kind === 'template');
  expect(templateIn(await install())?.warnings).toEqual([]);
  expect(templateIn(await install('https://other.example'))?.warnings).toEqual([
    'It sends to https://other.example, where this Vedette is not reached',
  ]);
});
