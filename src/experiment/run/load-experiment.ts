import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { InputError, type Problem, UsageError } from '../../data/problems.ts';
import { readWritten } from '../../data/read-file.ts';
import { isRecord } from '../../data/record-fields.ts';
import { errorCode } from '../../data/source.ts';
import { schemaProblems } from '../../prepare/schema-problems.ts';
import { checkPlain } from '../../recipe/check-plain.ts';
import { parseYaml, type YamlDocument } from '../../recipe/yaml-document.ts';
import { usualPromptName } from '../targets/target-kinds.ts';
import { type ExperimentFile, experimentSchema } from './experiment-schema.ts';
import { isNamedLikeItems, itemsInstead, looksLikeItems } from './items-file.ts';
import { targetMisfit } from './target-misfit.ts';

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
  const name = named ?? usualPromptName(target['use']);
  return name === null ? merged : { ...merged, target: { ...target, prompt: { name, ...prompt } } };
}
