/** What somebody has read of what was found at a start; each carries its moment in its words. */
const STORED = 'vedette.notices';
const KEPT = 50;

export function unreadOf(notices: readonly string[]): string[] {
  const read = readOnes();
  return [...new Set(notices)].filter((notice) => !read.includes(notice));
}

export function markRead(notices: readonly string[]): void {
  const all = [...new Set([...readOnes(), ...notices])].slice(-KEPT);
  try {
    localStorage.setItem(STORED, JSON.stringify(all));
  } catch {
    // Then they are shown once more.
  }
}

function readOnes(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
