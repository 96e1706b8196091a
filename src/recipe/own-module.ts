import type { OwnSimilarity } from '../pair/criterion.ts';
import { loadOwnCode } from './own-code.ts';

export interface OwnModule {
  readonly similarity: OwnSimilarity;
  /** Part of the signature: another module text is another measure. */
  readonly sha256: string;
}

/** A user's own similarity, `./mine.js` or `./mine.js#name`, from a file in or below the recipe's folder. */
export async function loadOwnSimilarity(given: string, folder: string): Promise<OwnModule> {
  const { code, sha256 } = await loadOwnCode(given, folder, {
    what: 'similarity',
    of: 'recipe',
    isWanted: isFunction,
    expected: '(gold, predicted) => number from 0 to 1',
  });
  // The very function, so that variants of a recipe can be seen to compare alike.
  return { similarity: code, sha256 };
}

/** What it returns is checked each time it is asked. */
function isFunction(value: unknown): value is OwnSimilarity {
  return typeof value === 'function';
}
