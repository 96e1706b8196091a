import { existsSync } from 'node:fs';

import {
  commandTable,
  type Document,
  entryAt,
  isPattern,
  plural,
  programName,
  renderTerminal,
  safeJson,
  safeText,
  shellWord,
  sourceOf,
  UsageError,
} from '../plugin.ts';
import type { DataCheck, DataFileCheck } from '../index.ts';
import { checkData, checkFile, planRecipe, refuseUse } from '../pipeline.ts';
import { dataCheckDocument } from '../report.ts';
import { command, type Terminal } from './command.ts';
import { dataSettings } from './data-flags.ts';
import * as flag from './flags.ts';
import { isDataFile, type ReadingFlags, flagWords, SEVERAL } from './proposed-recipe.ts';
import {
  fileFlags,
  refuseNoFiles,
  scoredFiles,
  type SourceFlags,
  sourcesOfSystems,
  withProgress,
} from './scored-sources.ts';

const HELP = `
With data files instead of a recipe, each is checked by itself: its format, its
records, cases and labels, what is wrong with it and what is odd, and how to
score it.

Reads the files exactly as assay score does, and reports
  problems   what score would refuse: lines that cannot be read, fields of the
             wrong kind, the same id twice, spans past the end of the text or
             whose text is not the slice, gold labels and values outside the
             recipe's lists, records of cases that the other file lacks
  findings   what score lets pass: predicted labels and values that the recipe
             does not know, cases without predictions, empty texts, and what
             assay audit knows of files: duplicates, quotes that are not in the
             text, relationships that point to nothing, copied gold
  counts     cases, records and how often each label occurs, gold and predicted

Exit codes: 0 the files can be scored, 1 there are problems or findings of
severity error (with --strict also warnings), 2 the call is wrong.

Examples:
  $ assay validate gold.jsonl                      what is it, and is it sound?
  $ assay validate gold.conll predictions.json     each of them
  $ assay validate pii/presidio --cases docs.json
  $ assay validate journal/ashwam --cases journals.jsonl --gold gold.jsonl
  $ assay validate recipe.yaml --gold gold.jsonl --predictions p.jsonl --json`;

export default command({
  name: 'validate',
  arguments: { words: flag.someArguments('preset or recipe file; or data files, to check each by itself') },
  flags: {
    ...fileFlags('model output to check; also as NAME=FILE'),
    strict: flag.toggle('exit code 1 also for warnings'),
    json: flag.toggle('print everything as JSON on standard output'),
    quiet: flag.toggle('print nothing: the exit code is the answer'),
  },
  help: HELP,
  async run({ words, strict, json, ...flags }, terminal) {
    const { progress, print, style } = terminal;
    const [recipe = '', ...others] = words;
    if (isDataFile(recipe)) {
      refuseRoles(recipe, flags);
      const checks = await checkEach(words, { ...flags, json }, terminal);
      return checks.some((check) => isBad(check, strict)) ? 1 : 0;
    }
    // No preset has a full stop in its name.
    if (/\.(?!ya?ml$)\w+$/i.test(recipe) && !existsSync(recipe))
      throw new UsageError(`${recipe} does not exist`, 'name a data file, a preset or a recipe file');
    if (others.length > 0)
      throw new UsageError(
        `${recipe} is a recipe, and ${others[0]!} comes after it`,
        `${SEVERAL}; without a recipe, each is checked by itself`,
      );
    if (entryAt(recipe) !== undefined) refuseNoFiles(flags);
    const plan = await planRecipe(recipe, dataSettings(flags));
    refuseUse('validate', plan, plan.name);
    const files = await scoredFiles(plan, flags, terminal.note);
    const checks: { readonly system: string; readonly check: DataCheck }[] = [];
    for (const { name: system, sources } of sourcesOfSystems(withProgress(files, progress)))
      checks.push({ system, check: await checkData(plan, sources) });
    progress.end();
    const isOne = checks.length === 1;
    if (json)
      process.stdout.write(
        safeJson(isOne ? checks[0]!.check : checks.map(({ system, check }) => ({ system, ...check }))),
      );
    else
      for (const { system, check } of checks)
        print(`${isOne ? '' : `${safeText(system)}\n`}${renderTerminal(dataCheckDocument(check), style)}`);
    return checks.some(({ check }) => isBad(check, strict)) ? 1 : 0;
  },
});

/** Files that belong together are checked by a recipe. */
function refuseRoles(file: string, flags: Pick<SourceFlags, 'cases' | 'gold' | 'predictions'>): void {
  const { cases = [], gold = [], predictions = [] } = flags;
  const given = Object.entries({ cases: cases[0], gold: gold[0], predictions: predictions[0] }).find(
    ([, value]) => value !== undefined,
  );
  if (given !== undefined)
    throw new UsageError(
      `${file} is a data file, which is checked by itself, and --${given[0]} names another`,
      'to check files against each other, name a recipe: assay validate spans/strict --gold FILE --predictions FILE',
    );
}

