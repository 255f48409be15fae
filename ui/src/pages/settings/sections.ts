import type { Component } from 'svelte';
import { desktop } from '$lib/desktop.ts';
import About from './about/About.svelte';
import Access from './access/Access.svelte';
import Desktop from './desktop/Desktop.svelte';
import Keys from './keys/Keys.svelte';
import Network from './network/Network.svelte';
import Storage from './storage/Storage.svelte';
import Tenants from './tenants/Tenants.svelte';
import Webhook from './webhook/Webhook.svelte';

export interface Section {
  /** As it stands in the address: /settings/keys */
  name: string;
  title: string;
  Body: Component;
}

export const SECTIONS: readonly Section[] = [
  { name: 'keys', title: 'API keys', Body: Keys },
  { name: 'webhook', title: 'Webhook', Body: Webhook },
  { name: 'storage', title: 'Storage', Body: Storage },
  { name: 'network', title: 'Network', Body: Network },
  { name: 'access', title: 'Password and sessions', Body: Access },
  { name: 'tenants', title: 'Tenants', Body: Tenants },
  ...(desktop ? [{ name: 'desktop', title: 'Desktop', Body: Desktop }] : []),
  { name: 'about', title: 'About', Body: About },
];
