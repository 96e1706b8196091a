import { codePointLength } from './characters.ts';
import { compareText } from './compare.ts';

/**
 * The names somebody may have meant by a word that is none of them, best first. Upper and lower case never count. First
 * the name that is the same word, then names that one begins, then names at most a third of the longer one away (one edit
 * at least). Ties: fewer edits, then code-unit order, so that the order of `names` has no influence.
 *
 * @example closestNames('percision', ['precision', 'recall', 'f1']) // ['precision']
 */
export function closestNames(word: string, names: Iterable<string>, max = 3): string[] {
  return [...new Set(names)]
    .flatMap((name) => candidate(word, name) ?? [])
    .sort((a, b) => a.tier - b.tier || a.edits - b.edits || compareText(a.name, b.name))
    .slice(0, Math.max(0, max))
    .map(({ name }) => name);
}

// Shorter beginnings than this say nothing.
const SHORTEST_BEGINNING = 2;

/** Tier 0: the same but for case, 1: one begins the other, 2: a few edits away. */
function candidate(word: string, name: string): { name: string; tier: 0 | 1 | 2; edits: number } | null {
  const [typed, known] = [word.toLowerCase(), name.toLowerCase()];
  if (typed === '') return null;
  if (typed === known) return { name, tier: 0, edits: word === name ? 0 : 1 };
  const lengths = [codePointLength(typed), codePointLength(known)];
  const [shorter, longer] = [Math.min(...lengths), Math.max(...lengths)];
  const begins = known.startsWith(typed) || typed.startsWith(known);
  if (begins && shorter >= SHORTEST_BEGINNING) return { name, tier: 1, edits: longer - shorter };
  const allowed = Math.max(1, Math.floor(longer / 3));
  if (longer - shorter > allowed) return null;
  const edits = damerau(typed, known);
  return edits <= allowed && edits < longer ? { name, tier: 2, edits } : null;
}

/**
 * Damerau's distance (1964) in the form of optimal string alignment: as Levenshtein's, but swapping two neighbours costs
 * one. Always defined; 0 means equal. In code points. For short names: it fills the whole table.
 *
 * @example damerau('recall', 'reacll') // 1
 */
export function damerau(a: string, b: string): number {
  const [x, y] = [[...a], [...b]];
  const rows = [Array.from({ length: y.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= x.length; i += 1) {
    const [last, row] = [rows[i - 1]!, [i]];
    rows.push(row);
    for (let j = 1; j <= y.length; j += 1) {
      const replaced = last[j - 1]! + (x[i - 1] === y[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1];
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(replaced, last[j]! + 1, row[j - 1]! + 1, swapped));
    }
  }
  return rows[x.length]![y.length]!;
}
