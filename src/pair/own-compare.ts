import type { Item } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import type { OwnSimilarity } from './criterion.ts';

/** A user's own similarity, held to what a similarity is: what it throws or returns otherwise is the user's to mend. */
export function ownCompare(name: string, own: OwnSimilarity): (gold: Item, predicted: Item) => number {
  return (gold, predicted) => {
    let value: unknown;
    try {
      value = own(gold, predicted);
    } catch (error) {
      throw new UsageError(
        `the similarity ${name} failed for ${texts(gold, predicted)} (${error instanceof Error ? error.message : String(error)})`,
        'mend it, or name another under pair.similarity',
      );
    }
    if (typeof value === 'number' && value >= 0 && value <= 1) return value;
    throw new UsageError(
      `the similarity ${name} returned ${shown(value)} for ${texts(gold, predicted)}`,
      'a similarity is a number from 0 (nothing in common) to 1 (the same)',
    );
  };
}

function texts(gold: Item, predicted: Item): string {
  return `gold ${JSON.stringify(gold.text)} and predicted ${JSON.stringify(predicted.text)}`;
}

function shown(value: unknown): string {
  if (value instanceof Promise) return 'a promise (it must not be async)';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
