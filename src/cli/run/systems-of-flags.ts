import { existsSync } from 'node:fs';

import { UsageError, visible } from '../../plugin.ts';
import { ITEM_SCHEMAS, type ItemTask, targetKind } from '../../experiment.ts';
import { systemFile } from '../system-file.ts';

interface SystemFlags {
  readonly task?: ItemTask;
  readonly target: readonly string[];
  readonly model: readonly string[];
  readonly answers: readonly string[];
}

/** A target as a flag names it: `[NAME=]USE[:SETTING]`. */
export interface TargetFlag {
  readonly name: string | null;
  /** Without `use` where the target is that of the file. */
  readonly settings: { readonly use?: string; readonly [setting: string]: string | undefined };
}

/** What follows the colon of `--target rag:texts`. */
const MAIN_SETTING: Readonly<Record<string, string>> = {
  rag: 'folder',
  http: 'url',
  command: 'command',
  module: 'module',
  recorded: 'answers',
};
const PATHS = new Set(['folder', 'module', 'answers']);
const NAMED = /^([\p{L}\p{N}][\p{L}\p{N} ._-]*)=(.+)$/u;

/** Whether flags name several systems, or a task whose systems are separate runs; else they change one target. */
export function namesSystems({ task, target, model, answers }: SystemFlags, hasFile: boolean): boolean {
  const isNamed = [...target, ...model].some((given) => NAMED.test(given));
  const isRepeated = [target, model, answers].some(({ length }) => length > 1);
  return isNamed || isRepeated || (task !== undefined && !hasFile);
}

/** `rag:texts` as settings of a target; `path` resolves a path of the command line for the file. */
export function targetFlag(given: string, path: (given: string) => string): TargetFlag {
  const [, name = null, rest = given] = NAMED.exec(given) ?? [];
  const at = rest.indexOf(':');
  const use = at === -1 ? rest : rest.slice(0, at);
  if (at === -1) return { name, settings: { use } };
  const setting = MAIN_SETTING[use];
  if (setting === undefined)
    throw new UsageError(
      `--target ${visible(given)}: nothing follows the name of a target but ${Object.keys(MAIN_SETTING).join(', ')}`,
      'for example --target rag:FOLDER; an experiment file has all settings',
    );
  const value = rest.slice(at + 1);
  return { name, settings: { use, [setting]: PATHS.has(setting) ? path(value) : value } };
}

/**
 * The systems that flags name: every target with every model if it asks one, and every file of answers. `shared` are the
 * settings of all that ask a model. A file that flags are laid over has its own target.
 */
export function systemsOfFlags(
  { task, target, model, answers }: SystemFlags,
  shared: Readonly<Record<string, unknown>>,
  hasFile: boolean,
  path: (given: string) => string,
): Record<string, Readonly<Record<string, unknown>>> {
  const models = model.map((given) => {
    const [, name = given, rest = given] = NAMED.exec(given) ?? [];
    return { name: name.replaceAll('/', '-'), model: rest };
  });
  const fallback = hasFile ? null : task === undefined ? 'graph-extractor' : (ITEM_SCHEMAS[task].targets[0] ?? null);
  const targets = target.map((given) => targetFlag(given, path));
  if (target.length === 0 && (models.length > 0 || answers.length === 0))
    targets.push(defaultFlag(task, fallback, hasFile));
  const systems = new Map<string, Readonly<Record<string, unknown>>>();
  const add = (name: string, settings: Readonly<Record<string, unknown>>): void => {
    if (systems.has(name))
      throw new UsageError(
        `two systems are both called ${visible(name)}`,
        'name them: --target NAME=rag:FOLDER, --model NAME=PROVIDER/MODEL, --answers NAME=FILE',
      );
    systems.set(name, settings);
  };
  for (const { name, settings } of targets) {
    const { use } = settings;
    const own = name ?? (use === undefined || use === fallback ? null : use);
    if (use !== undefined && !asksModel(use)) add(own ?? use, settings);
    else if (models.length === 0 && !hasFile)
      throw new UsageError(`--target ${use ?? ''} asks a model, and none is named`, 'add --model PROVIDER/NAME');
    else if (models.length === 0) add(own ?? use ?? 'target', { ...settings, ...shared });
    else
      for (const one of models)
        add(own === null ? one.name : name !== null && models.length === 1 ? own : `${own}-${one.name}`, {
          ...settings,
          model: one.model,
          ...shared,
        });
  }
  if (models.length > 0 && targets.every(({ settings }) => settings.use !== undefined && !asksModel(settings.use)))
    throw new UsageError(`none of the targets asks a model: --model ${model[0]!} would change nothing`, 'leave it out');
  for (const given of answers) {
    const { system, path: file } = systemFile(given, '--answers');
    add(system, { use: 'recorded', answers: path(file) });
  }
  return Object.fromEntries(systems);
}

function defaultFlag(task: ItemTask | undefined, fallback: string | null, hasFile: boolean): TargetFlag {
  if (fallback !== null) return { name: null, settings: { use: fallback } };
  if (hasFile) return { name: null, settings: {} };
  throw new UsageError(
    `--task ${task ?? ''}: no target is made for it`,
    'name one with --target, such as http:URL or command:PROGRAM, or give --answers FILE',
  );
}

/** An unknown name is left to the schema, which lists the known ones. */
export function asksModel(use: unknown): boolean {
  const kind = targetKind(use);
  return kind === undefined || 'model' in kind.schema.shape;
}

/** Why a baseline that is not a run may be meant as a target; null if it is a run. */
export function baselineMisfit(baseline: string | undefined): UsageError | null {
  if (baseline === undefined || existsSync(baseline)) return null;
  const use = baseline.split(':')[0];
  if (targetKind(use) === undefined) return null;
  return new UsageError(
    `--baseline ${visible(baseline)}: expected the folder of a run that the gate compares with`,
    `to run it as well: --target ${visible(baseline)}`,
  );
}
