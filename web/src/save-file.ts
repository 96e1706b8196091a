/** Long enough for a browser to have begun to read. */
const KEPT_MS = 10_000;

/** Hands a file to the reader: it leaves the page in no other way, and no token is in its address. */
export function saveFile(name: string, file: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
