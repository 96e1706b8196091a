import { TargetError } from '../../experiment.ts';
import { unlockFolder, UsageError } from '../../plugin.ts';
import { flagName } from '../flags.ts';
import { clearOnInterrupt } from '../interrupt.ts';

/** A setting without effect would pass for one that was in force. */
export function refuseProviderFlags(model: string, flags: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(flags))
    if (value !== undefined)
      throw new UsageError(`${flagName(key)} is for PROVIDER/NAME, not for --model ${model}`, 'leave it out');
}

/** A refused key is not a bug, and nothing that was finished is lost. */
export function refusedCall(error: unknown): never {
  if (!(error instanceof TargetError)) throw error;
  throw new UsageError(error.message.split('\n'), 'finished cases are kept: run the same command again');
}

/** For work that is done case by case into a locked folder. */
export function keepFinishedCases(folder: string, hasBatches = false): void {
  const batches = hasBatches ? 'batches stay with the provider, ' : '';
  clearOnInterrupt(
    { abandon: () => unlockFolder(folder) },
    `${batches}finished cases are kept, and the same command resumes after them.`,
  );
}
