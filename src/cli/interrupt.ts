const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** What is half written; a writer that has finished has nothing left to abandon. */
const writers = new Set<{ abandon(): void }>();

/** Of the signals, while something is half written. */
let listeners: (readonly [signal: (typeof SIGNALS)[number][0], listener: () => void])[] = [];

/**
 * On Ctrl-C or SIGTERM, half-written files are removed and the shell sees the standard exit code of the signal. What it
 * gives back ends that for this writer: with the last one, signals are the shell's again.
 */
export function clearOnInterrupt(
  writer: { abandon(): void },
  message: string | (() => string) = 'nothing was written.',
): () => void {
  if (writers.size === 0)
    for (const [signal, code] of SIGNALS) {
      const listener = (): void => {
        for (const open of writers) open.abandon();
        process.stderr.write(`\nStopped; ${typeof message === 'string' ? message : message()}\n`);
        process.exit(code);
      };
      process.once(signal, listener);
      listeners.push([signal, listener]);
    }
  writers.add(writer);
  return () => {
    writers.delete(writer);
    if (writers.size > 0) return;
    for (const [signal, listener] of listeners) process.off(signal, listener);
    listeners = [];
  };
}
