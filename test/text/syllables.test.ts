import { describe, expect, it } from 'vitest';
import { syllables } from '../../src/text/syllables.ts';
import { KNOWN, type SyllableTable, UNSEEN } from './syllable-table.ts';
import { processorTime } from '../processor-time.ts';

function wrongIn(table: SyllableTable): { readonly n: number; readonly wrong: readonly string[] } {
  const rows = Object.entries(table).flatMap(([counts, words]) =>
    words.map((word) => ({ word, counts: counts.split('/') })),
  );
  const wrong = rows.filter(({ word, counts }) => !counts.includes(String(syllables(word)))).map(({ word }) => word);
  return { n: rows.length, wrong };
}

describe('syllables of English words', () => {
  it('are those of the dictionary for the words that the rules were made with', () => {
    const { n, wrong } = wrongIn(KNOWN);
    expect(n).toBeGreaterThan(350);
    expect(wrong).toEqual([]);
  });

  it('are those of the dictionary for more than 95 in 100 of words that were not in sight', () => {
    const { n, wrong } = wrongIn(UNSEEN);
    expect(n).toBeGreaterThan(450);
    expect(wrong.length / n).toBeLessThan(0.05);
    // Vowels that the dictionary drops: the rules count them.
    expect(wrong).toEqual(expect.arrayContaining(['opera', 'omelet']));
  });

  it('do not depend on case, marks or the shape of an apostrophe', () => {
    expect(syllables('WATER')).toBe(2);
    expect(syllables('prāṇāyāma')).toBe(4);
    expect(syllables('didn’t')).toBe(2);
  });

  it('are at least one for letters, and none without', () => {
    expect(syllables('hmm')).toBe(1);
    expect(syllables('42')).toBe(0);
    expect(syllables('')).toBe(0);
  });

  it('are counted in time that grows with the word', () => {
    const started = processorTime();
    for (const piece of ['a', 'ea', 'e', 'y', "a'", 'qu', 'b']) syllables(piece.repeat(100_000));
    expect(processorTime() - started).toBeLessThan(1000);
  });
});
