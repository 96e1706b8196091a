import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { type Document, programName, renderMarkdown, safeJson, shellWord, UsageError, writeAside } from '../plugin.ts';
import { readRun, type Run, type RunAbout } from '../index.ts';
import { ABOUT_FILE, expectName, expectTag, namingOf } from '../pipeline.ts';
import { namingBlocks, readAudit, readFigures, runDocument, scoredText } from '../report.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';
import { NAMING_FLAGS } from './naming-flags.ts';

type Change = readonly [key: string, value: string | null];

const FLAGS = {
  note: NAMING_FLAGS.note,
  tag: flag.parsed<readonly Change[], readonly Change[]>(
    '<key=value>',
    'tag to set, or with key= to remove; repeatable',
    (written, name) => [readChange(written, name)],
    [],
  ),
  clear: flag.toggle('remove the name, the note and all tags first'),
  json: flag.JSON_ALONE,
};

export default command({
  name: 'name',
  arguments: {
    run: flag.argument('run folder, written by assay score --out'),
    name: flag.optionalArgument('name of the run'),
  },
  flags: FLAGS,
  help: `
Without a name, a note or a tag it shows what the run is called, when it was
scored and at which commit. No number changes: only about.json and the title of
report.md are written.

Examples:
  $ assay name runs/b "GLiNER small, threshold 0.4"
  $ assay name runs/b --tag model=gliner --tag prompt= --note "after the relabelling"
  $ assay name runs/b`,
  async run({ run: folder, name, note, tag, clear }, { note: say }) {
    const run = await readRun(folder);
    const before = run.about ?? NOBODY;
    const isChanged = name !== undefined || note !== undefined || tag.length > 0 || clear;
    const kept = clear ? NOBODY : before;
    const about: RunAbout = {
      ...before,
      name: name === undefined ? kept.name : expectName(name, 'the name'),
      note: note ?? kept.note,
      tags: changed(kept.tags, tag),
    };
    const named = { ...run, about };
    if (isChanged) {
      await rename(named);
      if (existsSync(join(run.folder, 'report.html')))
        say(
          `report.html keeps its title until ${programName()} report ${shellWord(folder)} --format html writes it again.`,
        );
    }
    return { document: () => aboutDocument(named), json: () => safeJson(about) };
  },
});

const NOBODY: RunAbout = { name: null, note: null, tags: {}, date: null, commit: null };

function readChange(written: string, name: string): Change {
  const at = written.indexOf('=');
  if (at <= 0)
    throw new UsageError(`${name} ${written}: expected a key and a value`, `for example ${name} model=gliner`);
  const [key, value] = [written.slice(0, at), written.slice(at + 1)];
  return value.trim() === '' ? [expectTag(key, 'removed', name)[0], null] : expectTag(key, value, name);
}

function changed(tags: RunAbout['tags'], changes: readonly Change[]): Record<string, string> {
  const all = new Map(Object.entries(tags));
  for (const [key, value] of changes)
    if (value === null) all.delete(key);
    else all.set(key, value);
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The file that holds the name, and the page that begins with it. */
async function rename(run: Run & { readonly about: RunAbout }): Promise<void> {
  const { name, note, tags } = run.about;
  const advice = { next: 'make the run folder writable' };
  const file = join(run.folder, ABOUT_FILE);
  // A run that nobody names any more is as if nobody ever had.
  if (Object.keys(namingOf(run.about)).length === 0) rmSync(file, { force: true });
  else writeAside(file, `${JSON.stringify({ name, note, tags }, null, 2)}\n`, advice);
  const page = join(run.folder, 'report.md');
  if (!existsSync(page)) return;
  const [audit, figures] = [await readAudit(run), await readFigures(run)];
  writeAside(page, renderMarkdown(runDocument(run, { audit, figures })), advice);
}

function aboutDocument({ folder, about }: Run & { readonly about: RunAbout }): Document {
  const scored = scoredText(about);
  return {
    title: about.name ?? `${folder} has no name`,
    ...(about.name === null ? {} : { about: folder }),
    sections: [
      { blocks: namingBlocks(about) },
      { blocks: [scored === '' ? null : { text: `Scored ${scored}`, tone: 'quiet' }] },
    ],
  };
}
