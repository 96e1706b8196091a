export interface PoliteStop {
  /** No further item is begun. */
  readonly stop: AbortSignal;
  /** Calls that are out are given up. */
  readonly abort: AbortSignal;
  /** Signals are the shell's again; false where they were already. */
  end(): boolean;
}

const WAITING = 'Stopping: waiting for answers that are on their way. Ctrl-C again gives them up.';
const LEAVING =
  'Stopping: batches stay with the provider, and the same command takes their answers. Ctrl-C again gives up single calls.';

/**
 * The first Ctrl-C begins nothing more and waits for the answers that are on their way, since they are paid for; the
 * second gives them up. Nobody waits for a batch (`batches`), which takes hours and is not lost. A polite kill does not
 * wait, unless it `drains`: clusters end their workers that way.
 */
export function politeStop(say: (text: string) => void, { batches = false, drains = false } = {}): PoliteStop {
  const stop = new AbortController();
  const abort = new AbortController();
  const onInterrupt = (): void => {
    if (stop.signal.aborted) {
      abort.abort();
      return;
    }
    say(batches ? LEAVING : WAITING);
    stop.abort();
  };
  const onTerminate = (): void => {
    stop.abort();
    if (!drains) abort.abort();
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return {
    stop: stop.signal,
    abort: abort.signal,
    end() {
      const wasOn = process.listeners('SIGINT').includes(onInterrupt);
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
      return wasOn;
    },
  };
}
