import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import { parseDuration } from '../../experiment/limits/duration.ts';
import type { ExperimentOverrides } from '../../experiment/run/load-experiment.ts';
import { wholeNumber } from '../whole-number.ts';
import { baselineMisfit, namesSystems, type SystemFlags, systemsOfFlags, targetFlag } from './systems-of-flags.ts';
import type { TextsFlags } from '../texts-flags.ts';

export interface RunFlags extends TextsFlags, SystemFlags {
  readonly dataset?: string;
  readonly name?: string;
  readonly description?: string;
  readonly prompt?: string;
  readonly promptLabel?: string;
  readonly promptVersion?: string;
  readonly temperature?: string;
  readonly baseUrl?: string;
  readonly recipe?: string;
  readonly set?: readonly string[];
  readonly repeats?: string;
  readonly gate?: string;
  readonly baseline?: string;
  readonly out?: string;
  readonly limit?: string;
  readonly onlyFailed?: boolean;
  readonly dryRun?: boolean;
  readonly cache?: boolean;
  readonly concurrency?: string;
  readonly retries?: string;
  readonly timeout?: string;
  readonly maxCost?: string;
  readonly maxTokens?: string;
  readonly maxTime?: string;
  readonly price?: string;
  readonly data?: string;
  readonly local?: boolean;
  readonly langfuse?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const TARGET_FLAGS = [
  ['target', '--target', 'use'],
  ['model', '--model', 'model'],
  ['baseUrl', '--base-url', 'baseUrl'],
  ['temperature', '--temperature', 'temperature'],
  ['prompt', '--prompt', 'prompt'],
  ['promptLabel', '--prompt-label', 'prompt'],
  ['promptVersion', '--prompt-version', 'prompt'],
  ['answers', '--answers', 'answers'],
] as const satisfies readonly (readonly [flag: keyof RunFlags, written: string, setting: string])[];

const FLAGS: readonly (readonly [flag: keyof RunFlags, written: string, setting: string])[] = [
  ...TARGET_FLAGS.map(([flag, written, setting]) => [flag, written, `target.${setting}`] as const),
  ['dataset', '--dataset', 'dataset'],
  ['task', '--task', 'task'],
  ['name', '--name', 'name'],
  ['recipe', '--recipe', 'recipe'],
  ['repeats', '--repeats', 'repeats'],
  ['concurrency', '--concurrency', 'limits.concurrency'],
  ['retries', '--retries', 'limits.retries'],
  ['maxTokens', '--max-tokens', 'budget.tokens'],
  ['baseline', '--baseline', 'gate.baseline'],
];

/** The flag that a setting of the experiment came from; null where none was given for it. */
export function flagOf(flags: RunFlags, path: readonly string[]): string | null {
  const setting = path.join('.');
  const found = FLAGS.find(([flag, , own]) => own === setting && flags[flag] !== undefined);
  return found?.[1] ?? null;
}

/** Paths in flags start from the current folder, those of a file from the file's: here as the file would say it. */
function fromFile(file: string | null, path: string): string {
  return file === null || isAbsolute(path) ? path : relative(dirname(resolve(file)), resolve(path)) || path;
}

/** The same for what may be a name as well. */
function nameOrPath(file: string | null, given: string | undefined): string | undefined {
  return given !== undefined && existsSync(given) ? fromFile(file, given) : given;
}

/** What the flags say, in the words of an experiment file. */
export function overridesOf(file: string | null, flags: RunFlags): ExperimentOverrides {
  const isSeveral = namesSystems(flags, file !== null);
  if (file === null) refuseIncomplete(flags, isSeveral);
  if (!isSeveral) refuseBesideAnswers(flags);
  const misfit = baselineMisfit(flags.baseline);
  if (misfit !== null) throw misfit;
  const target = isSeveral ? {} : targetOf(file, flags);
  const limits = {
    ...(flags.concurrency === undefined
      ? {}
      : { concurrency: wholeNumber('--concurrency', flags.concurrency, 1, Number.MAX_SAFE_INTEGER) }),
    ...(flags.retries === undefined
      ? {}
      : { retries: wholeNumber('--retries', flags.retries, 0, Number.MAX_SAFE_INTEGER) }),
    ...(flags.timeout === undefined ? {} : { timeout: duration(flags.timeout, '--timeout') }),
  };
  const budget = {
    ...(flags.maxCost === undefined ? {} : { cost: amount(flags.maxCost, '--max-cost', 'above') }),
    ...(flags.maxTokens === undefined
      ? {}
      : { tokens: wholeNumber('--max-tokens', flags.maxTokens, 1, Number.MAX_SAFE_INTEGER) }),
    ...(flags.maxTime === undefined ? {} : { time: duration(flags.maxTime, '--max-time') }),
  };
  return {
    dataset: nameOrPath(file, flags.dataset),
    name: flags.name,
    description: flags.description,
    task: flags.task,
    target: Object.keys(target).length === 0 ? undefined : target,
    systems: isSeveral
      ? systemsOfFlags(flags, askedOf(flags), file !== null, (path) => fromFile(file, path))
      : undefined,
    recipe: nameOrPath(file, flags.recipe),
    set: flags.set,
    repeats:
      flags.repeats === undefined ? undefined : wholeNumber('--repeats', flags.repeats, 1, Number.MAX_SAFE_INTEGER),
    limits: Object.keys(limits).length === 0 ? undefined : limits,
    budget: Object.keys(budget).length === 0 ? undefined : budget,
    prices: flags.price === undefined ? undefined : pricesOf(flags.price),
    gate: gateOf(file, flags),
    out: flags.out,
    cache: flags.cache === false ? false : undefined,
  };
}

/** Everything that is missing, at once. */
function refuseIncomplete({ dataset, name, out, target, model, answers }: RunFlags, isSeveral: boolean): void {
  const asks = model === undefined && answers === undefined && (target === undefined || !isSeveral);
  const missing = [
    ...(dataset === undefined ? ['--dataset NAME'] : []),
    ...(name !== undefined || (isSeveral && out !== undefined)
      ? []
      : [isSeveral ? '--out FOLDER (or --name RUN)' : '--name RUN']),
    ...(asks ? ['--model MODEL (or --answers FILE)'] : []),
  ];
  if (missing.length > 0)
    throw new UsageError(
      `without an experiment file, ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} needed`,
      'assay run EXPERIMENT.yaml, or see assay run --help',
    );
}

/** Recorded answers stand for a target: what is said of another beside them would be ignored. */
function refuseBesideAnswers(flags: RunFlags): void {
  if (flags.answers === undefined) return;
  const others = TARGET_FLAGS.filter(([key]) => key !== 'answers' && flags[key] !== undefined).map(([, flag]) => flag);
  if (others.length === 0) return;
  throw new UsageError(
    `--answers are recorded: there is no model and no other target to ask, and ${others.join(', ')} would change nothing`,
    `leave ${others.join(', ')} out, or --answers`,
  );
}

function targetOf(file: string | null, flags: RunFlags): Record<string, unknown> {
  const path = (given: string): string => fromFile(file, given);
  const [answers] = flags.answers ?? [];
  if (answers !== undefined) return { use: 'recorded', answers: path(answers) };
  const [target] = flags.target ?? [];
  const [model] = flags.model ?? [];
  return {
    ...(target === undefined ? (file === null ? { use: 'graph-extractor' } : {}) : targetFlag(target, path).settings),
    ...(model === undefined ? {} : { model }),
    ...askedOf(flags),
  };
}

/** Settings of whatever asks a model. */
function askedOf(flags: RunFlags): Record<string, unknown> {
  const prompt = promptOf(flags);
  return {
    ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }),
    ...(flags.temperature === undefined ? {} : { temperature: temperatureOf(flags.temperature) }),
    ...(prompt === null ? {} : { prompt }),
  };
}

