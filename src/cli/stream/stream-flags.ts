import { UsageError } from '../../plugin.ts';
import { caseId } from '../../stream.ts';
import type { Terminal } from '../command.ts';
import * as flag from '../flags.ts';

export const VARIANTS = flag.names('<list>', 'variants, such as V0,V2 (default: all)', 'V0,V2');
export const EACH_CASE = flag.toggle('print each case as it is done');

/** The folder that a command writes to, under both names that it has had. */
export function outFolder(about: string): flag.Flag<string> {
  return { ...flag.required(flag.string('<folder>', about)), alias: 'output' };
}

/** What becomes part of file names, and of hashes that other programs make too. */
export function idFlag(about: string): flag.Flag<string | undefined> {
  return flag.parsed('<id>', about, (written, name) => {
    if (caseId.safeParse(written).success) return written;
    throw new UsageError(`${name} ${written}: expected letters, digits, full stops, hyphens and underscores`);
  });
}

/** The variants of `--variants`, each once; null for all of them. */
export function chosenVariants(names: readonly string[]): readonly string[] | null {
  return names.length === 0 ? null : [...new Set(names)];
}

/** Without this, a wait for input that was not piped in looks like a hang. */
export function noteWaiting({ note }: Pick<Terminal, 'note'>): void {
  if (process.stdin.isTTY) note('Reading from standard input; Ctrl-D ends it.');
}