function isBad({ problems, findings }: DataCheck, strict: boolean): boolean {
  return (
    problems.total > 0 || findings.some(({ severity }) => severity === 'error' || (strict && severity === 'warning'))
  );
}

interface CheckedFile {
  readonly file: string;
  readonly check: DataFileCheck;
}

/** Checks each file by itself, and shows what can be done with them. */
async function checkEach(
  files: readonly string[],
  flags: ReadingFlags & { readonly json: boolean },
  { progress, print, style }: Terminal,
): Promise<readonly DataFileCheck[]> {
  if (files.filter((file) => file === '-').length > 1)
    throw new UsageError('standard input (-) can be read once only', 'give the other file by name');
  const missing = files.find((file) => file !== '-' && !isPattern(file) && entryAt(file) === undefined);
  if (missing !== undefined)
    throw new UsageError(`${missing} does not exist`, `${files[0] ?? ''} is data, so every other word is a file too`);
  const set = dataSettings(flags);
  const checked: CheckedFile[] = [];
  for (const file of files) {
    checked.push({ file, check: await checkFile(sourceOf(file), set) });
    progress.end();
  }
  const checks = checked.map(({ check }) => check);
  if (flags.json) process.stdout.write(safeJson(checks.length === 1 ? checks[0] : checks));
  else {
    for (const one of checked)
      print(`${renderTerminal(fileDocument(one, flags), style)}${files.length > 1 ? '\n' : ''}`);
    const together = togetherCommand(checked, flags);
    if (together !== null) print(`To check them against each other:\n  ${together}\n`);
  }
  return checks;
}

function fileDocument({ file, check }: CheckedFile, flags: ReadingFlags): Document {
  const { sections } = dataCheckDocument(check);
  const [read] = check.files;
  const items = check.labels.reduce((sum, { gold, predicted }) => sum + gold + predicted, 0);
  return {
    title: `${file}: ${read?.format ?? 'unknown'}`,
    about: `${plural(read?.rows ?? 0, 'record')}, ${plural(check.cases, 'case')}, ${plural(items, 'item')}: ${contentsText(check)}.`,
    sections: [
      // The first names the files, as the title does.
      ...sections.slice(1),
      ...(check.problems.total > 0
        ? []
        : [{ title: 'Next', blocks: [commandTable(nextCommands(file, check, flags))] }]),
    ],
  };
}

function contentsText({ contents, hasTexts }: DataFileCheck): string {
  if (contents === 'texts' || contents === 'nothing')
    return contents === 'texts' ? 'texts without annotations' : 'no items';
  return `${contents}, ${hasTexts ? 'with' : 'without'} texts`;
}

/** How the file is scored, with capitals for what is still needed. */
function nextCommands(file: string, check: DataFileCheck, flags: ReadingFlags): [what: string, command: string][] {
  const { contents, hasTexts, recipe, task } = check;
  const own = shellWord(file);
  // Quotes are looked up in their texts.
  const texts = hasTexts || task !== 'journal' ? '' : '--cases TEXTS ';
  const call = (sources: string): string =>
    `${programName()} score ${recipe} ${sources}${flagWords(flags)} --out runs/first`;
  const asGold: [string, string] = ['As gold', call(`${texts}--gold ${own} --predictions PREDICTIONS`)];
  const asOutput: [string, string] = ['As predictions', call(`${texts}--gold GOLD --predictions ${own}`)];
  switch (contents) {
    case 'gold and predictions':
      return [['Score it', call(`--cases ${own}`)]];
    case 'predictions':
      return [asOutput];
    case 'texts':
      return [['As cases', call(`--cases ${own} --gold GOLD --predictions PREDICTIONS`)]];
    case 'annotations':
      return [asGold, asOutput];
    case 'nothing':
      return [asGold];
  }
}

function togetherCommand([first, second, ...more]: readonly CheckedFile[], flags: ReadingFlags): string | null {
  if (first === undefined || second === undefined || more.length > 0) return null;
  const both = [first, second];
  if (both.some(({ check }) => check.problems.total > 0 || check.recipe !== first.check.recipe)) return null;
  const texts = both.find(({ check }) => check.contents === 'texts');
  const [gold, predicted] =
    texts === undefined ? inOrder(first, second) : [both.find((one) => one !== texts), undefined];
  const words = [
    ...(texts === undefined ? [] : ['--cases', shellWord(texts.file)]),
    ...(gold === undefined ? [] : ['--gold', shellWord(gold.file)]),
    ...(predicted === undefined ? [] : ['--predictions', shellWord(predicted.file)]),
  ];
  return `${programName()} validate ${first.check.recipe} ${words.join(' ')}${flagWords(flags)}`;
}

/** Gold first, as far as that can be told. */
function inOrder(first: CheckedFile, second: CheckedFile): readonly [CheckedFile, CheckedFile] {
  return first.check.contents === 'predictions' ? [second, first] : [first, second];
}
