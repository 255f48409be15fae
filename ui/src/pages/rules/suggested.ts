import type { NewRule } from '$server/rules/schema.ts';

/** To the editor, with what is suggested in it already; all else is as in any fresh rule. */
export function suggestionLink({ name, rule_type, config }: NewRule): string {
  const { event_type, severity } = config;
  const minutes =
    'window_minutes' in config
      ? config.window_minutes
      : 'current_window_minutes' in config
        ? config.current_window_minutes
        : '';
  const query = new URLSearchParams({ name, rule_type, event_type, severity });
  const fields = 'required_fields' in config ? config.required_fields : [];
  for (const field of fields) query.append('field', field);
  if (minutes !== '') query.set('window_minutes', String(minutes));
  return `/rules/new?${query}`;
}
