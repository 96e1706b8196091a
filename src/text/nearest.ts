import { codePointLength } from './characters.ts';
import { compareText } from './compare.ts';

/**
 * The names somebody may have meant by a word that is none of them, best first; empty when nothing is near.
 *
 * Upper and lower case never count. First the name that is the same word, then names that the word begins or that begin
 * it, then names at most a third of the longer one away (one edit at least), a swap of neighbours being one edit.
 * Ties: fewer edits, then code-unit order, so that the order of `names` has no influence.
 *
 * @example nearestNames('percision', ['precision', 'recall', 'f1']) // ['precision']
 * @example nearestNames('xyz', ['precision', 'recall', 'f1']) // []
 */
export function nearestNames(word: string, names: Iterable<string>, max = 3): string[] {
  const near: Candidate[] = [];
  for (const name of new Set(names)) {
    const candidate = compare(word, name);
    if (candidate !== null) near.push(candidate);
  }
  near.sort((a, b) => a.tier - b.tier || a.edits - b.edits || compareText(a.name, b.name));
  return near.slice(0, Math.max(0, max)).map((candidate) => candidate.name);
}

interface Candidate {
  readonly name: string;
  /** 0 the same but for case, 1 one begins the other, 2 a few edits away. */
  readonly tier: 0 | 1 | 2;
  readonly edits: number;
}

// Shorter beginnings than this say nothing.
const SHORTEST_BEGINNING = 2;

function compare(word: string, name: string): Candidate | null {
  const typed = word.toLowerCase();
  const known = name.toLowerCase();
  if (typed === '') return null;
  if (typed === known) return { name, tier: 0, edits: word === name ? 0 : 1 };

  const shorter = Math.min(codePointLength(typed), codePointLength(known));
  const longer = Math.max(codePointLength(typed), codePointLength(known));
  const begins = known.startsWith(typed) || typed.startsWith(known);
  if (begins && shorter >= SHORTEST_BEGINNING) return { name, tier: 1, edits: longer - shorter };

  const allowed = Math.max(1, Math.floor(longer / 3));
  if (longer - shorter > allowed) return null;
  const edits = damerau(typed, known);
  return edits <= allowed && edits < longer ? { name, tier: 2, edits } : null;
}

/**
 * Damerau's distance in the form of optimal string alignment: as Levenshtein's, but swapping two neighbours costs one.
 * Always defined; 0 means equal. In code points. For short names: it fills the whole table.
 *
 * Damerau, F. J. (1964), A technique for computer detection and correction of spelling errors.
 *
 * @example damerau('recall', 'reacll') // 1
 */
export function damerau(a: string, b: string): number {
  const x = [...a];
  const y = [...b];
  let beforeLast: number[] = [];
  let last = Array.from({ length: y.length + 1 }, (_, j) => j);
  for (let i = 1; i <= x.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= y.length; j += 1) {
      const replace = (last[j - 1] ?? 0) + (x[i - 1] === y[j - 1] ? 0 : 1);
      let best = Math.min(replace, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[y.length] ?? 0;
}
