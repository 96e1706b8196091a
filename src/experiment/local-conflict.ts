import { UsageError } from '../data/problems.ts';
import { StoreConflict } from '../store/store-conflict.ts';

/** What contradicts the store is the user's to mend when it is the user who asked. */
export function asUsage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof StoreConflict ? new UsageError(error.message) : error;
  }
}
