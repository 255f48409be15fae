/** Read when somebody asks; keeping them costs an addition each. */
export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  labels?: string[];
  /** One value, or one for each set of labels. */
  read: () => number | { labels: Record<string, string>; value: number }[];
}
