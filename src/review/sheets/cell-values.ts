import { damageIn, isFormulaError, withPlainLineEnds } from './spreadsheet-cells.ts';
import { numberOf } from '../agreement/rating-value.ts';
import { describe } from '../../data/record-fields.ts';
import type { ChecklistField, Described, ReviewField, ScaleField } from '../../recipe/review-section.ts';
import { closestNames } from '../../text/closest-names.ts';

/** The value of a cell, or why it has none that can be used. */
export type CellReading =
  | { readonly value: string | number | boolean }
  | { readonly fault: string; readonly next?: string | undefined };

const NOT_APPLICABLE = 'na';

// Spreadsheets write TRUE and FALSE in the language of their user.
const YES = 'true|t|yes|y|x|1|✓|✔|☑|✅|wahr|ja|vrai|oui|verdadero|sí|vero|हाँ|हां|सही'.split('|');
const NO = 'false|f|no|n|0|✗|✘|☐|❌|falsch|nein|faux|non|falso|नहीं|गलत'.split('|');
const NOT_APPLICABLE_WORDS = ['na', 'n/a', 'n.a.', 'not applicable', '#n/a', 'लागू नहीं'];
const MOST_NAMED = 12;

/** The answer that a cell, not an empty one, gives to a question; `part` is a dimension or an item of a checklist. */
export function readCell(field: ReviewField, part: string | null, cell: string): CellReading {
  switch (field.type) {
    case 'scale':
      return readPoint(field, cell);
    case 'choice':
      return readOption(field.options, cell);
    case 'checklist':
      return readTick(field, part, cell);
    case 'text':
      return isFormulaError(cell)
        ? { fault: `found ${describe(cell)}: the words were taken for a formula`, next: 'write them again' }
        : { value: withPlainLineEnds(cell) };
    case 'items':
      return readOption(field.labels, cell);
  }
}

function readPoint({ from, to, anchors }: ScaleField, cell: string): CellReading {
  const words = plainWords(cell);
  const anchor = Object.entries(anchors).find(([, meaning]) => plainWords(meaning) === words);
  const [, digits = words, rest = ''] = /^([+-]?\d+)\s*[-–—:=.)]\s*(\D.*)$/u.exec(words) ?? [];
  const point = anchor === undefined ? numberOf(digits.replace(/^([+-]?\d+),(\d+)$/, '$1.$2')) : Number(anchor[0]);
  const isMeant = rest === '' || rest === plainWords(anchors[digits] ?? '');
  if (point === null || !isMeant || !Number.isInteger(point) || point < from || point > to)
    return wrong(`a whole number from ${from} to ${to}`, cell);
  return { value: point };
}

/** Options and labels: by value or by title, in any case; several words in any order where only one option has them. */
export function readOption(options: Readonly<Record<string, Described>>, cell: string): CellReading {
  const entries = Object.entries(options);
  const words = plainWords(cell);
  const amount = numberOf(words);
  const sorted = sortedWords(words);
  const ways: readonly ((value: string, title: string) => boolean)[] = [
    (value) => value === cell.trim(),
    (value) => plainWords(value) === words,
    (_value, title) => plainWords(title) === words,
    (value) => amount !== null && numberOf(value) === amount,
    (value, title) => sortedWords(plainWords(value)) === sorted || sortedWords(plainWords(title)) === sorted,
  ];
  for (const fits of ways) {
    const found = entries.filter(([value, { title }]) => fits(value, title));
    if (found.length === 1) return { value: found[0]![0] };
  }
  const values = entries.map(([value]) => value);
  const named = values.slice(0, MOST_NAMED).join(', ') + (values.length > MOST_NAMED ? ', …' : '');
  const near = [values, entries.map(([, { title }]) => title)].flatMap((names) => closestNames(words, names, 1));
  return wrong(`one of ${named}`, cell, near.length > 0 ? `did you mean ${near[0]!}?` : undefined);
}

function readTick({ notApplicable }: ChecklistField, part: string | null, cell: string): CellReading {
  const words = plainWords(cell);
  const amount = numberOf(words);
  if (YES.includes(words) || amount === 1) return { value: true };
  if (NO.includes(words) || amount === 0) return { value: false };
  const mayNotApply = part !== null && notApplicable.includes(part);
  if (mayNotApply && NOT_APPLICABLE_WORDS.includes(words)) return { value: NOT_APPLICABLE };
  return wrong(mayNotApply ? 'yes, no or na' : 'yes or no', cell);
}

function wrong(expected: string, cell: string, next?: string): CellReading {
  const damage = damageIn(cell);
  return {
    fault: `expected ${expected}, found ${describe(cell)}${damage === null ? '' : `, which ${damage}`}`,
    next,
  };
}

/** Space around, case, an apostrophe in front, digits of full width or Devanagari: none of them is meant. */
function plainWords(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/^['’]+/, '')
    .replaceAll(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966))
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function sortedWords(words: string): string {
  return words
    .split(/[-\s/+&,_]+|\band\b/u)
    .filter((word) => word !== '')
    .sort()
    .join(' ');
}
