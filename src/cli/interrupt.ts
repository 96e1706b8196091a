const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** What is half written; a writer that has finished has nothing left to abandon. */
const writers = new Set<{ abandon(): void }>();

/** On Ctrl-C or a polite kill, what is half written is cleared away; the shell sees the usual code of the signal. */
export function clearOnInterrupt(writer: { abandon(): void }, said = 'nothing was written.'): void {
  if (writers.size === 0)
    for (const [signal, code] of SIGNALS) {
      process.once(signal, () => {
        for (const open of writers) open.abandon();
        process.stderr.write(`\nStopped; ${said}\n`);
        process.exit(code);
      });
    }
  writers.add(writer);
}
