import { compareText } from '../../../../text/compare.ts';
import type { PackedTexts } from './text-table.ts';
import { ASCII_CODES, asciiTrigram, TrigramCodes } from './trigram-codes.ts';
import { makeVocabulary, type Vocabulary } from './vocabulary.ts';

/** Counts in how many aliases each trigram is, and keeps those that are in at least `minDf`. */
export function buildVocabulary(aliases: PackedTexts, minDf: number, mostBytes: number): Vocabulary {
  const { bytes, starts } = aliases;
  const count = starts.length - 1;
  const codes = new TrigramCodes();
  const found = new Int32Array(mostBytes);
  let df = new Uint32Array(codes.size);
  /** The alias, plus one, that a trigram was last seen in: each counts once an alias. */
  let seenIn = new Uint32Array(codes.size);
  const met: number[] = [];
  for (let alias = 0; alias < count; alias += 1) {
    const read = codes.read(bytes, starts[alias]!, starts[alias + 1]!, found);
    if (codes.size > df.length) {
      df = longer(df, codes.size);
      seenIn = longer(seenIn, codes.size);
    }
    for (let at = 0; at < read; at += 1) {
      const code = found[at]!;
      if (seenIn[code] === alias + 1) continue;
      seenIn[code] = alias + 1;
      if (df[code] === 0) met.push(code);
      df[code]! += 1;
    }
  }
  const wide = codes.wide();
  const kept = met
    .filter((code) => df[code]! >= minDf)
    .map((code) => ({ code, trigram: code < ASCII_CODES ? asciiTrigram(code) : wide[code - ASCII_CODES]! }))
    .sort((a, b) => Number(a.code >= ASCII_CODES) - Number(b.code >= ASCII_CODES) || compareText(a.trigram, b.trigram));
  return makeVocabulary(
    kept.map(({ trigram }) => trigram),
    Uint32Array.from(kept, ({ code }) => df[code]!),
    count,
  );
}

/** With room to spare: texts that are not ASCII bring new trigrams one by one. */
function longer(values: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.ceil(least * 1.25));
  larger.set(values);
  return larger;
}
