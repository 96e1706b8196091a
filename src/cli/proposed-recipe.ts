import { readFileSync } from 'node:fs';

import { entryAt, isPattern, isRecord, programName, safeText, shellWord, sourceOf, UsageError } from '../plugin.ts';
import { type FileLook, fittingPreset, lookAtFile, presetFacts, presetNamed, presetNames } from '../pipeline.ts';
import { dataSettings } from './data-flags.ts';
import * as flag from './flags.ts';
import type { SourceFlags } from './scored-sources.ts';
import { nameOfFile, namedFile } from './system-file.ts';

/** How files are read, which has to be said again whenever they are. */
export type ReadingFlags = Parameters<typeof dataSettings>[0];

export function flagWords(flags: ReadingFlags): string {
  const { set, format, offsets, columns, system } = flags;
  const words = Object.entries({ format, offsets, columns, system }).flatMap(([key, value]) =>
    value === undefined ? [] : [`${flag.flagName(key)} ${shellWord(value)}`],
  );
  return [...words, ...set.map((line) => `--set ${shellWord(line)}`)].map((word) => ` ${word}`).join('');
}

const MOST_RECIPE_BYTES = 1 << 20;

/** Whether a word names data: a file, a pipe or a folder that exists and is not a recipe. */
export function isDataFile(word: string): boolean {
  if (word === '-' || isPattern(word)) return true;
  if (presetNamed(word) !== null || /\.ya?ml$/i.test(word)) return false;
  const entry = entryAt(word);
  if (entry === undefined) return false;
  return !(entry.isFile() && entry.size <= MOST_RECIPE_BYTES && isRecipeText(readFileSync(word, 'utf8')));
}

/** What makes a recipe is its task, or the recipe that it extends. JSON is YAML too. */
function isRecipeText(text: string): boolean {
  if (!/^\s*\{/.test(text)) return /^(?:task|extends):/m.test(text);
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && ['task', 'extends'].some((key) => typeof value[key] === 'string') && !('id' in value);
  } catch {
    return false;
  }
}

interface NamedLook {
  /** The flag that it was named with, or null for a bare word. */
  readonly role: string | null;
  readonly file: string;
  readonly look: FileLook;
}

/** A shell makes several words of a pattern without quotes, of which a flag takes the first. */
export const SEVERAL =
  "name the files with --cases, --gold and --predictions; for several, repeat the flag, name their folder or quote a pattern: --cases 'data/*.jsonl'";

type ProposalFlags = SourceFlags & ReadingFlags & { readonly out?: string };

/** Throws unless the words of a call are a recipe and nothing else; for data in its place, with the preset that fits. */
export async function refuseData(words: readonly string[], flags: ProposalFlags): Promise<void> {
  const [recipe, more] = words;
  if (recipe === undefined && flags.run !== undefined)
    throw new UsageError('no recipe was named', 'name the recipe of the experiment');
  // What is no plain file is refused as a recipe, or is one that a shell makes.
  const isPlain = (word: string): boolean => {
    const entry = entryAt(word);
    return word === '-' || isPattern(word) || entry?.isFile() === true || entry?.isDirectory() === true;
  };
  if (recipe === undefined || (isPlain(recipe) && isDataFile(recipe))) throw await proposal(words, flags);
  if (more !== undefined) throw new UsageError(`${recipe} is a recipe, and ${more} comes after it`, SEVERAL);
}

/** The error of a call without a recipe; `bare` are files named without a flag. */
async function proposal(bare: readonly string[], flags: ProposalFlags): Promise<UsageError> {
  const { cases = [], gold = [], predictions = [] } = flags;
  const named: (readonly [role: string | null, file: string])[] = [
    ...cases.map((file) => ['cases', file] as const),
    ...gold.map((file) => ['gold', file] as const),
    ...predictions.map((file) => ['predictions', file] as const),
    ...bare.map((file) => [null, file] as const),
  ];
  const why = 'no recipe was named, which decides what counts as a hit';
  if (named.length === 0)
    return new UsageError(
      why,
      'name a preset (assay presets lists them) or a recipe file; or name your files, and the preset that fits is proposed',
    );
  const looks: NamedLook[] = [];
  for (const [role, file] of named) {
    const { path } = role === 'predictions' ? namedFile(file) : { path: file };
    if (path === '-') return new UsageError(why, 'name a preset: assay presets lists them');
    looks.push({ role, file, look: await lookAtFile(sourceOf(path), dataSettings(flags)) });
  }
  const preset = fittingPreset(looks.map(({ look }) => look));
  if (preset === null)
    return new UsageError(
      why,
      `nothing in ${safeText(named[0]![1])} shows which: assay validate ${shellWord(named[0]![1])} reports what it is`,
    );
  const { about, call } = await presetFacts(preset);
  const purpose = preset.split('/')[0]!;
  const others = presetNames().filter((name) => name !== preset && name.startsWith(`${purpose}/`));
  // Files of a task that other commands score.
  const isScored = call.startsWith('assay score');
  const out = shellWord(flags.out ?? 'runs/first');
  const command = isScored
    ? `${programName()} score ${preset} ${sourceWords(looks)}${flagWords(flags)} --out ${out}`
    : call;
  return new UsageError(why, [
    `these files fit ${preset} (${about}):`,
    `  ${command}`,
    ...(others.length === 0 ? [] : [`the same files can be scored with ${others.join(', ')}`]),
    'assay presets lists all presets',
  ]);
}

/** The files with the flags that they were named with, or that their contents call for. */
function sourceWords(looks: readonly NamedLook[]): string {
  const bare = looks.filter(({ role }) => role === null);
  const isBoth = ({ look }: NamedLook): boolean => look.contents === 'gold and predictions';
  const rest = bare.filter((one) => !isBoth(one) && one.look.contents !== 'texts');
  // Gold first, as far as that can be told.
  const ordered = rest.toSorted((a, b) => Number(isOutput(a)) - Number(isOutput(b)));
  const roleOf = (one: NamedLook): string => {
    if (one.role !== null) return one.role;
    if (!rest.includes(one)) return 'cases';
    // Tasks with a separate format have no gold file.
    const isGold = ordered[0] === one && one.look.preset === null && looks.every(({ role }) => role !== 'gold');
    return isGold ? 'gold' : 'predictions';
  };
  const words = looks.map((one) => ({ role: roleOf(one), file: shellWord(one.file) }));
  // In capitals: what is still needed.
  if (!looks.some(isBoth) && words.every(({ role }) => role !== 'predictions'))
    words.push({ role: 'predictions', file: 'PREDICTIONS' });
  return words
    .toSorted((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role))
    .map(({ role, file }) => `--${role} ${file}`)
    .join(' ');
}

const ORDER = ['cases', 'gold', 'predictions'];

/** Items with a confidence score come from a model. */
function isOutput({ file, look }: NamedLook): boolean {
  return look.contents === 'predictions' || look.fields.has('score') || /pred|output|system/i.test(nameOfFile(file));
}
