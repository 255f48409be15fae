import { problems } from '../../platform/errors.ts';
import type { SettingsFile, View } from '../../platform/settings-file.ts';
import type { SettingsData } from '../../settings/file-schema.ts';
import type { FaultView, StoredConnection } from './schema.ts';

export type Connected = View<StoredConnection>;
export type ConnectionStore = ReturnType<typeof createConnectionStore>;

/** What is stored of a grant, and of what was done with it. */
export const NOTHING = {
  tokens: null,
  scopes: [],
  connected_at: null,
  chosen: null,
  problem: null,
} satisfies Partial<StoredConnection>;

export function createConnectionStore({ file }: { file: SettingsFile<SettingsData> }) {
  const find = (tenantId: string): Connected | undefined =>
    file.data.tag_managers.find((one) => one.tenant_id === tenantId);

  /** What `mutator` throws leaves everything as it was. */
  const change = <Result>(
    tenantId: string,
    mutator: (record: StoredConnection) => Result,
  ): Promise<Result> =>
    file.update((draft) => {
      const record = draft.tag_managers.find((one) => one.tenant_id === tenantId);
      if (record === undefined) throw problems.noClient();
      return mutator(record);
    });

  return {
    find,
    list: (): readonly Connected[] => file.data.tag_managers,
    change,
    /** Of the settings, so that what was taken out of them is in no file any more. */
    renewCopy: () => file.renewCopy(),

    /** `secret` is encrypted, or null for none; undefined keeps that of the same client. */
    setClient: (tenantId: string, id: string, secret: string | null | undefined): Promise<void> =>
      file.update((draft) => {
        const record = draft.tag_managers.find((one) => one.tenant_id === tenantId);
        if (record === undefined) {
          const client = { client_id: id, client_secret: secret ?? null };
          draft.tag_managers.push({ tenant_id: tenantId, ...client, ...NOTHING });
          return;
        }
        if (record.connected_at !== null) throw problems.tagManagerConnected();
        // A secret belongs to its client, and is nothing to tell another one's provider.
        if (secret !== undefined || record.client_id !== id) record.client_secret = secret ?? null;
        record.client_id = id;
      }),

    /** Writes nothing when it is there already, so that it keeps the time when it began. */
    async setProblem(tenantId: string, problem: FaultView | null): Promise<void> {
      const known = find(tenantId)?.problem;
      if (known === undefined || (known?.code === problem?.code && known?.what === problem?.what)) {
        return;
      }
      await change(tenantId, (record) => {
        if (record.connected_at !== null) record.problem = problem;
      });
    },
  };
}
