import { createQuery } from '@tanstack/svelte-query';
import type { TemplateView } from '$server/tagmanager/schema.ts';
import { addressesOf, addressOf } from '$lib/addresses.ts';
import type { Address } from '$lib/addresses.ts';
import { api, queryText } from '$lib/api.ts';
import { queries } from '$lib/queries.ts';
import { reads } from '$lib/reads.ts';
import { saveFile } from '$lib/save-file.ts';

const FILE_NAME = 'vedette.tpl';
const QUERY = ['tag-manager', 'template'];

/** The template as it would be handed out now: the address it sends to, and the key for its tag. */
export function useTemplate() {
  const view = createQuery(() => ({
    queryKey: QUERY,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      api.get<TemplateView>('/tag-manager/template', {}, signal),
    refetchInterval: 15_000,
  }));
  const about = createQuery(() => reads.about());
  const usual = $derived(view.data && addressOf(view.data.url));
  const addresses = $derived(withUsual(addressesOf(location.origin, about.data), usual));
  let chosenUrl = $state('');
  const address = $derived(addresses.find(({ url }) => url === chosenUrl) ?? usual);

  return {
    get view() {
      return view;
    },
    get key() {
      return view.data?.key ?? undefined;
    },
    get addresses() {
      return addresses;
    },
    /** Nothing before it is known. */
    get address() {
      return address;
    },
    choose(url: string) {
      chosenUrl = url;
    },
    async download() {
      const made = await api.post<TemplateView>('/tag-manager/template');
      queries.setQueryData(QUERY, made);
      void queries.invalidateQueries({ queryKey: ['keys'] });
      const text = await api.text(`/tag-manager/template.tpl${queryText({ url: address?.url })}`);
      saveFile(FILE_NAME, text);
    },
  };
}

export type Template = ReturnType<typeof useTemplate>;

/** Whoever came here by another name of this machine is not offered its own names otherwise. */
function withUsual(all: Address[], usual: Address | undefined): Address[] {
  return usual === undefined || all.some(({ url }) => url === usual.url) ? all : [usual, ...all];
}
