import { Command, Option } from 'commander';

import { UsageError } from '../data/problems.ts';
import { repeatsJson } from '../report/repeats-json.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { repeatsDocument, ROWS_SHOWN } from '../report/repeats.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { repeatFiles, repeatRuns, type Repeats } from '../compare/repeats/repeats.ts';
import { type DataFlags, dataFlags } from './data-flags.ts';
import { refusePlaces, writeWhole } from './write-whole.ts';

interface RepeatsFlags extends DataFlags {
  readonly recipe?: string;
  readonly cases?: string;
  readonly gold?: string;
  readonly predictions?: readonly string[];
  readonly set?: readonly string[];
  readonly undecided?: string;
  readonly strict?: boolean;
  readonly force?: boolean;
  readonly limit?: string;
  readonly json?: boolean;
  readonly out?: string;
  readonly markdown?: string;
  readonly quiet?: boolean;
}

function collect(value: string, all: readonly string[] | undefined): readonly string[] {
  return [...(all ?? []), value];
}

export function repeatsCommand(): Command {
  return new Command('repeats')
    .argument('[runs...]', 'folders that assay score --out made, two or more')
    .option('--recipe <recipe>', 'preset or recipe file, for files of predictions instead of folders')
    .option('--cases <file>', 'the texts, possibly with gold inside; - is standard input')
    .option('--gold <file>', 'what is right; without gold only the stability is reported')
    .addOption(new Option('--predictions <file>', 'what one run said; once for each run').argParser(collect))
    .addOption(new Option('--set <path=value>', 'change one line of the recipe; may be given again').argParser(collect))
    .option('--format <name>', 'format of the files (default: detected)')
    .addOption(new Option('--offsets <unit>', 'unit of span offsets').choices(['codepoint', 'utf16', 'byte']))
    .option('--columns <map>', 'CSV columns, for example id=document,start=from,end=to,label=category')
    .option('--system <name>', 'whose <name>_detected_pii to take, where documents have several')
    .option('--undecided <values>', 'values that say "I do not know" (default: unknown,uncertain)')
    .option('--strict', 'refuse cases that are not in every run, or failed, instead of leaving them out')
    .option('--force', 'compare folders although their recipes, cases or gold differ')
    .option('--limit <n>', `rows of each list on the terminal (default: ${ROWS_SHOWN})`)
    .option('--json', 'print the comparison as JSON on standard output, everything else on standard error')
    .option('--out <file>', 'write the JSON to a file')
    .option('--markdown <file>', 'write a Markdown page')
    .option('--quiet', 'print nothing but errors')
    .addHelpText(
      'after',
      `
Examples:
  $ assay repeats runs/1 runs/2 runs/3
  $ assay repeats --recipe journal/ashwam --cases journals.jsonl \\
      --predictions run1.jsonl --predictions run2.jsonl --predictions run3.jsonl
  $ assay repeats --recipe pii/piranha --gold gold.jsonl \\
      --predictions a.jsonl --predictions b.jsonl --markdown repeats.md`,
    )
    .action(repeats);
}

async function repeats(folders: readonly string[], flags: RepeatsFlags): Promise<void> {
  const most = limitOf(flags.limit);
  refusePlaces([
    ['--out', flags.out],
    ['--markdown', flags.markdown],
  ]);
  const found = folders.length > 0 ? await fromFolders(folders, flags) : await fromFiles(flags);
  const json = repeatsJson(found);
  const page = flags.markdown === undefined ? null : renderMarkdown(repeatsDocument(found));
  if (flags.out !== undefined) writeWhole(flags.out, json, '--out');
  if (flags.markdown !== undefined && page !== null) writeWhole(flags.markdown, page, '--markdown');
  if (flags.json === true) process.stdout.write(json);
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  stream.write(renderTerminal(repeatsDocument(found, most), terminalStyle(stream)));
}

const FILE_FLAGS = ['cases', 'gold', 'predictions', 'format', 'offsets', 'columns', 'system'] as const;

function fromFolders(folders: readonly string[], flags: RepeatsFlags): Promise<Repeats> {
  const strange = FILE_FLAGS.find((name) => flags[name] !== undefined);
  if (strange !== undefined)
    throw new UsageError(
      `--${strange} is for files of predictions, and run folders were given`,
      'give folders, or --recipe with --cases and one --predictions for each run',
    );
  if (flags.set !== undefined && flags.recipe === undefined)
    throw new UsageError('--set changes a recipe, but run folders have been scored', 'score again with --set');
  return repeatRuns(folders, {
    ...optionsOf(flags),
    force: flags.force === true,
    set: flags.set ?? [],
    ...(flags.recipe === undefined ? {} : { recipe: flags.recipe }),
  });
}

function fromFiles(flags: RepeatsFlags): Promise<Repeats> {
  if (flags.recipe === undefined)
    throw new UsageError(
      flags.predictions === undefined ? 'no runs were given' : 'no recipe: nothing says how items are compared',
      'give run folders, or --recipe with --cases and one --predictions for each run',
    );
  if (flags.force === true)
    throw new UsageError('--force is for run folders: files are always compared by the same recipe and cases');
  const { cases, gold, predictions = [] } = flags;
  return repeatFiles(
    flags.recipe,
    { cases, gold, predictions },
    { ...optionsOf(flags), set: [...(flags.set ?? []), ...dataFlags(flags)] },
  );
}

function optionsOf(flags: RepeatsFlags): { strict: boolean; undecided?: readonly string[] } {
  const strict = flags.strict === true;
  if (flags.undecided === undefined) return { strict };
  const words = flags.undecided.split(',').map((word) => word.trim());
  return { strict, undecided: words.filter((word) => word !== '') };
}

function limitOf(given: string | undefined): number {
  if (given === undefined) return ROWS_SHOWN;
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError(`--limit ${given}: expected a whole number of rows, 1 or more`);
  return limit;
}
