import { UsageError } from '../../data/problems.ts';
import { shorten } from '../../data/visible.ts';

/** A parameter of the recipe and the values it takes. */
export interface SweepAxis {
  /** As after --set: `pair.threshold`. */
  readonly path: string;
  /** The range as it was given: `0.1..0.9`. */
  readonly written: string;
  readonly values: readonly unknown[];
  /** The same as texts. */
  readonly texts: readonly string[];
  /** Whether all values are numbers, from low to high: only then lie some between others. */
  readonly numeric: boolean;
  /** The recipe's own setting, before anything is swept; null: it is not a single value. */
  readonly own: { readonly value: unknown; readonly text: string; readonly at: number | null } | null;
}

/** One `--over` line, taken apart. */
export type OverLine = Pick<SweepAxis, 'path' | 'written' | 'texts'>;

/** Points of one range: more make a longer wait and the same curve. */
const MOST_VALUES = 101;
/** Points of a grid: 21 by 21. */
const MOST_POINTS = 441;
const MOST_AXES = 2;
const LONGEST = 2000;
const FORMS = 'write 0.1..0.9, 0..1:0.25, or a list such as greedy,optimal';
const RANGE = /^\s*([^.\s][^\s]*?)\.\.([^:\s]*)(?::(\S*))?\s*$/;
const NUMBER = /^[+-]?\d{1,15}(?:\.(\d{1,15}))?(?:[eE]([+-]?\d{1,2}))?$/;

const NO_NUMBER = 'it changes no number that a sweep shows';
/** Sections that there is no point in sweeping over, with why. */
const POINTLESS: ReadonlyMap<string, string> = new Map([
  ['interval', 'it sets how sure a number is, not what it is: every point would have the same value'],
  ['task', 'it is another recipe'],
  ['extends', 'it is another recipe'],
  ['schemes', 'a sweep shows the recipe’s own pairing: sweep over pair instead'],
  ['about', NO_NUMBER],
  ['audit', NO_NUMBER],
  ['limits', NO_NUMBER],
  ['primary', NO_NUMBER],
  ['slice', NO_NUMBER],
]);

/** The parameters to sweep over: one, or two that make a grid. */
export function overLines(given: readonly string[]): OverLine[] {
  if (given.length === 0) throw new UsageError('nothing to sweep over', 'for example --over pair.threshold=0.1..0.9');
  if (given.length > MOST_AXES)
    throw new UsageError(`--over was given ${given.length} times; a sweep has two parameters at most`);
  const lines = given.map(overLine);
  if (lines.length === 2 && lines[0]!.path === lines[1]!.path)
    throw new UsageError(`--over ${lines[0]!.path} was given twice`, 'name another parameter, or widen the range');
  const points = lines.reduce((product, { texts }) => product * texts.length, 1);
  if (points > MOST_POINTS)
    throw new UsageError(
      `the grid has ${lines.map(({ texts }) => texts.length).join(' × ')} = ${points} points; the most is ${MOST_POINTS}`,
      'say larger steps after a colon, for example 0..1:0.05',
    );
  return lines;
}

function overLine(line: string): OverLine {
  const at = line.indexOf('=');
  if (at <= 0)
    throw new UsageError(`--over ${shown(line)}: expected path=range`, 'for example --over pair.threshold=0.1..0.9');
  const path = line.slice(0, at).trim();
  const [section = ''] = path.split('.');
  const why = POINTLESS.get(section);
  if (why !== undefined) throw new UsageError(`--over ${path}: there is no point in it, ${why}`);
  const written = line.slice(at + 1).trim();
  try {
    return { path, written, texts: rangeValues(written) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`--over ${path}: ${error.message}`.split('\n'), error.next);
  }
}

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
  if (range !== null) return stepsOf(range, written);
  const twice = pieces.find((piece, at) => pieces.indexOf(piece) !== at);
  if (pieces.includes('')) throw new UsageError(`${shown(written)}: there is nothing between two commas`, FORMS);
  refuseCount(written, pieces.length);
  if (twice !== undefined) throw new UsageError(`${shown(written)}: ${shown(twice)} is there twice`);
  return pieces;
}

/** In whole numbers of the finest decimal place, so that no step gathers what rounding leaves. */
function stepsOf([, low = '', high = '', by]: RegExpExecArray, written: string): string[] {
  const numbers = [low, high, by ?? '1'];
  let places = Math.max(...numbers.map(placesOf));
  const inUnits = (text: string): number => Math.round(Number(text) * 10 ** places);
  if (!numbers.every((text) => NUMBER.test(text) && Number.isSafeInteger(inUnits(text))))
    throw new UsageError(`${shown(written)} is no range: expected numbers, of 15 digits at most`, FORMS);
  const length = inUnits(high) - inUnits(low);
  if (length <= 0)
    throw new UsageError(`${shown(written)} ${length === 0 ? 'begins where it ends' : 'goes down'}`, FORMS);
  // Between two neighbours of the last decimal place there is nothing to see.
  if (by === undefined && length === 1) places += 1;
  const step = by === undefined ? 1 : inUnits(by);
  if (step <= 0) throw new UsageError(`${shown(written)}: the step must be above 0`, FORMS);
  const first = inUnits(low);
  const count = Math.floor((inUnits(high) - first) / step) + 1;
  refuseCount(written, count);
  return Array.from({ length: count }, (_, at) => {
    const text = ((first + at * step) / 10 ** places).toFixed(places);
    return places === 0 ? text : text.replace(/\.?0+$/, '');
  });
}

/** Decimal places of a number as it is written; 1e-3 has three. */
function placesOf(text: string): number {
  const [, decimals = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  return Math.max(0, decimals.length - Number(exponent));
}

function refuseCount(written: string, count: number): void {
  if (count < 2) throw new UsageError(`${shown(written)} is one value: a sweep needs two or more`, FORMS);
  if (count <= MOST_VALUES) return;
  throw new UsageError(
    `${shown(written)} has ${count} values; the most is ${MOST_VALUES}`,
    'say a larger step after a colon, for example 0..1:0.05',
  );
}

/** Splits at commas outside brackets and quotes. */
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
