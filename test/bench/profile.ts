import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Profile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
  }[];
  samples: number[];
  timeDeltas: number[];
}

/** The functions in which a server's main thread itself spent most of its time. */
export function topOfProfile(dir: string, count = 20): string {
  const [file] = readdirSync(dir).filter((name) => name.endsWith('.cpuprofile'));
  if (file === undefined) return 'no profile was written';
  const profile = JSON.parse(readFileSync(path.join(dir, file), 'utf8')) as Profile;
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || '(anonymous)'} ${place(url)}${url ? `:${lineNumber + 1}` : ''}`,
    ]),
  );
  const times = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of profile.samples.entries()) {
    const name = names.get(id) ?? '';
    if (name.startsWith('(idle)')) continue;
    const delta = profile.timeDeltas[index] ?? 0;
    busy += delta;
    times.set(name, (times.get(name) ?? 0) + delta);
  }
  const lines = [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, time]) => `${((100 * time) / busy).toFixed(1).padStart(6)} %  ${name}`);
  return [`self time of ${(busy / 1e6).toFixed(1)} s that were not idle`, ...lines].join('\n');
}

/** Without what stands before the project or a package. */
function place(url: string): string {
  return url.replace(/^.*\/node_modules\//, '').replace(/^file:.*\/(server\/)/, '$1');
}
