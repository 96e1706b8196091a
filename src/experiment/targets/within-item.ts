import { UsageError } from '../../data/problems.ts';
import { TargetError } from './target.ts';

/** A template that does not fit an item is a mistake when one looks, but no reason to end a run that goes well. */
export function withinItem<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new TargetError({ kind: 'request', message: error.message });
  }
}
