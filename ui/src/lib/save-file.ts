const FETCHED_WITHIN_MS = 60_000;

/** Hands a text to the browser as a file, which then saves it or asks where to. */
export function saveFile(name: string, text: string): void {
  // As plain text some browsers would give it a name that ends in .txt.
  const file = new Blob([text], { type: 'application/octet-stream' });
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), FETCHED_WITHIN_MS);
}
