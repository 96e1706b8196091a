import { parse } from 'yaml';

import { UsageError } from '../../data/problems.ts';
import { shorten } from '../../data/visible.ts';
import { rangeValues } from './range.ts';

/** One `--over` line, taken apart. */
export interface OverLine {
  readonly path: string;
  readonly written: string;
  /** YAML texts. */
  readonly texts: readonly string[];
}

/** Points of a grid: 21 by 21. */
export const MOST_POINTS = 441;
const MOST_AXES = 2;

const NO_NUMBER = 'it changes no number that a sweep shows';
/** Sections that there is no point in sweeping over, with why. */
const POINTLESS: ReadonlyMap<string, string> = new Map([
  ['interval', 'it says how sure a number is, not what it is: every point would have the same value'],
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
    throw new UsageError(
      `--over ${shorten(line, 60)}: expected path=range`,
      'for example --over pair.threshold=0.1..0.9',
    );
  const path = line.slice(0, at).trim();
  const [section = ''] = path.split('.');
  const why = POINTLESS.get(section);
  if (why !== undefined) throw new UsageError(`--over ${path}: there is no point in it, ${why}`);
  const written = line.slice(at + 1).trim();
  try {
    return { path, written, texts: rangeValues(written) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const [first = '', ...rest] = error.message.split('\n');
    throw new UsageError([`--over ${path}: ${first}`, ...rest], error.next);
  }
}

/** What a text of a range means; whether it is YAML at all has been found out by laying it over the recipe. */
export function valueOf(text: string): unknown {
  const value: unknown = parse(text, { maxAliasCount: 0 });
  return value;
}

/** Whether all are numbers that rise. */
export function areRising(values: readonly unknown[]): boolean {
  return values.every((value, at) => typeof value === 'number' && (at === 0 || Number(values[at - 1]) < value));
}
