import type {
  AccountView,
  ContainerView,
  WorkspaceView,
} from '$server/tagmanager/connection/schema.ts';
import { listed } from '../../../lib/words.ts';

/** One line of a list to choose from. */
export interface Choice<Item> {
  item: Item;
  id: string;
  name: string;
  /** As people know it: GTM-ABC1234. */
  code?: string;
  note?: string;
}

export const ofAccount = (item: AccountView): Choice<AccountView> => ({
  ...{ item, id: item.account_id, name: item.name, code: item.account_id },
});

export function ofContainer(item: ContainerView): Choice<ContainerView> {
  const note = kindOf(item);
  const { container_id: id, name, public_id: code } = item;
  return { item, id, name, code, ...(note !== undefined && { note }) };
}

export function ofWorkspace(item: WorkspaceView): Choice<WorkspaceView> {
  const { workspace_id: id, name, description } = item;
  return { item, id, name, ...(description && { note: description }) };
}

const CONTEXTS: Record<string, string> = {
  androidsdk5: 'Android',
  iossdk5: 'iOS',
  amp: 'AMP',
  server: 'server',
};

/** The template is one for websites, and other containers do not take it. */
export const takesTemplate = ({ usage_context }: ContainerView): boolean =>
  usage_context.some((context) => context.toLowerCase() === 'web');

/** What a container is for, where that is not websites. */
function kindOf(container: ContainerView): string | undefined {
  if (takesTemplate(container)) return undefined;
  const names = container.usage_context.map((one) => CONTEXTS[one.toLowerCase()] ?? one);
  return names.length > 0 ? `for ${listed(names)}, not for websites` : 'not for websites';
}
