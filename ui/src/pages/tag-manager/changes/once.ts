/** Pages as one list. What came in meanwhile moves what was on one page to the next. */
export function once<One extends { id: string }>(pages: readonly One[][] | undefined): One[] {
  return [...new Map((pages ?? []).flat().map((one) => [one.id, one])).values()];
}
