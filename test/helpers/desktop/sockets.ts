import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';

/** The ports on which a program listens, its own children included. */
export function listeningPorts(pid: number): number[] {
  const inodes = new Set(family(pid).flatMap(socketsOf));
  return ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === LISTENING && inodes.has(inode ?? ''))
      .map(([, local = '']) => parseInt(local.split(':')[1] ?? '', 16)),
  );
}

/** A process and all below it. */
export function family(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    // A process may be gone before it is looked at.
    const stat = attempt(() => readFileSync(`/proc/${name}/stat`, 'utf8')) ?? '';
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]));
  }
  const isBelow = (one: number): boolean =>
    one === pid || (parents.has(one) && one > 1 && isBelow(parents.get(one) ?? 0));
  return [...parents.keys()].filter(isBelow);
}

export const commandOf = (pid: number): string[] =>
  (attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').split('\0');

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const links = (attempt(() => readdirSync(folder)) ?? []).map((name) =>
    attempt(() => readlinkSync(`${folder}/${name}`)),
  );
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link ?? '')?.[1] ?? []);
}

function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
