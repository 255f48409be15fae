import type { Component } from 'svelte';

/** Loaded when it is first gone to, or a moment before, when a link to it is pointed at. */
type Load = () => Promise<{ default: Component<{ params: string[] }> }>;

interface Place {
  /** What the address must look like; its groups are handed to the page, which may not need them. */
  path: RegExp;
  load: () => Promise<{ default: Component<never> }>;
}

const ID = '([0-9a-f-]{36})';

/** Every address of the dashboard, and the page that stands there. */
const PLACES: Place[] = [
  { path: /^\/$/, load: () => import('./pages/overview/Overview.svelte') },
  { path: /^\/welcome$/, load: () => import('./pages/welcome/Welcome.svelte') },
  { path: /^\/events$/, load: () => import('./pages/events/Events.svelte') },
  { path: /^\/events\/types$/, load: () => import('./pages/events/Catalogue.svelte') },
  { path: /^\/events\/rejected$/, load: () => import('./pages/events/Rejected.svelte') },
  { path: /^\/rules$/, load: () => import('./pages/rules/Rules.svelte') },
  { path: /^\/rules\/new$/, load: () => import('./pages/rules/RuleEditor.svelte') },
  { path: new RegExp(`^/rules/${ID}$`), load: () => import('./pages/rules/RuleEditor.svelte') },
  { path: /^\/alerts$/, load: () => import('./pages/alerts/Alerts.svelte') },
  { path: new RegExp(`^/alerts/${ID}$`), load: () => import('./pages/alerts/AlertDetail.svelte') },
  { path: /^\/tag-manager$/, load: () => import('./pages/tag-manager/status/Status.svelte') },
  {
    path: /^\/tag-manager\/container$/,
    load: () => import('./pages/tag-manager/container/Container.svelte'),
  },
  {
    path: /^\/tag-manager\/changes$/,
    load: () => import('./pages/tag-manager/changes/Changes.svelte'),
  },
  {
    path: /^\/tag-manager\/template$/,
    load: () => import('./pages/tag-manager/template/Template.svelte'),
  },
  { path: /^\/settings(?:\/(\w+))?$/, load: () => import('./pages/settings/Settings.svelte') },
];

export function pageAt(path: string): { load: Load; params: string[] } | undefined {
  for (const place of PLACES) {
    const found = place.path.exec(path);
    if (found) return { load: place.load as Load, params: found.slice(1) };
  }
  return undefined;
}
