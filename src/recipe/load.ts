import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { LineCounter, parseDocument } from 'yaml';

import { InputError, UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { errorCode } from '../data/source.ts';
import { paramsMessage } from '../prepare/rule.ts';
import { nearestNames } from '../text/nearest.ts';
import { mergeRecipe } from './merge-recipe.ts';
import { presetNames, presetText } from './presets.ts';
import { type Recipe, recipeSchema } from './schema.ts';
import { setValue } from './set-value.ts';

export interface LoadedRecipe {
  readonly recipe: Recipe;
  /** Preset name or file name, for the report. */
  readonly name: string;
  /** The folder that module paths start from. */
  readonly folder: string;
}

/** A preset, a file, or a recipe object, with `--set` lines laid over it and checked as a whole. */
export function loadRecipe(given: string | object, set: readonly string[] = []): LoadedRecipe {
  const own =
    typeof given === 'string'
      ? readRecipe(given)
      : { value: given as unknown, name: 'inline', folder: process.cwd(), file: null };
  const base = withParents(own.value, own.name, [own.name]);
  const value = set.reduce<unknown>((recipe, assignment) => setValue(recipe, assignment), base);
  const parsed = recipeSchema.safeParse(value);
  if (!parsed.success) {
    const near = unknownKeyHint(parsed.error.issues);
    throw new UsageError(
      `${own.name}: ${paramsMessage('', parsed.error)}`,
      near ?? 'assay schema recipe shows every setting',
    );
  }
  return { recipe: parsed.data, name: own.name, folder: own.folder };
}

function withParents(value: unknown, name: string, seen: readonly string[]): unknown {
  if (!isRecord(value))
    throw new UsageError(
      `${name}: a recipe is a mapping (task, pair, judge, measure, …)`,
      'assay init TASK writes one to start from',
    );
  const parent = value['extends'];
  if (parent === undefined) return mergeRecipe({}, value);
  if (typeof parent !== 'string') throw new UsageError(`${name}: extends names one preset or file`);
  if (seen.includes(parent))
    throw new UsageError(`${name}: extends goes round in a circle (${[...seen, parent].join(' -> ')})`);
  const { extends: _, ...rest } = value;
  const below = readRecipe(parent);
  return mergeRecipe(withParents(below.value, below.name, [...seen, parent]), rest);
}

function readRecipe(name: string): { value: unknown; name: string; folder: string } {
  const presets = presetNames();
  if (presets.includes(name)) return { value: parseYaml(presetText(name), name), name, folder: process.cwd() };
  const path = resolve(name);
  let text: string;
  try {
    if (statSync(path).isDirectory())
      throw new UsageError(`${name} is a folder, expected a recipe file or a preset`, `presets: ${presets.join(', ')}`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const near = nearestNames(name, presets);
    const looksLikeFile = /\.ya?ml$/.test(name);
    throw new UsageError(
      looksLikeFile
        ? `cannot read the recipe ${name} (${errorCode(error)})`
        : `there is no preset or recipe file called ${name}`,
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : `presets: ${presets.join(', ')}`,
    );
  }
  return { value: parseYaml(text, name), name, folder: dirname(path) };
}

function parseYaml(text: string, file: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  if (document.errors.length > 0) {
    throw new InputError(
      document.errors.map((error) => ({
        file,
        line: lines.linePos(error.pos[0]).line,
        message: `not YAML: ${error.message.split('\n')[0] ?? ''}`,
      })),
    );
  }
  return document.toJS({ maxAliasCount: 100 }) as unknown;
}

function unknownKeyHint(issues: readonly { code: string; path: readonly PropertyKey[] }[]): string | null {
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys' || !('keys' in issue) || !Array.isArray(issue.keys)) continue;
    const names = Object.keys(settingsAt(issue.path));
    const near = nearestNames(String(issue.keys[0]), names);
    if (near.length > 0) return `did you mean ${[...issue.path.map(String), near[0]].join('.')}?`;
  }
  return null;
}

/** The settings a recipe may have at a path: to suggest the nearest right one. */
function settingsAt(path: readonly PropertyKey[]): Record<string, unknown> {
  const sections: Record<string, unknown> = recipeSchema.shape;
  if (path.length === 0) return sections;
  const first = String(path[0]);
  if (first === 'pair' || first === 'schemes') return recipeSchema.shape.pair.unwrap().shape;
  if (first === 'data') return recipeSchema.shape.data.unwrap().shape;
  return {};
}
