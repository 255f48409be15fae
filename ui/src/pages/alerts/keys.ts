/** What a key did: moved within the list, or is left to the page. */
type Wish = 'choose' | 'acknowledge' | 'resolve';

const WISHES: Record<string, Wish> = { x: 'choose', a: 'acknowledge', r: 'resolve' };
const STEPS: Record<string, number> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/**
 * j and k or the arrows move from row to row, Enter opens; the rest are wishes. A row has
 * `data-key`, and what opens it `data-open`.
 */
export function wishOf(
  event: KeyboardEvent,
  list: HTMLElement | undefined,
): { wish: Wish; key: string | undefined } | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const { target } = event;
  if (!list || !(target instanceof HTMLElement) || isWriting(target)) return undefined;
  const row = target.closest<HTMLElement>('[data-key]');
  const current = row && list.contains(row) ? row : undefined;
  const step = STEPS[event.key];
  // Elsewhere the arrows scroll.
  if (step !== undefined && (current || event.key.length === 1)) {
    event.preventDefault();
    move(list, current, step);
  }
  if (event.key === 'Enter' && current && target instanceof HTMLInputElement)
    opener(current)?.click();
  const wish = WISHES[event.key];
  if (!wish) return undefined;
  event.preventDefault();
  return { wish, key: current?.dataset['key'] };
}

function move(list: HTMLElement, current: HTMLElement | undefined, step: number): void {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-key]')];
  const from = current ? rows.indexOf(current) : step > 0 ? -1 : rows.length;
  const next = rows[Math.min(rows.length - 1, Math.max(0, from + step))];
  if (!next) return;
  opener(next)?.focus();
  next.scrollIntoView({ block: 'nearest' });
}

const opener = (row: HTMLElement) => row.querySelector<HTMLElement>('[data-open]');

/** Keys are letters there, or mean something else. */
function isWriting(target: HTMLElement): boolean {
  if (target.closest('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')) return true;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio'].includes(target.type);
  return target.isContentEditable || target.matches('textarea, select, [role=img]');
}
