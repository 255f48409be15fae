import type { tagmanager_v2 } from '@googleapis/tagmanager';

/** What a workspace holds, by its shape in the discovery document. */
export interface Objects {
  tag: tagmanager_v2.Schema$Tag;
  trigger: tagmanager_v2.Schema$Trigger;
  variable: tagmanager_v2.Schema$Variable;
  template: tagmanager_v2.Schema$CustomTemplate;
  folder: tagmanager_v2.Schema$Folder;
}

export type ObjectKind = keyof Objects;

/** Every field there is and no other: the compiler holds the lists to the discovery's shapes. */
type Fields<K extends ObjectKind> = Record<keyof Objects[K], true>;

const TAG: Fields<'tag'> = {
  accountId: true,
  blockingTriggerId: true,
  consentSettings: true,
  containerId: true,
  fingerprint: true,
  firingTriggerId: true,
  liveOnly: true,
  monitoringMetadata: true,
  monitoringMetadataTagNameKey: true,
  name: true,
  notes: true,
  parameter: true,
  parentFolderId: true,
  path: true,
  paused: true,
  priority: true,
  scheduleEndMs: true,
  scheduleStartMs: true,
  setupTag: true,
  tagFiringOption: true,
  tagId: true,
  tagManagerUrl: true,
  teardownTag: true,
  type: true,
  workspaceId: true,
};

const TRIGGER: Fields<'trigger'> = {
  accountId: true,
  autoEventFilter: true,
  checkValidation: true,
  containerId: true,
  continuousTimeMinMilliseconds: true,
  customEventFilter: true,
  eventName: true,
  filter: true,
  fingerprint: true,
  horizontalScrollPercentageList: true,
  interval: true,
  intervalSeconds: true,
  limit: true,
  maxTimerLengthSeconds: true,
  name: true,
  notes: true,
  parameter: true,
  parentFolderId: true,
  path: true,
  selector: true,
  tagManagerUrl: true,
  totalTimeMinMilliseconds: true,
  triggerId: true,
  type: true,
  uniqueTriggerId: true,
  verticalScrollPercentageList: true,
  visibilitySelector: true,
  visiblePercentageMax: true,
  visiblePercentageMin: true,
  waitForTags: true,
  waitForTagsTimeout: true,
  workspaceId: true,
};

const VARIABLE: Fields<'variable'> = {
  accountId: true,
  containerId: true,
  disablingTriggerId: true,
  enablingTriggerId: true,
  fingerprint: true,
  formatValue: true,
  name: true,
  notes: true,
  parameter: true,
  parentFolderId: true,
  path: true,
  scheduleEndMs: true,
  scheduleStartMs: true,
  tagManagerUrl: true,
  type: true,
  variableId: true,
  workspaceId: true,
};

const TEMPLATE: Fields<'template'> = {
  accountId: true,
  containerId: true,
  fingerprint: true,
  galleryReference: true,
  name: true,
  path: true,
  tagManagerUrl: true,
  templateData: true,
  templateId: true,
  workspaceId: true,
};

const FOLDER: Fields<'folder'> = {
  accountId: true,
  containerId: true,
  fingerprint: true,
  folderId: true,
  name: true,
  notes: true,
  path: true,
  tagManagerUrl: true,
  workspaceId: true,
};

interface Family {
  /** In paths. */
  collection: string;
  id: `${ObjectKind}Id`;
  /** In what the status and a version say. */
  entity: 'tag' | 'trigger' | 'variable' | 'customTemplate' | 'folder';
  fields: Record<string, true>;
  /** The part of the web page's address that its link has. */
  link: string;
}

export const FAMILIES: Record<ObjectKind, Family> = {
  tag: { collection: 'tags', id: 'tagId', entity: 'tag', fields: TAG, link: 'tags' },
  trigger: {
    ...{ collection: 'triggers', id: 'triggerId', entity: 'trigger' },
    ...{ fields: TRIGGER, link: 'triggers' },
  },
  variable: {
    ...{ collection: 'variables', id: 'variableId', entity: 'variable' },
    ...{ fields: VARIABLE, link: 'variables' },
  },
  template: {
    ...{ collection: 'templates', id: 'templateId', entity: 'customTemplate' },
    ...{ fields: TEMPLATE, link: 'templates' },
  },
  folder: {
    ...{ collection: 'folders', id: 'folderId', entity: 'folder' },
    ...{ fields: FOLDER, link: 'folders' },
  },
};

export const KINDS = Object.keys(FAMILIES) as ObjectKind[];

export function kindOf(collection: string): ObjectKind | undefined {
  return KINDS.find((kind) => FAMILIES[kind].collection === collection);
}
