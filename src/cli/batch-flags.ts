import { plural, UsageError } from '../plugin.ts';
import * as flag from './flags.ts';

/** Of commands that ask models. */
export const BATCH_FLAGS = {
  batch: flag.toggle('ask by the provider’s batch endpoint: half the price, hours of waiting'),
  batchOnly: flag.toggle('the same, but what a batch does not answer fails instead of being asked by a single call'),
  askAgain: flag.toggle('ask, and pay, again for answers of a batch that an earlier session could not read'),
  batchPoll: flag.duration('<time>', 'time between two looks at a batch, such as 5m (default: up to a minute)'),
};

type BatchFlags = flag.FlagValues<typeof BATCH_FLAGS>;

/** For commands whose progress shows no batches. */
export function submittedText(batch: string, count: number): string {
  return `${plural(count, 'request')} submitted as ${batch}`;
}

/** Null: by single calls. */
export function batchOf({ batch, batchOnly: only, batchPoll: pollMs, askAgain }: BatchFlags) {
  if (batch || only) return { only, pollMs: pollMs ?? null, askAgain };
  if (pollMs === undefined && !askAgain) return null;
  const name = askAgain ? '--ask-again' : '--batch-poll';
  throw new UsageError(`${name} is for --batch`, 'add --batch, or leave it out');
}

/** A worker of a queue would wait for hours, and its job would be taken for lost. */
export function refuseBatchWithQueue(isBatched: boolean, queue: string | undefined): void {
  if (queue !== undefined && isBatched)
    throw new UsageError(
      '--batch: the provider distributes the calls of a batch',
      'leave out --queue (ASSAY_QUEUE) or --batch',
    );
}

interface BatchHandling {
  readonly askAgain: boolean;
  readonly submitOnly: boolean;
  readonly cancel: boolean;
}

/** What a session does with its batches; refused without any, and where two flags contradict each other. */
export function batchHandling({ askAgain, submitOnly, cancel }: BatchHandling, isBatched = true) {
  const flags = [
    ...(askAgain ? ['--ask-again'] : []),
    ...(submitOnly ? ['--submit-only'] : []),
    ...(cancel ? ['--cancel'] : []),
  ];
  if (flags.length > 0 && !isBatched)
    throw new UsageError(`${flags[0]!} is for --batch`, 'add --batch, or leave it out');
  if (cancel && flags.length > 1)
    throw new UsageError(`--cancel: ${flags[0]!} would submit`, 'leave one of the two out');
  const mode = cancel ? 'cancel' : submitOnly ? 'submit' : undefined;
  return { askAgain, mode } as const;
}
