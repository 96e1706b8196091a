import { UsageError } from '../../data/problems.ts';
import { shorten } from '../../data/visible.ts';
import { decimalOf, decimalText, inPlaces } from './decimal.ts';

/** Points of one range: more make a longer wait and the same curve. */
export const MOST_VALUES = 101;

const LONGEST = 2000;
const FORMS = 'write 0.1..0.9, 0..1:0.25, or a list such as greedy,optimal';
const RANGE = /^\s*([^.\s][^\s]*?)\.\.([^:\s]*)(?::(\S*))?\s*$/;

/**
 * The values of a range, as YAML texts. `a..b` goes in steps of the last decimal place written, ten times finer where
 * that would leave the two ends alone; `a..b:step` as far as the steps reach; `v1,v2,v3` are values of any kind.
 *
 * @example rangeValues('0.1..0.3') // ['0.1', '0.2', '0.3']
 * @example rangeValues('0..1:0.25') // ['0', '0.25', '0.5', '0.75', '1']
 * @example rangeValues('{LOC: 0.3},{LOC: 0.5}') // ['{LOC: 0.3}', '{LOC: 0.5}']
 */
export function rangeValues(written: string): string[] {
  if (written.length > LONGEST) throw new UsageError(`a range of ${written.length} characters; the most is ${LONGEST}`);
  if (written.trim() === '') throw new UsageError('there is no range', FORMS);
  const pieces = piecesOf(written);
  const range = pieces.length === 1 ? RANGE.exec(written) : null;
  const values = range === null ? listOf(pieces, written) : stepsOf(range, written);
  if (values.length < 2) throw new UsageError(`${shown(written)} is one value: a sweep needs two or more`, FORMS);
  return values;
}

function listOf(pieces: readonly string[], written: string): string[] {
  if (pieces.includes('')) throw new UsageError(`${shown(written)}: there is nothing between two commas`, FORMS);
  if (pieces.length > MOST_VALUES) throw tooMany(written, String(pieces.length));
  const twice = pieces.find((piece, at) => pieces.indexOf(piece) !== at);
  if (twice !== undefined) throw new UsageError(`${shown(written)}: ${shown(twice)} is there twice`);
  return [...pieces];
}

function stepsOf([, low = '', high = '', by]: RegExpExecArray, written: string): string[] {
  const [from, to, step] = [decimalOf(low), decimalOf(high), by === undefined ? undefined : decimalOf(by)];
  if (from === null || to === null || step === null)
    throw new UsageError(`${shown(written)} is no range: expected numbers, of 15 digits at most`, FORMS);
  const places = Math.max(from.places, to.places, step?.places ?? 0);
  const [first, last] = [inPlaces(from, places), inPlaces(to, places)];
  if (first >= last)
    throw new UsageError(`${shown(written)} ${first === last ? 'begins where it ends' : 'goes down'}`, FORMS);
  // Between two neighbours of the last decimal place there is nothing to see.
  if (step === undefined && last - first === 1n) return multiples(first * 10n, last * 10n, 1n, places + 1, written);
  const units = step === undefined ? 1n : inPlaces(step, places);
  if (units <= 0n) throw new UsageError(`${shown(written)}: the step must be above 0`, FORMS);
  return multiples(first, last, units, places, written);
}

function multiples(first: bigint, last: bigint, step: bigint, places: number, written: string): string[] {
  const count = (last - first) / step + 1n;
  if (count > BigInt(MOST_VALUES)) throw tooMany(written, String(count));
  return Array.from({ length: Number(count) }, (_, at) => decimalText(first + BigInt(at) * step, places));
}

function tooMany(written: string, count: string): UsageError {
  return new UsageError(
    `${shown(written)} has ${count} values; the most is ${MOST_VALUES}`,
    'say a larger step after a colon, for example 0..1:0.05',
  );
}

/** Split at commas that stand in no bracket and no quotes. */
function piecesOf(written: string): string[] {
  const pieces = [''];
  let depth = 0;
  let quote = '';
  let before = ',';
  for (const character of written) {
    // An apostrophe within a word opens nothing.
    if (quote !== '') quote = character === quote ? '' : quote;
    else if ((character === '"' || character === "'") && ',[{:'.includes(before)) quote = character;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (character === ',' && depth === 0 && quote === '') pieces.push('');
    else pieces[pieces.length - 1] += character;
    if (character.trim() !== '') before = character;
  }
  if (depth !== 0 || quote !== '')
    throw new UsageError(`${shown(written)}: a bracket or a quotation mark is not closed`, FORMS);
  return pieces.map((piece) => piece.trim());
}

function shown(written: string): string {
  return shorten(written, 60);
}
