import { preferences, type Preferences } from './schema.ts';

/** What comes over IPC has its absent keys as `undefined`. */
export type PreferencesPatch = { [Key in keyof Preferences]?: Preferences[Key] | undefined };

export interface PreferenceStore {
  current(): Preferences;
  /** Resolves even when the disk takes nothing: the change then holds until the program ends. */
  change(patch: PreferencesPatch): Promise<Preferences>;
  onChange(listener: (now: Preferences) => void): () => void;
}

interface Log {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export async function openPreferences(file: string, log: Log): Promise<PreferenceStore> {
  log.warn({ file }, 'Not built yet');
  return {
    current: () => preferences.parse({}),
    change: async () => preferences.parse({}),
    onChange: () => () => undefined,
  };
}
