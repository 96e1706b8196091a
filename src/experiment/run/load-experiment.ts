import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { InputError, UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { errorCode } from '../../data/source.ts';
import { schemaProblems } from '../../prepare/schema-problems.ts';
import { checkPlain } from '../../recipe/check-plain.ts';
import { parseYaml } from '../../recipe/yaml-document.ts';
import { usualPromptName } from '../targets/named-prompt.ts';
import { type ExperimentFile, experimentSchema } from './experiment-schema.ts';

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

/** An experiment file, or none where flags say it all, with what the flags say laid over it. */
export function loadExperiment(path: string | null, over: ExperimentOverrides): LoadedExperiment {
  const file = path ?? 'the command line';
  const { value, lineOf } =
    path === null ? { value: {}, lineOf: () => null } : parseYaml(readText(path), path, 'an experiment');
  if (!isRecord(value))
    throw new InputError([
      { file, line: 1, message: 'an experiment is a mapping (name, dataset, target, …)', next: EXAMPLE },
    ]);
  checkPlain(value);
  const merged = withPromptName(laidOver(value, over), value);
  const parsed = experimentSchema.safeParse(merged);
  if (!parsed.success)
    throw new InputError(
      schemaProblems(experimentSchema, merged, parsed.error, []).map(({ path: at, message, next }) => ({
        file,
        line: lineOf(at)?.line ?? null,
        field: at.join('.'),
        message,
        next: next ?? 'assay schema experiment shows every setting',
      })),
    );
  return { experiment: parsed.data, folder: path === null ? process.cwd() : dirname(resolve(path)), file };
}

const EXAMPLE = 'assay run --help shows one';

function readText(path: string): string {
  try {
    if (statSync(path).isDirectory()) throw new UsageError(`${path} is a folder, expected an experiment file`, EXAMPLE);
    return readFileSync(path, 'utf8');
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

/** Sections key by key, everything else as a whole. */
function laidOver(value: Readonly<Record<string, unknown>>, over: ExperimentOverrides): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...value };
  for (const [key, given] of Object.entries(over)) {
    if (given === undefined) continue;
    const below = merged[key];
    merged[key] = isRecord(given) && isRecord(below) ? { ...below, ...given } : given;
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
