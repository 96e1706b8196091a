import {
  describe,
  type Fields,
  hasExactNumbers,
  isRecord,
  mayKeepAll,
  parseDuration,
  Problems,
  UsageError,
} from '../plugin.ts';

/** For options of the library, which are left out if they were not given. */
export { defined } from '../plugin.ts';

/** A flag or an argument as a command declares it; the type of its value follows from how it was made. */
export interface Flag<T> {
  readonly about: string;
  /** What follows the flag, as the help shows it: `<file>`, `[level]`; null for a switch. */
  readonly value: string | null;
  /** The value of what was written. The lists of a flag that is repeated are joined. */
  readonly read?: (text: string, flag: string) => T;
  /** The value without the flag. */
  readonly fallback?: T;
  readonly choices?: readonly string[];
  /** What is read if the flag is given without its optional value. */
  readonly preset?: string;
  readonly required?: boolean;
  /** Another long name. */
  readonly alias?: string;
  /** Variable of the environment that stands for the flag. */
  readonly environment?: string;
  /** With it, nothing else is printed. */
  readonly alone?: boolean;
  /** A file of the user's: one that is read is not written over, one that is written is checked before the work. */
  readonly file?: 'read' | 'write';
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

type ValueOf<F> = F extends Flag<infer T> ? T : never;

/** The values of declared flags. A flag without a fallback that was not given has no key. */
export type FlagValues<F> = {
  readonly [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]>;
} & { readonly [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: Exclude<ValueOf<F[K]>, undefined> };

export const JSON = toggle('print the result as JSON on standard output, everything else on standard error');
/** Of commands that look something up: the result need not be shown twice. */
export const JSON_ALONE: Flag<boolean> = { ...toggle('print the result as JSON on standard output'), alone: true };
export const VERBOSE = toggle('also show the signature and the notes on the measures');
export const QUIET = toggle('print nothing but errors');

/** Off unless it is given. */
export function toggle(about: string): Flag<boolean> {
  return { about, value: null, fallback: false };
}

/** On unless it is given: `report: switchOff(…)` is `--no-report`. */
export function switchOff(about: string): Flag<boolean> {
  return { about, value: null, fallback: true };
}

/** With a fallback, the flag always has a value. */
export function string<F extends string | undefined = undefined>(
  value: string,
  about: string,
  fallback?: F,
): Flag<string | F> {
  return { about, value, ...(fallback === undefined ? {} : { fallback }) };
}

/** A value that `read` makes of what was written, or refuses with the name of the flag. */
export function parsed<T, F extends T | undefined = undefined>(
  value: string,
  about: string,
  read: (written: string, flag: string) => T,
  fallback?: F,
): Flag<T | F> {
  return { about, value, read, ...(fallback === undefined ? {} : { fallback }) };
}

/** A file that is read. */
export function inputFile(about: string, value = '<file>'): Flag<string | undefined> {
  return { about, value, file: 'read' };
}

/** Files that are read as one: repeatable, a folder, or a pattern in quotes. */
export function inputFiles(about: string): Flag<readonly string[]> {
  const several = `${about}; repeatable, also a folder or 'part-*.jsonl' in quotes`;
  return { about: several, value: '<file>', fallback: [], read: (written) => [written], file: 'read' };
}

/** A file that the command writes. */
export function outputFile(about: string, value = '<file>'): Flag<string | undefined> {
  return { about, value, file: 'write' };
}

/** A flag that the call must have. */
export function required<T>(flag: Flag<T>): Flag<Exclude<T, undefined>>;
export function required(flag: Flag<unknown>): Flag<unknown> {
  return { ...flag, required: true };
}

/** Repeatable; `<file...>` also takes several values at once. */
export function strings(value: string, about: string): Flag<readonly string[]> {
  const isPlain = value.endsWith('...>');
  return {
    about: isPlain ? about : `${about}; repeatable`,
    value,
    fallback: [],
    read: (written) => [written],
  };
}

/** Names between commas, repeatable: `--measure f1,recall`. */
export function names(value: string, about: string, example: string): Flag<readonly string[]> {
  const read = (written: string, flag: string): readonly string[] => {
    const list = written.split(',').map((name) => name.trim());
    if (list.includes(''))
      throw new UsageError(`${flag} ${written}: expected names between commas`, `for example ${flag} ${example}`);
    return list;
  };
  return parsed(value, about, read, []);
}

export interface WholeNumbers {
  readonly from: number;
  readonly to?: number;
}

export function integer<F extends number | undefined = undefined>(
  value: string,
  about: string,
  { from, to }: WholeNumbers,
  fallback?: F,
): Flag<number | F> {
  const read = (written: string, flag: string): number => {
    const number = Number(written);
    if (/^\d+$/.test(written) && number >= from && number <= (to ?? Number.MAX_SAFE_INTEGER)) return number;
    const range = to === undefined ? `, ${from} or more` : ` from ${from} to ${to}`;
    throw new UsageError(`${flag} ${written}: expected a whole number${range}`);
  };
  return parsed(value, about, read, fallback);
}

/** Between 0 and 1, both left out. */
export function fraction(value: string, about: string): Flag<number | undefined> {
  return parsed(value, about, (written, flag) => {
    const number = Number(written);
    if (written.trim() !== '' && number > 0 && number < 1) return number;
    const share = Number.parseFloat(written) / 100;
    throw new UsageError(
      `${flag} ${written}: expected a number between 0 and 1`,
      share > 0.5 && share < 1 ? `did you mean ${flag} ${share}?` : 'such as 0.95',
    );
  });
}

/** `from` or `above`, the latter without the number itself. */
export interface NumberLimits {
  readonly from?: number;
  readonly above?: number;
  readonly to?: number;
}

export function amount(value: string, about: string, range: NumberLimits): Flag<number | undefined> {
  return parsed(value, about, (written, flag) => numberIn(written, flag, range));
}

function numberIn(written: string, flag: string, { from, above, to = Infinity }: NumberLimits, otherwise = ''): number {
  const number = written.trim() === '' ? NaN : Number(written);
  if (Number.isFinite(number) && number >= (from ?? -Infinity) && number > (above ?? -Infinity) && number <= to)
    return number;
  const bounds =
    above === undefined
      ? `from ${from ?? 0} ${to === Infinity ? 'on' : `to ${to}`}`
      : `above ${above}${to === Infinity ? '' : `, at most ${to}`}`;
  throw new UsageError(`${flag} ${written}: expected a number ${bounds}${otherwise}`);
}

/** Of a model; null is `none`, for models that do not accept one. */
export function temperature<F extends number | undefined = undefined>(
  about: string,
  fallback?: F,
): Flag<number | null | F> {
  const read = (written: string, name: string): number | null =>
    written === 'none' ? null : numberIn(written, name, { from: 0, to: 2 }, ', or none');
  return parsed('<t>', about, read, fallback);
}

/** Milliseconds. */
export function duration(value: string, about: string): Flag<number | undefined> {
  return parsed(value, about, parseDuration);
}

export interface PriceFlag {
  readonly input: number;
  readonly output: number;
  readonly batch?: number;
}

/** Of a million input and output tokens; a third number is the share of it that a batch costs. */
export function prices(about: string): Flag<PriceFlag | undefined> {
  return parsed('<in,out>', about, (written, flag) => {
    const [input = '', output = '', batch, ...rest] = written.split(',');
    if (rest.length > 0 || output === '')
      throw new UsageError(`${flag} ${written}: expected two numbers, of input and output`, `such as ${flag} 0.1,0.4`);
    const both = { input: numberIn(input, flag, { from: 0 }), output: numberIn(output, flag, { from: 0 }) };
    return batch === undefined ? both : { ...both, batch: numberIn(batch, flag, { from: 0, to: 1 }) };
  });
}

export function choice<const T extends string, F extends T | undefined = undefined>(
  choices: readonly T[],
  value: string,
  about: string,
  fallback?: F,
): Flag<T | F> {
  return { about, value, choices, ...(fallback === undefined ? {} : { fallback }) };
}

/** A JSON object, read as carefully as a file. */
export function object(about: string): Flag<Fields | undefined> {
  return parsed('<json>', about, (written, flag) => {
    let value: unknown;
    try {
      value = globalThis.JSON.parse(written);
    } catch {
      throw new UsageError(`${flag} ${written}: expected a JSON object`, `for example ${flag} '{"owner":"ward 7"}'`);
    }
    if (!isRecord(value)) throw new UsageError(`${flag}: expected a JSON object, found ${describe(value)}`);
    const problems = new Problems();
    hasExactNumbers(written, 1, { file: flag, problems });
    mayKeepAll(value, flag, 1, { file: flag, problems });
    problems.throwIfAny();
    return value;
  });
}

/** A word that the command must have. */
export function argument(about: string): Flag<string> {
  return { about, value: '<>', required: true };
}

export function optionalArgument(about: string): Flag<string | undefined> {
  return { about, value: '[]' };
}

/** All words that are left, none included. */
export function restArguments(about: string): Flag<readonly string[]> {
  return { about, value: '[...]', fallback: [] };
}

/** All words that are left, one at least. */
export function someArguments(about: string): Flag<readonly string[]> {
  return { about, value: '<...>', fallback: [] };
}

/** A key as it is written: `asPublished` is `--as-published`. */
export function flagName(key: string): string {
  return `--${kebab(key)}`;
}

export function kebab(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
