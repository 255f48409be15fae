/** Says yes so many times within that span, and then no until some of them are past. */
export function atMost(times: number, withinMs: number): (now: number) => boolean {
  let taken: number[] = [];
  return (now) => {
    taken = taken.filter((at) => now - at < withinMs);
    if (taken.length >= times) return false;
    taken.push(now);
    return true;
  };
}