/** Without a name, the loader takes the one that the target's prompt usually has. */
function promptOf({ prompt, promptLabel, promptVersion }: RunFlags): Record<string, unknown> | null {
  if (prompt === undefined && promptLabel === undefined && promptVersion === undefined) return null;
  return {
    ...(prompt === undefined ? {} : { name: prompt }),
    ...(promptLabel === undefined ? {} : { label: promptLabel }),
    ...(promptVersion === undefined
      ? {}
      : { version: wholeNumber('--prompt-version', promptVersion, 1, Number.MAX_SAFE_INTEGER) }),
  };
}

export function temperatureOf(given: string): number | null {
  if (given === 'none') return null;
  const value = given.trim() === '' ? NaN : Number(given);
  if (!Number.isFinite(value) || value < 0 || value > 2)
    throw new UsageError(`--temperature ${given}: expected a number from 0 to 2, or none`);
  return value;
}

function gateOf(file: string | null, { gate, baseline }: RunFlags): unknown {
  const rules = gate === undefined ? undefined : fromFile(file, gate);
  if (baseline === undefined) return rules;
  return { ...(rules === undefined ? {} : { rules }), baseline: fromFile(file, baseline) };
}

export function pricesOf(given: string): { input: number; output: number } {
  const [input = '', output = '', ...rest] = given.split(',');
  if (rest.length > 0 || output === '')
    throw new UsageError(`--price ${given}: expected two numbers, of input and output`, 'such as --price 0.1,0.4');
  return { input: amount(input, '--price', 'from'), output: amount(output, '--price', 'from') };
}

/** A number that is not negative, and above 0 where nothing at all makes no sense. */
export function amount(given: string, flag: string, zero: 'from' | 'above'): number {
  const value = given.trim() === '' ? NaN : Number(given);
  if (Number.isFinite(value) && (zero === 'from' ? value >= 0 : value > 0)) return value;
  throw new UsageError(`${flag} ${given}: expected a number ${zero === 'from' ? 'from 0 on' : 'above 0'}`);
}

/** Checked here, where the flag can be named; kept as it was written. */
function duration(given: string, flag: string): string {
  parseDuration(given, flag);
  return given;
}
