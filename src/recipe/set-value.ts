import { isRecord } from '../data/record-fields.ts';
import { SettingError, settingError, suggestion } from '../prepare/setting-error.ts';
import { mergeRecipe } from './merge-recipe.ts';
import { yamlPackage } from './yaml-package.ts';

/** One `--set` line, taken apart. */
export interface Assignment {
  readonly line: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Sections in which a recipe makes up names: a setting below one that is not there is a typing mistake. */
const NAMED_ENTRIES = new Set(['schemes', 'attributes', 'measure']);

/** Lays one `path=value` over a recipe, as if the line stood in the file: the value is YAML, so lists and maps work. */
export function setValue(recipe: unknown, assignment: string): unknown {
  const parsed = parseAssignment(recipe, assignment);
  checkEntry(recipe, parsed);
  return applyAssignment(recipe, parsed);
}

export function applyAssignment(recipe: unknown, assignment: Assignment): unknown {
  return mergeRecipe(recipe, layerOf(assignment));
}

/** The recipe that an assignment alone would be. */
export function layerOf({ path, value }: Assignment): unknown {
  return path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
}

/** The recipe is needed because names may hold full stops: `schemes.iou-0.5.tolerance` is three steps, not four. */
export function parseAssignment(recipe: unknown, line: string): Assignment {
  const at = line.indexOf('=');
  if (at <= 0) throw wrongLine(line, 'expected path=value', 'for example --set pair.assign=optimal');
  const written = line.slice(0, at).trim();
  const parts = written.split('.');
  if (parts.some((part) => part === '' || part === '__proto__'))
    throw wrongLine(line, `${written} is not a path`, 'for example --set pair.threshold=0.6');
  const path = stepsOf(recipe, parts);
  const text = line.slice(at + 1);
  let value: unknown;
  try {
    value = yamlPackage().parse(text.trim() === '' ? '""' : text, { maxAliasCount: 0 });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw wrongLine(line, `the value is not YAML (${reason})`);
  }
  if (path.at(-1) === 'order' && typeof value === 'string') value = value.split(',').map((name) => name.trim());
  return { line, path, value };
}

function wrongLine(line: string, message: string, next: string | null = null): SettingError {
  return new SettingError([{ path: [], message, next, place: `--set ${line}` }]);
}

function stepsOf(recipe: unknown, parts: readonly string[]): string[] {
  const steps: string[] = [];
  let section = recipe;
  for (let at = 0; at < parts.length;) {
    const inner = isRecord(section) ? section : {};
    let taken = 1;
    for (let count = parts.length - at; count > 1 && !Object.hasOwn(inner, parts[at]!); count -= 1) {
      if (!Object.hasOwn(inner, parts.slice(at, at + count).join('.'))) continue;
      taken = count;
      break;
    }
    const step = parts.slice(at, at + taken).join('.');
    steps.push(step);
    section = Object.hasOwn(inner, step) ? inner[step] : undefined;
    at += taken;
  }
  return steps;
}

/** Refuses a setting of an entry that is not there, as it would make a new one that nobody asked for. */
export function checkEntry(recipe: unknown, { path }: Assignment): void {
  const [section = ''] = path;
  if (path.length < 3 || !NAMED_ENTRIES.has(section) || !isRecord(recipe)) return;
  const entries = recipe[section];
  const names = Array.isArray(entries) ? entries.map(String) : isRecord(entries) ? Object.keys(entries) : [];
  if (names.includes(path[1] ?? '')) return;
  const entry = path.slice(1, -1).join('.');
  throw settingError(
    path,
    `there is no ${entry} under ${section}`,
    suggestion(entry, names, `to make one: --set '${section}.${entry}={…}'; there are`),
  );
}
