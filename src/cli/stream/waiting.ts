/** Somebody at a terminal who gave no input should not take the wait for a hang. */
export function tellWaiting(
  quiet: boolean,
  input: { readonly isTTY?: boolean | undefined } = process.stdin,
  out: { write(text: string): unknown } = process.stderr,
): void {
  if (input.isTTY === true && !quiet) out.write('Reading from standard input; Ctrl-D ends it.\n');
}
