import { plural, UsageError } from '../plugin.ts';
import * as flag from './flags.ts';

/** Of commands that ask models. */
export const BATCH_FLAGS = {
  batch: flag.toggle('ask by the provider’s batch endpoint: half the price, hours of waiting'),
  batchOnly: flag.toggle('the same, but what a batch does not answer fails instead of being asked by a single call'),
  batchPoll: flag.duration('<time>', 'time between two looks at a batch, such as 5m (default: up to a minute)'),
};

type BatchFlags = flag.FlagValues<typeof BATCH_FLAGS>;

/** For commands whose progress shows no batches. */
export function submittedText(batch: string, count: number): string {
  return `${plural(count, 'request')} submitted as ${batch}`;
}

/** Null: by single calls. */
export function batchOf({ batch, batchOnly: only, batchPoll: pollMs }: BatchFlags) {
  if (batch || only) return { only, pollMs: pollMs ?? null };
  if (pollMs === undefined) return null;
  throw new UsageError('--batch-poll is for --batch', 'add --batch, or leave it out');
}

/** A worker of a queue would wait for hours, and its job would be taken for lost. */
export function refuseBatchWithQueue(isBatched: boolean, queue: string | undefined): void {
  if (queue !== undefined && isBatched)
    throw new UsageError(
      '--batch: the provider distributes the calls of a batch',
      'leave out --queue (ASSAY_QUEUE) or --batch',
    );
}
