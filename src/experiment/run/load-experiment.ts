import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import type { Fields } from '../../data/item.ts';
import { InputError, type Problem, UsageError } from '../../data/problems.ts';
import { readWritten } from '../../data/read-file.ts';
import { isRecord } from '../../data/record-fields.ts';
import { errorCode } from '../../data/source.ts';
import { shorten, visible } from '../../data/visible.ts';
import { schemaProblems } from '../../prepare/schema-problems.ts';
import { SettingError, suggestion } from '../../prepare/setting-error.ts';
import { checkPlain } from '../../recipe/check-plain.ts';
import { type YamlDocument, parseYaml } from '../../recipe/yaml-document.ts';
import { targetKind, targetSchema } from '../targets/target-kinds.ts';
import { type ExperimentFile, experimentSchema } from './experiment-schema.ts';
import { fileNameOf, RECORD_FILE, runFolderOf, RUNS_FOLDER } from './run-folder.ts';

export interface LoadedExperiment {
  readonly experiment: ExperimentFile;
  readonly folder: string;
  readonly file: string;
}

/** One of the systems of an experiment: its own run, and a file of its answers beside the folder of the run. */
export type LoadedSystem = NonNullable<ReturnType<typeof loadSystems>['systems']>[number];

/** Settings that flags are laid over: those of a file, by its path, or those that a run was begun with. */
export type ExperimentSource = string | (Pick<LoadedExperiment, 'folder' | 'file'> & { readonly value: Fields });

/** What flags say over a file: whole keys, and keys of its sections. */
export type ExperimentOverrides = Readonly<Record<string, unknown>>;

/** The flag that a setting came from, for messages; null if no flag sets it. */
type FlagOf = (path: readonly string[]) => string | null;

const COMMAND_LINE = 'the command line';
const EXAMPLE = 'assay run --help shows one';
const LONGEST_NAME = 80;
const MOST_SYSTEMS = 100;

/** An experiment file, or none where flags say it all, with what the flags say laid over it. */
export function loadExperiment(
  source: ExperimentSource | null,
  over: ExperimentOverrides,
  flagOf: FlagOf = () => null,
) {
  return experimentOf(readDocument(source), over, flagOf);
}

/** The kinds of targets that a file names, none if it is no experiment, and its dataset. */
export function experimentOutline(path: string): {
  readonly uses: readonly unknown[];
  readonly dataset: string | null;
} {
  const { value } = readDocument(path);
  const { target, systems, dataset }: Fields = isRecord(value) ? value : {};
  const targets = [target, ...Object.values(isRecord(systems) ? systems : {})];
  return {
    uses: targets.flatMap((one) => (isRecord(one) ? [one['use']] : [])),
    dataset: typeof dataset === 'string' ? dataset : null,
  };
}

/** The systems of an experiment, from a file or from flags; null if it has a single target. `loaded` is the first. */
export function loadSystems(source: ExperimentSource | null, over: ExperimentOverrides, flagOf: FlagOf) {
  const document = readDocument(source);
  const file = isRecord(document.value) ? document.value : {};
  const { systems: fromFlags, ...others } = over;
  const isWritten = file['systems'] !== undefined;
  if (fromFlags === undefined && !isWritten) return { systems: null, loaded: experimentOf(document, over, flagOf) };
  if (fromFlags !== undefined && isWritten)
    throw new UsageError(
      `${document.file} names its systems, and so do the flags`,
      'give --model, --target and --answers once at most, or change systems: in the file',
    );
  const given = fromFlags ?? file['systems'];
  const targets = isRecord(given) ? given : {};
  const fault = faultOf(Object.keys(targets), isWritten && 'target' in file);
  if (fault !== null) {
    const [message, next] = fault;
    const line = document.lineOf(['systems'])?.line ?? null;
    throw new InputError([{ file: document.file, line, field: 'systems', message, next }]);
  }
  const base = others['name'] ?? file['name'];
  const out = others['out'] ?? file['out'];
  const parent = typeof out === 'string' ? out : typeof base === 'string' ? runFolderOf({ name: base }) : RUNS_FOLDER;
  if (existsSync(join(parent, RECORD_FILE)))
    throw new UsageError(
      `${parent} holds the run of one target, and several systems get a folder each inside`,
      'name another folder with --out',
    );
  // What is wrong with all of them is reported once.
  const problems = new Map<string, Problem>();
  const systems = Object.entries(targets).flatMap(([system, target]) => {
    const name = typeof base === 'string' ? `${base}-${system}` : system;
    const own = { ...others, name, out: join(parent, fileNameOf(system)) };
    try {
      const loaded = isWritten
        ? experimentOf(documentOf(document, system, target), own, flagOf)
        : experimentOf(document, { ...own, target }, flagOf);
      return [{ system, loaded, results: join(parent, `results_${fileNameOf(system)}.jsonl`) }];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      for (const { field, ...problem } of error.problems) {
        const named = isWritten ? field?.replace(/^target\b/, `systems.${system}`) : field;
        const told = named === undefined ? problem : { ...problem, field: named };
        problems.set(JSON.stringify(told), told);
      }
      return [];
    }
  });
  if (problems.size > 0) throw new InputError([...problems.values()]);
  for (const { loaded, results } of systems) {
    const folder = runFolderOf(loaded.experiment);
    // Answers that no run here has written may be all that there is of them.
    if (existsSync(results) && !existsSync(join(folder, RECORD_FILE)))
      throw new UsageError(
        `${results} is there already, but ${folder} has no run that it could be of`,
        'name another folder with --out, or move the file away',
      );
  }
  return { systems, loaded: systems[0]!.loaded };
}

