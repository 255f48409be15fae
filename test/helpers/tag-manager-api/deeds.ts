import { fill } from './fill.ts';
import type { Amounts } from './fill.ts';
import { shown } from './objects.ts';
import type { ObjectVerbs } from './objects.ts';
import type { Body } from './references.ts';
import { FAMILIES } from './shapes.ts';
import type { ObjectKind, Objects } from './shapes.ts';
import type { VersionVerbs } from './versions.ts';
import { copyOf, emptyContent, found, placeOf } from './world.ts';
import type { Content, Level, NewAccount, NewContainer, Place, World } from './world.ts';

interface Parts {
  world: World;
  objects: ObjectVerbs;
  versions: VersionVerbs;
}

type ContainerPlace = Omit<Place, 'workspaceId'>;

/** What people do in the tag manager itself, beside the API. */
export function createDeeds({ world, objects, versions }: Parts) {
  function account(made?: NewAccount): string {
    return world.addAccount(made).account.accountId ?? '';
  }

  /** With its first workspace, which is what comes back; in a new account if none is given. */
  function container({ accountId = account(), ...made }: NewContainer & AccountOf = {}): Place {
    const [workspace] = world.addContainer(accountId, made).workspaces.values();
    return placeOf(found(workspace));
  }

  /** Made from what is live. */
  function workspace(place: ContainerPlace, name: string, description?: string): Place {
    const state = world.containerOf(place);
    const live = state.versions.get(state.live ?? '')?.content ?? emptyContent();
    return placeOf(world.addWorkspace(state, name, copyOf(live), description));
  }

  function list<K extends ObjectKind>(place: Place, kind: K): Objects[K][] {
    const content: Content = world.workspaceOf(place).content;
    return [...content[kind].values()].map((object) => shown(place, kind, object));
  }

  function get<K extends ObjectKind>(place: Place, kind: K, id: string): Objects[K] {
    return shown(place, kind, found(world.workspaceOf(place).content[kind].get(id)));
  }

  return {
    ...{ account, container, workspace, list, get },

    /** Somebody else makes an object; what comes back is its id. */
    add<K extends ObjectKind>(place: Place, kind: K, object: Objects[K]): string {
      const made = objects.insert(place, kind, object as Body) as Body;
      return made[FAMILIES[kind].id] as string;
    },

    /** Somebody else changes an object. */
    edit<K extends ObjectKind>(place: Place, kind: K, id: string, change: Objects[K]): Objects[K] {
      return objects.replace(place, kind, id, { ...(get(place, kind, id) as Body), ...change });
    },

    /** Somebody else deletes an object. */
    remove: (place: Place, kind: ObjectKind, id: string) => objects.remove(place, kind, id),

    removeWorkspace: (place: Place) =>
      world.containerOf(place).workspaces.delete(place.workspaceId),

    renameWorkspace(place: Place, name: string) {
      world.workspaceOf(place).workspace.name = name;
    },

    removeContainer: ({ accountId, containerId }: ContainerPlace) =>
      world.accountOf(accountId).containers.delete(containerId),

    enable(place: Place, builtIns: Record<string, string>) {
      const { accountId, containerId } = place;
      const { content } = world.workspaceOf(place);
      for (const [type, name] of Object.entries(builtIns)) {
        content.builtInVariable.set(type, { accountId, containerId, type, name });
      }
    },

    /**
     * Somebody publishes the workspace: what it holds is live, and the workspace is gone. What
     * comes back is the one of the same name that took its place.
     */
    publish(place: Place, name?: string): Place {
      const { versionId, workspace: fresh } = versions.make(place, name);
      versions.publish(world.containerOf(place), versionId);
      return placeOf(fresh);
    },

    /** Everything that the workspace holds is live, as if it had never been otherwise. */
    settle: (place: Place) => versions.settle(place),

    /** What somebody may do in a container; everybody may do everything until it is said. */
    permit(place: ContainerPlace, user: string, level: Level) {
      world.containerOf(place).levels.set(user, level);
    },

    /** Fills a workspace as a shop's would be, all of it live unless it is to be a draft. */
    fillContainer(place: Place, amounts: Partial<Amounts> & { live?: boolean } = {}) {
      const { live = true, ...rest } = amounts;
      fill({ world, objects }, place, rest);
      if (live) versions.settle(place);
    },
  };
}

interface AccountOf {
  accountId?: string;
}
