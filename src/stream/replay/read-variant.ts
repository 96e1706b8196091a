import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { compareNatural, isRecord, SettingError, type SettingProblem, suggestion, UsageError } from '../../plugin.ts';
import { applyAssignment, type Assignment, parseAssignment, parseYaml, placeIn, schemaProblems } from '../../recipe.ts';
import { isConfigFile } from '../config/config-folder.ts';
import {
  PUBLISHED_CHUNK_CTU,
  SHORT_SETTINGS,
  type Variant,
  type VariantFile,
  variantFile,
  readVariantFile,
} from './variant.ts';
import { type Overruled, type SummarizerDefaults, withDefaults } from './variant-defaults.ts';

const SHIPPED = join(dirname(dirname(fileURLToPath(import.meta.url))), 'variants');

export interface ReadVariant extends Variant {
  /** As the log's configuration hash covers it: everything, with defaults filled in. */
  readonly resolved: VariantFile;
  /** What the reader should know about how it was read. */
  readonly notices: readonly string[];
  /** Defaults of a summarizer.yaml that its own file has other values for. */
  readonly overruled: readonly Overruled[];
}

/** Names of the variants of a folder of YAML files (or of its folder `variants`); without a folder, those that ship. */
export function variantNames(config: string | null): string[] {
  return readdirSync(folderOf(config))
    .filter(isVariantFile)
    .map((file) => basename(file, '.yaml'))
    .sort(compareNatural);
}

/** A variant by its name, with what holds for all variants below it and `--set` lines laid over it. */
export function readVariant(
  name: string,
  config: string | null,
  set: readonly string[] = [],
  defaults: SummarizerDefaults | null = null,
): ReadVariant {
  const folder = folderOf(config);
  const names = variantNames(config);
  if (!names.includes(name)) {
    const where = folder === SHIPPED ? 'among those that ship' : `in ${folder}`;
    throw new UsageError(`there is no variant ${name} ${where}`, suggestion(name, names, 'variants'));
  }
  const file = join(folder, `${name}.yaml`);
  const shown = folder === SHIPPED ? `variant ${name}` : file;
  const { value, lineOf } = parseYaml(readFileSync(file, 'utf8'), shown, 'a variant');
  const { value: layered, overruled } = withDefaults(value, defaults, folder === SHIPPED);
  const assignments: Assignment[] = [];
  const place = (path: readonly string[]): string | null => placeIn([{ name: shown, lineOf }], assignments, path);
  const whole = ownLines(set, name, names).reduce<unknown>((base, line) => {
    const assignment = parseAssignment(base, longName(line));
    refuseUnknown(assignment, base);
    assignments.push(assignment);
    return applyAssignment(base, assignment);
  }, layered);
  const parsed = variantFile.safeParse(whole);
  if (!parsed.success) throw new SettingError(schemaProblems(variantFile, whole, parsed.error, []), place);
  const problems = contradictions(parsed.data, name);
  if (problems.length > 0) throw new SettingError(problems, place);
  return { ...readVariantFile(parsed.data), resolved: parsed.data, notices: noticesOf(parsed.data, value), overruled };
}

/** Lines for all variants, and those for this one alone (`V0.minWords=40`), without its name. */
function ownLines(set: readonly string[], name: string, names: readonly string[]): string[] {
  return set.flatMap((line) => {
    const [first = '', ...rest] = line.split('.');
    if (rest.length === 0 || !names.includes(first)) return [line];
    return first === name ? [rest.join('.')] : [];
  });
}

/** A file may have further notes; a --set line that names no known section is a slip. */
function refuseUnknown({ line, path }: Assignment, base: unknown): void {
  const known = [...Object.keys(variantFile.shape), ...(isRecord(base) ? Object.keys(base) : [])];
  const [section = ''] = path;
  if (known.includes(section)) return;
  const names = [...Object.keys(SHORT_SETTINGS), ...known];
  throw new UsageError(`--set ${line}: there is no setting called ${section}`, suggestion(section, names, 'settings'));
}

/** Short names stand for their place in the file, also behind the name of what they belong to: `gate.maxWait`. */
function longName(line: string): string {
  const at = line.indexOf('=');
  const short = /^(?:(?:gate|tokenGate|token_gate|bufferAgent|summarizer)\.)?(\w+)$/.exec(
    line.slice(0, at).trim(),
  )?.[1];
  const long = short === undefined || !Object.hasOwn(SHORT_SETTINGS, short) ? undefined : SHORT_SETTINGS[short];
  return at > 0 && long !== undefined ? `${long}${line.slice(at)}` : line;
}

function folderOf(config: string | null): string {
  if (config === null) return SHIPPED;
  const inner = join(config, 'variants');
  const folder = existsSync(inner) ? inner : config;
  if (!existsSync(folder)) throw new UsageError(`--config ${config}: there is no such folder`);
  const files = readdirSync(folder);
  // A folder of settings alone is about the variants that ship.
  return folder === config && !files.some(isVariantFile) && files.some(isConfigFile) ? SHIPPED : folder;
}

function isVariantFile(file: string): boolean {
  return file.endsWith('.yaml') && !isConfigFile(file);
}

/** What no schema can express: a variant needs exactly one trigger, and a gate whose sizes make sense. */
function contradictions(file: VariantFile, name: string): SettingProblem[] {
  const { token_gate: gate } = file.components;
  const triggers = [gate.enabled, file.turn_trigger.enabled, file.fixed_trigger.enabled].filter(Boolean).length;
  const problems: SettingProblem[] = [];
  if (file.variant_id !== name)
    problems.push({
      path: ['variant_id'],
      message: `it is ${file.variant_id}, but the file is called ${name}.yaml`,
      next: null,
    });
  if (triggers !== 1)
    problems.push({
      path: ['components'],
      message: `${triggers === 0 ? 'no trigger is' : `${triggers} triggers are`} enabled`,
      next: 'enable one of components.token_gate, turn_trigger and fixed_trigger',
    });
  const { enabled, chunk_size_ctu: chunk, interval_seconds: interval } = file.fixed_trigger;
  if (enabled && chunk !== null && interval != null)
    problems.push({
      path: ['fixed_trigger', 'interval_seconds'],
      message: `${interval} s, but chunk_size_ctu is ${chunk}: a fixed trigger goes by time or by size`,
      next: 'set the other to null, such as --set V3.chunkCtu=null',
    });
  if (gate.enabled && gate.min_words > gate.max_words)
    problems.push({
      path: ['components', 'token_gate', 'min_words'],
      message: `${gate.min_words} is more than max_words, ${gate.max_words}`,
      next: null,
    });
  return problems;
}

function noticesOf({ fixed_trigger: fixed, variant_id: id }: VariantFile, written: unknown): string[] {
  const given =
    isRecord(written) && isRecord(written['fixed_trigger']) ? written['fixed_trigger']['chunk_size_ctu'] : null;
  if (
    !fixed.enabled ||
    fixed.interval_seconds != null ||
    fixed.chunk_size_ctu !== null ||
    (given !== null && given !== undefined)
  )
    return [];
  return [
    `${id} names no chunk size: ${PUBLISHED_CHUNK_CTU} CTU, as the published cases gave, is used; ` +
      'assay stream calibrate works it out for yours',
  ];
}