function documentOf(
  { value, lineOf, ...place }: ExperimentDocument,
  system: string,
  target: unknown,
): ExperimentDocument {
  const { systems: _, ...rest } = isRecord(value) ? value : {};
  return {
    ...place,
    value: { ...rest, target },
    lineOf: ([first = '', ...path]) => lineOf(first === 'target' ? ['systems', system, ...path] : [first, ...path]),
  };
}

function faultOf(names: readonly string[], hasTarget: boolean): readonly [message: string, next: string] | null {
  const example = 'systems: { plain: { use: vanilla, model: … }, rag: { use: rag, … } }';
  if (names.length === 0) return ['expected targets by the name of the system', `for example ${example}`];
  if (hasTarget) return ['expected target or systems, found both', 'make the target one of the systems'];
  if (names.length > MOST_SYSTEMS)
    return [`expected at most ${MOST_SYSTEMS} systems, found ${names.length}`, 'run them in several calls'];
  const bad = names.find((name) => fileNameOf(name) === '' || name.length > LONGEST_NAME || name === '__proto__');
  if (bad !== undefined)
    return [
      `a system cannot be called ${visible(shorten(bad))}: its run gets a folder of that name`,
      `letters, digits, dots, hyphens and underscores, ${LONGEST_NAME} at most`,
    ];
  // Some disks take Rag and rag for the same.
  const keys = names.map((name) => fileNameOf(name).toLowerCase());
  const twice = names.find((_, at) => keys.indexOf(keys[at]!) !== at);
  if (twice === undefined) return null;
  return [
    `two systems would both have the folder ${visible(fileNameOf(twice))}`,
    'name them: --target NAME=rag:FOLDER, --model NAME=PROVIDER/MODEL, --answers NAME=FILE',
  ];
}

function experimentOf(
  { value, lineOf, file, folder }: ExperimentDocument,
  over: ExperimentOverrides,
  flagOf: FlagOf,
): LoadedExperiment {
  const noMapping = 'an experiment is a mapping (name, dataset, target, …)';
  if (!isRecord(value)) throw new InputError([{ file, line: 1, message: noMapping, next: EXAMPLE }]);
  try {
    checkPlain(value);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    throw new InputError(
      error.problems.map(({ path: at, message }) => ({
        file,
        line: lineOf(at)?.line ?? null,
        field: at.join('.'),
        message,
      })),
    );
  }
  const merged = withPromptName(laidOver(value, over), value);
  const parsed = experimentSchema.safeParse(merged);
  if (parsed.success) return { experiment: parsed.data, folder, file };
  throw new InputError(
    schemaProblems(experimentSchema, merged, parsed.error, []).map((problem): Problem => {
      const { path: at } = problem;
      const misfit = targetMisfit(at, merged['target']);
      const { message, next } = misfit ?? problem;
      const flag = flagOf(at);
      if (flag === null) {
        const advice = next ?? 'assay schema experiment shows every setting';
        return { file, line: lineOf(at)?.line ?? null, field: at.join('.'), message, next: advice };
      }
      const advice = misfit === null ? 'see assay run --help' : `leave ${flag} out`;
      return { file: COMMAND_LINE, line: null, field: flag, message, next: advice };
    }),
  );
}

