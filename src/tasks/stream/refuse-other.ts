import { InputError } from '../../data/problems.ts';

/** What a file is whose first record is of a kind. */
const FILES: Readonly<Record<string, string>> = {
  trace_meta: 'a trace',
  run_meta: 'a run log',
  manifest_meta: 'a manifest',
};

/** One kind of file given for another is one mistake, not one for each of its records. */
export function refuseOther(text: string, file: string, own: string, expected: string): void {
  const first = /^\s*\{[^\n]{0,100000}?"record_type"\s*:\s*"([a-z_]{1,40})"/.exec(text)?.[1];
  if (first === undefined || first === own || !Object.hasOwn(FILES, first)) return;
  throw new InputError([{ file, line: 1, message: `this is ${FILES[first]!}, expected ${expected}` }]);
}
