import { router } from '$lib/router.svelte.ts';

/** Whether the address is a link that signs in: `/sign-in#token=…` */
export const isLink = (): boolean => router.path === '/sign-in' && tokenOf(router.hash) !== null;

/** Takes the token out of the address, where it would be read, kept and shared. */
export function takeToken(): string | undefined {
  if (!isLink()) return undefined;
  const token = tokenOf(router.hash) ?? undefined;
  router.go('/sign-in', { replace: true });
  return token;
}

const tokenOf = (hash: string) => new URLSearchParams(hash.slice(1)).get('token') || null;
