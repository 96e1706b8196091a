import { hash } from 'node:crypto';

import { sha256Of } from '../data/sha256-of.ts';
import { sortedJson } from '../data/sorted-json.ts';
import type { DatasetItemRecord } from './records.ts';

/** What an item is, for telling versions apart: not when it was made, nor from what. */
export type ItemContent = Pick<DatasetItemRecord, 'id' | 'input' | 'expectedOutput' | 'metadata'>;

/**
 * Names a set of items by what is in it: the sha256 of every item's JSON with sorted keys, these sorted and one a line,
 * and of that the sha256. The order of the items does not matter, and null is the same as missing.
 */
export class DatasetHash {
  readonly #hashes: string[] = [];

  add(item: ItemContent): void {
    this.#hashes.push(itemHash(item));
  }

  /** For an item whose hash is known. */
  addHash(known: string): void {
    this.#hashes.push(known);
  }

  result(): { readonly hash: string; readonly items: number } {
    return { hash: sha256Of(this.#hashes.toSorted().join('\n')), items: this.#hashes.length };
  }
}

export async function datasetVersion(
  items: Iterable<ItemContent> | AsyncIterable<ItemContent>,
): Promise<{ readonly hash: string; readonly items: number }> {
  const all = new DatasetHash();
  for await (const item of items) all.add(item);
  return all.result();
}

export function itemHash({ id, input, expectedOutput, metadata }: ItemContent): string {
  const content = { id, input: input ?? null, expectedOutput: expectedOutput ?? null, metadata: metadata ?? null };
  return hash('sha256', sortedJson(content));
}
