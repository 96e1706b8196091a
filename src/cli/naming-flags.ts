import { UsageError } from '../plugin.ts';
import type { RunNaming } from '../index.ts';
import { expectName, expectNote, expectTag } from '../pipeline.ts';
import * as flag from './flags.ts';

type Tag = readonly [key: string, value: string];

/** Flags of every command that writes a run folder. They change no number. */
export const NAMING_FLAGS = {
  name: flag.parsed('<text>', 'name of the run, in reports, lists and comparisons', expectName),
  note: flag.parsed('<text>', 'note on the run: what was tried, and why', expectNote),
  tag: flag.parsed<readonly Tag[], readonly Tag[]>(
    '<key=value>',
    'tag of the run; repeatable',
    (...tag) => [readTag(...tag)],
    [],
  ),
};

export type NamingFlags = flag.FlagValues<typeof NAMING_FLAGS>;

function readTag(written: string, name: string): Tag {
  const at = written.indexOf('=');
  if (at <= 0)
    throw new UsageError(`${name} ${written}: expected a key and a value`, `for example ${name} model=gliner`);
  return expectTag(written.slice(0, at), written.slice(at + 1), name);
}

/** What the flags call a run. */
export function namingOfFlags({ name, note, tag }: NamingFlags): RunNaming {
  const keys = tag.map(([key]) => key);
  const twice = keys.find((key, at) => keys.indexOf(key) < at);
  if (twice !== undefined) throw new UsageError(`--tag ${twice}: given twice`, 'give it once');
  return flag.defined({ name, note, tags: tag.length === 0 ? undefined : Object.fromEntries(tag) });
}

/** Without a folder, nobody would ever see the name. */
export function refuseUnkept(naming: RunNaming, out: string | undefined): void {
  const [given] = Object.keys(naming);
  if (out === undefined && given !== undefined)
    throw new UsageError(`--${given.replace(/s$/, '')}: it is kept in the run folder`, 'add --out FOLDER');
}