/** What is wrong with a setting that the kind of target does not have, though another may; null where it is not that. */
function targetMisfit([section, key, ...below]: readonly string[], target: unknown) {
  if (section !== 'target' || key === undefined || below.length > 0 || !isRecord(target)) return null;
  const use = String(target['use']);
  const shape = targetKind(use)?.schema.shape;
  if (shape === undefined || Object.hasOwn(shape, key)) return null;
  const isElsewhere = targetSchema.options.some((kind) => Object.hasOwn(kind.shape, key));
  const setting = isElsewhere ? key : `setting called ${key}`;
  const message = `${/^[aeiou]/.test(use) ? 'an' : 'a'} ${use} target has no ${setting}`;
  return { message, next: suggestion(key, Object.keys(shape), 'settings', ['target']) };
}

/** Sections key by key, everything else as a whole; a baseline alone is one for the rules of the file. */
function laidOver(value: Readonly<Record<string, unknown>>, over: ExperimentOverrides): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...value };
  for (const [key, given] of Object.entries(over)) {
    if (given === undefined) continue;
    const below = key === 'gate' && typeof merged[key] === 'string' ? { rules: merged[key] } : merged[key];
    // Recorded answers stand for the whole target: they have no model, no prompt, no address.
    const isWhole = key === 'target' && isRecord(given) && 'answers' in given;
    merged[key] = isRecord(given) && isRecord(below) && !isWhole ? { ...below, ...given } : given;
  }
  return merged;
}

/** A label or a version alone is of the prompt that the file names, or that the target usually has. */
function withPromptName(merged: Record<string, unknown>, file: Readonly<Record<string, unknown>>) {
  const { target } = merged;
  const prompt = isRecord(target) ? target['prompt'] : null;
  if (!isRecord(target) || !isRecord(prompt)) return merged;
  if (!('label' in prompt || 'version' in prompt) || 'name' in prompt) return merged;
  const written = isRecord(file['target']) ? file['target']['prompt'] : null;
  const name = (isRecord(written) ? written['name'] : undefined) ?? targetKind(target['use'])?.promptName;
  return name === undefined ? merged : { ...merged, target: { ...target, prompt: { name, ...prompt } } };
}

/** Nobody writes an experiment in these forms. */
const ITEMS_NAME = /\.(?:jsonl|ndjson|csv|tsv)(?:\.gz|\.zst)?$/i;
const MAYBE_ITEMS_NAME = /\.json(?:\.gz|\.zst)?$/i;

type ExperimentDocument = YamlDocument & Pick<LoadedExperiment, 'folder' | 'file'>;

function readDocument(source: ExperimentSource | null): ExperimentDocument {
  if (source === null) return { value: {}, lineOf: () => null, folder: process.cwd(), file: COMMAND_LINE };
  if (typeof source === 'object') return { ...source, lineOf: () => null };
  return { ...readFile(source), folder: dirname(resolve(source)), file: source };
}

function readFile(path: string): YamlDocument {
  const itemsInstead = new UsageError(
    `${path} is a file of items, not an experiment`,
    `give it with --dataset ${path}, beside an experiment file or with --name and --model`,
  );
  let text;
  try {
    if (statSync(path).isDirectory()) throw new UsageError(`${path} is a folder, expected an experiment file`, EXAMPLE);
    if (ITEMS_NAME.test(path)) throw itemsInstead;
    text = readWritten(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = errorCode(error);
    const message = code === 'ENOENT' ? `there is no experiment file ${path}` : `cannot read ${path} (${code})`;
    throw new UsageError(message, EXAMPLE);
  }
  // JSON is YAML too, so that an experiment may be JSON.
  const looksLikeItems = MAYBE_ITEMS_NAME.test(path) || /^\s*\[?\s*\{\s*"/.test(text.slice(0, 1000));
  let document;
  try {
    document = parseYaml(text, path, 'an experiment');
  } catch (error) {
    throw error instanceof InputError && looksLikeItems ? itemsInstead : error;
  }
  const { value } = document;
  if (looksLikeItems && !(isRecord(value) && ('target' in value || 'dataset' in value))) throw itemsInstead;
  return document;
}
