/** What to do after calls that failed in this way; what was answered is kept in any case. */
export function nextAfter(kind: string): string {
  switch (kind) {
    case 'access':
      return 'check the key, the name of the model and --base-url; the same command goes on';
    case 'connection':
      return 'check --base-url, and that the server is running; the same command goes on';
    case 'server':
      return 'the fault is the server’s: run the same command again later';
    case 'rate':
      return 'run the same command again later, or with a lower --concurrency';
    case 'timeout':
      return 'give it more time with --timeout, or run the same command again later';
    default:
      return 'try another model or another prompt';
  }
}
