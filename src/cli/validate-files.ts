import { readFileSync, statSync } from 'node:fs';

import {
  commandTable,
  type Document,
  isRecord,
  plural,
  programName,
  renderTerminal,
  safeJson,
  shellWord,
  sourceOf,
  UsageError,
} from '../plugin.ts';
import type { FileCheck } from '../index.ts';
import { checkFile, presetNames } from '../pipeline.ts';
import { dataCheckDocument } from '../report.ts';
import type { Terminal } from './command.ts';
import { dataSettings } from './data-flags.ts';
import { flagName } from './flags.ts';

/** How the files are read, which has to be said again when they are scored. */
type ReadingFlags = Parameters<typeof dataSettings>[0];

interface CheckedFile {
  readonly file: string;
  readonly check: FileCheck;
}

const MOST_RECIPE_BYTES = 1 << 20;

/** Whether a word names data: a file or a folder that exists and is not a recipe. */
export function isDataFile(word: string): boolean {
  if (word === '-') return true;
  if (presetNames().includes(word) || /\.ya?ml$/i.test(word)) return false;
  const found = statSync(word, { throwIfNoEntry: false });
  if (found === undefined) return false;
  return !(found.isFile() && found.size <= MOST_RECIPE_BYTES && /\.json$/i.test(word) && isJsonRecipe(word));
}

/** JSON is YAML too, and what makes a recipe is its task. */
function isJsonRecipe(path: string): boolean {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(value) && ['task', 'extends'].some((key) => typeof value[key] === 'string') && !('id' in value);
  } catch {
    return false;
  }
}

/** Checks each file by itself, and shows what can be done with them. */
export async function validateFiles(
  files: readonly string[],
  flags: ReadingFlags & { readonly json: boolean },
  { progress, print, style }: Terminal,
): Promise<readonly FileCheck[]> {
  if (files.filter((file) => file === '-').length > 1)
    throw new UsageError('standard input (-) can be read once only', 'give the other file by name');
  const missing = files.find((file) => file !== '-' && statSync(file, { throwIfNoEntry: false }) === undefined);
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

function contentsText({ contents, hasTexts }: FileCheck): string {
  if (contents === 'texts' || contents === 'nothing')
    return contents === 'texts' ? 'texts without annotations' : 'no items';
  return `${contents}, ${hasTexts ? 'with' : 'without'} texts`;
}

/** How the file is scored, with capitals for what is still needed. */
function nextCommands(file: string, check: FileCheck, flags: ReadingFlags): [what: string, command: string][] {
  const { contents, hasTexts, recipe, task } = check;
  const own = shellWord(file);
  // Quotes are looked up in their texts.
  const texts = hasTexts || task !== 'journal' ? '' : '--cases TEXTS ';
  const command = (sources: string): string =>
    `${programName()} score ${recipe} ${sources}${readingWords(flags)} --out runs/first`;
  const asGold: [string, string] = ['As gold', command(`${texts}--gold ${own} --predictions PREDICTIONS`)];
  const asOutput: [string, string] = ['As predictions', command(`${texts}--gold GOLD --predictions ${own}`)];
  switch (contents) {
    case 'gold and predictions':
      return [['Score it', command(`--cases ${own}`)]];
    case 'predictions':
      return [asOutput];
    case 'texts':
      return [['As cases', command(`--cases ${own} --gold GOLD --predictions PREDICTIONS`)]];
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
  const others = both.filter((one) => one !== texts);
  const [gold, predicted] = texts === undefined ? inOrder(first, second) : [others[0], undefined];
  const words = [
    ...(texts === undefined ? [] : ['--cases', shellWord(texts.file)]),
    ...(gold === undefined ? [] : ['--gold', shellWord(gold.file)]),
    ...(predicted === undefined ? [] : ['--predictions', shellWord(predicted.file)]),
  ];
  return `${programName()} validate ${first.check.recipe} ${words.join(' ')}${readingWords(flags)}`;
}

/** Gold first, as far as that can be told. */
function inOrder(first: CheckedFile, second: CheckedFile): readonly [CheckedFile, CheckedFile] {
  return first.check.contents === 'predictions' ? [second, first] : [first, second];
}

function readingWords(flags: ReadingFlags): string {
  const { set, format, offsets, columns, system } = flags;
  const words = Object.entries({ format, offsets, columns, system }).flatMap(([key, value]) =>
    value === undefined ? [] : [`${flagName(key)} ${shellWord(value)}`],
  );
  return [...words, ...set.map((line) => `--set ${shellWord(line)}`)].map((word) => ` ${word}`).join('');
}
