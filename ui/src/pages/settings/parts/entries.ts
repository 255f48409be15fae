/** What is wrong with the entries of a list, each named. */
export function entryFaults(
  entries: readonly string[],
  faults: readonly { step: string; message: string }[],
): string | undefined {
  const words = faults.map(({ step, message }) => `${entries[Number(step)] ?? 'One'} ${message}`);
  return words.length > 0 ? words.join('; ') : undefined;
}
