/** On Ctrl-C or a polite kill, what is half written is cleared away; the shell sees the usual code of the signal. */
export function clearOnInterrupt(writer: { abandon(): void }): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      writer.abandon();
      process.stderr.write('\nStopped; nothing was written.\n');
      process.exit(code);
    });
  }
}
