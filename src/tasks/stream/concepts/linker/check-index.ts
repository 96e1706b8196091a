import type { AliasDictionary } from './alias-dictionary.ts';
import { BAND_SIZE } from './build-bands.ts';
import type { IndexHeader } from './index-layout.ts';
import type { LinkerIndex } from './linker-index.ts';
import type { PackedTexts } from './text-table.ts';

/** What does not fit together in an index that was read, in words; null where all does. */
export function checkIndex(index: LinkerIndex, header: IndexHeader): string | null {
  const { aliasCount, indexedCount, conceptCount, trigramCount } = header;
  const { aliases, concepts, bands } = index;
  if (indexedCount > aliasCount) return 'more aliases are indexed than there are';
  const lengths: readonly (readonly [string, number, number])[] = [
    ['trigrams', index.vocabulary.trigrams.length, trigramCount],
    ['frequencies', index.vocabulary.df.length, trigramCount],
    ['aliases', aliases.starts.length, aliasCount + 1],
    ['norms', index.norms.length, indexedCount],
    ['order', index.kbOrder.length, indexedCount],
    ['owners', index.ownerStarts.length, aliasCount + 1],
    ['concepts', concepts.ids.starts.length, conceptCount + 1],
    ['names', concepts.names.length, conceptCount],
    ['definitions', concepts.defined.length, conceptCount],
    ['types', concepts.typeLists.length, conceptCount],
  ];
  for (const [what, found, expected] of lengths)
    if (found !== expected) return `expected ${expected} ${what}, found ${found}`;
  if (!isPacked(aliases) || !isPacked(concepts.ids)) return 'texts overlap';
  if (!rises(index.ownerStarts, index.owners.length)) return 'the concepts of the aliases overlap';
  if (!allBelow(index.owners, conceptCount)) return 'an alias belongs to a concept that is not there';
  if (!allBelow(index.kbOrder, indexedCount)) return 'the order names an alias that is not there';
  if (!allBelow(concepts.names, aliasCount)) return 'the name of a concept is not there';
  if (!allBelow(concepts.typeLists, concepts.typeNames.length)) return 'the types of a concept are not there';
  if (!isWhole(index.dictionary, indexedCount)) return 'the table of names is broken';
  let next = 0;
  for (const band of bands) {
    if (band.first !== next || band.count > BAND_SIZE) return 'the bands do not follow each other';
    if (band.listStarts.length !== trigramCount + 1 || !rises(band.listStarts, band.postings.length))
      return 'the lists of a band overlap';
    next += band.count;
  }
  return next === indexedCount ? null : 'the bands do not cover the aliases';
}

function isPacked({ bytes, starts }: PackedTexts): boolean {
  return rises(starts, bytes.length);
}

/** From 0 to the end, never back. */
function rises(starts: Uint32Array, end: number): boolean {
  if (starts[0] !== 0 || starts.at(-1) !== end) return false;
  for (let at = 1; at < starts.length; at += 1) if (starts[at]! < starts[at - 1]!) return false;
  return true;
}

function allBelow(values: Uint32Array, limit: number): boolean {
  for (const value of values) if (value >= limit) return false;
  return true;
}

/** A power of two of slots, not all of them taken: a search would go round for ever. */
function isWhole({ slots, tags }: AliasDictionary, indexedCount: number): boolean {
  const isPowerOfTwo = slots.length > 0 && Number.isInteger(Math.log2(slots.length));
  return isPowerOfTwo && tags.length === slots.length && slots.includes(0) && allBelow(slots, indexedCount + 1);
}
