/** Long enough for a browser to have begun to read; the text is small. */
const KEPT_MS = 10_000;

/** Hands a text to the reader as a file. It never leaves the page otherwise. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
