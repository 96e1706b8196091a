import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { InputError, type Problem, UsageError } from '../../data/problems.ts';
import { readWritten } from '../../data/read-file.ts';
import { isRecord } from '../../data/record-fields.ts';
import { errorCode } from '../../data/source.ts';
import { schemaProblems } from '../../prepare/schema-problems.ts';
import { suggestion } from '../../prepare/setting-error.ts';
import { checkPlain } from '../../recipe/check-plain.ts';
import { type YamlDocument, parseYaml } from '../../recipe/yaml-document.ts';
import { targetKind, targetSchema } from '../targets/target-kinds.ts';
import { type ExperimentFile, experimentSchema } from './experiment-schema.ts';

/**
 * What is wrong with a setting that the kind of target does not have, though another may; null where it has it, or where
 * the kind is not known. `path` is that of the setting in the experiment.
 */
function targetMisfit(
  path: readonly string[],
  target: unknown,
): { readonly message: string; readonly next: string | null } | null {
  const [section, key] = path;
  if (section !== 'target' || key === undefined || path.length !== 2 || !isRecord(target)) return null;
  const { use } = target;
  const shape = targetKind(use)?.schema.shape;
  if (shape === undefined || Object.hasOwn(shape, key)) return null;
  const names = Object.keys(shape);
  const article = /^[aeiou]/.test(String(use)) ? 'an' : 'a';
  const isElsewhere = targetSchema().options.some((kind) => Object.hasOwn(kind.shape, key));
  return {
    message: `${article} ${String(use)} target has no ${isElsewhere ? key : `setting called ${key}`}`,
    next: suggestion(key, names, 'settings', ['target']),
  };
}

const ITEMS_NAME = /\.(?:jsonl|ndjson|csv|tsv)(?:\.gz)?$/i;
const MAYBE_ITEMS_NAME = /\.json(?:\.gz)?$/i;

/** Whether a file is one of items by its name alone: nobody writes an experiment in these forms. */
function isNamedLikeItems(path: string): boolean {
  return ITEMS_NAME.test(path);
}

/** Whether a text that is no experiment looks like items: JSON is YAML too, so that an experiment may be JSON. */
function looksLikeItems(path: string, text: string, value: unknown): boolean {
  if (isRecord(value) && ('target' in value || 'dataset' in value)) return false;
  return MAYBE_ITEMS_NAME.test(path) || /^\s*\[?\s*\{\s*"/.test(text.slice(0, 1000));
}

function itemsInstead(path: string): UsageError {
  return new UsageError(
    `${path} is a file of items, not an experiment`,
    `give it with --dataset ${path}, beside an experiment file or with --name and --model`,
  );
}

export interface LoadedExperiment {
  readonly experiment: ExperimentFile;
  /** Where paths in it start from. */
  readonly folder: string;
  /** As the user named it, for messages. */
  readonly file: string;
}

/** What flags say over a file: whole keys, and keys of its sections. */
export interface ExperimentOverrides {
  readonly [key: string]: unknown;
}

/** The flag that a setting came from, for messages; null where no flag says it. */
export type FlagOf = (path: readonly string[]) => string | null;

/** An experiment file, or none where flags say it all, with what the flags say laid over it. */
export function loadExperiment(
  path: string | null,
  over: ExperimentOverrides,
  flagOf: FlagOf = () => null,
): LoadedExperiment {
  return experimentOf(path, path === null ? NO_DOCUMENT : readExperimentFile(path), over, flagOf);
}

export const NO_DOCUMENT: YamlDocument = { value: {}, lineOf: () => null };

/** The same of a document that was read. */
export function experimentOf(
  path: string | null,
  { value, lineOf }: YamlDocument,
  over: ExperimentOverrides,
  flagOf: FlagOf,
): LoadedExperiment {
  const file = path ?? COMMAND_LINE;
  if (!isRecord(value))
    throw new InputError([
      { file, line: 1, message: 'an experiment is a mapping (name, dataset, target, …)', next: EXAMPLE },
    ]);
  checkPlain(value);
  const merged = withPromptName(laidOver(value, over), value);
  const parsed = experimentSchema.safeParse(merged);
  if (!parsed.success)
    throw new InputError(
      schemaProblems(experimentSchema, merged, parsed.error, []).map((problem): Problem => {
        const { path: at } = problem;
        const misfit = targetMisfit(at, merged['target']);
        const { message, next } = misfit ?? problem;
        const flag = flagOf(at);
        return flag === null
          ? { file, line: lineOf(at)?.line ?? null, field: at.join('.'), message, next: next ?? ALL_SETTINGS }
          : {
              file: COMMAND_LINE,
              line: null,
              field: flag,
              message,
              next: misfit === null ? 'see assay run --help' : `leave ${flag} out`,
            };
      }),
    );
  return { experiment: parsed.data, folder: path === null ? process.cwd() : dirname(resolve(path)), file };
}

export const COMMAND_LINE = 'the command line';
const ALL_SETTINGS = 'assay schema experiment shows every setting';

export function readExperimentFile(path: string): YamlDocument {
  const text = readText(path);
  let document: YamlDocument;
  try {
    document = parseYaml(text, path, 'an experiment');
  } catch (error) {
    throw error instanceof InputError && looksLikeItems(path, text, null) ? itemsInstead(path) : error;
  }
  if (looksLikeItems(path, text, document.value)) throw itemsInstead(path);
  return document;
}

const EXAMPLE = 'assay run --help shows one';

function readText(path: string): string {
  try {
    if (statSync(path).isDirectory()) throw new UsageError(`${path} is a folder, expected an experiment file`, EXAMPLE);
    if (isNamedLikeItems(path)) throw itemsInstead(path);
    return readWritten(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      errorCode(error) === 'ENOENT'
        ? `there is no experiment file ${path}`
        : `cannot read ${path} (${errorCode(error)})`,
      EXAMPLE,
    );
  }
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
function withPromptName(
  merged: Record<string, unknown>,
  file: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { target } = merged;
  if (!isRecord(target)) return merged;
  const { prompt } = target;
  if (!isRecord(prompt) || !('label' in prompt || 'version' in prompt) || 'name' in prompt) return merged;
  const written = isRecord(file['target']) ? file['target']['prompt'] : undefined;
  const named = isRecord(written) ? written['name'] : undefined;
  const name = named ?? targetKind(target['use'])?.promptName;
  return name === undefined ? merged : { ...merged, target: { ...target, prompt: { name, ...prompt } } };
}
