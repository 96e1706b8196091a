import { existsSync } from 'node:fs';

import { fileSource, isRecord, sortedJson, UsageError } from '../../plugin.ts';
import { type ChosenConcepts, chooseConcepts, type ConceptFlags } from '../concepts/chosen-concepts.ts';
import { configuredExtractor, namesStoplists, stopFiles } from '../concepts/configured.ts';
import {
  EMPTY_LIST,
  extractorFields,
  knownIdentity,
  EXTRACTOR_NOT_ASKED,
  stoplistFields,
} from '../concepts/extractor-provenance.ts';
import { type ExtractorSettings, extractorSettings } from '../concepts/extractor-settings.ts';
import type { ConceptExtractor } from '../concepts/extractor.ts';
import { refuseForeignStoplists, stoplistsBeside } from '../concepts/stoplist-files.ts';
import { runLogFiles } from '../read-run-log.ts';
import { recordBatches } from '../validate/record-file.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The concepts that the first records of logs state. */
interface StatedConcepts {
  readonly extractor: Fields;
  readonly stoplists: Fields;
  readonly variants: string[];
}

interface MeasuredConcepts {
  readonly extractor: ConceptExtractor;
  /** Extractor and stoplists that the logs state, if `force` measures with others; else null. */
  readonly replayed: string | null;
}

interface ReplayedOptions extends ConceptFlags {
  readonly runs: string;
  /** Folders of the logs that are measured, by variant. */
  readonly folders: ReadonlyMap<string, string>;
  readonly force: boolean;
}

/**
 * The extractor and the stoplists that logs were replayed for. Others need `force` and are stated, since their numbers
 * are not those of the replay. Logs that state nothing contradict nothing.
 */
export async function measuredConcepts({ runs, folders, force, ...flags }: ReplayedOptions): Promise<MeasuredConcepts> {
  const groups = await statedConcepts(folders);
  const [stated] = groups;
  const named = await chooseConcepts(flags);
  const isNamed = flags.concepts !== undefined || named.configFile !== null;
  if (groups.length > 1 && !(force && isNamed)) throw disagreement(groups, runs);
  const chosen = isNamed || stated === undefined ? named : { ...named, ...replayedSettings(stated, runs) };
  const fields = extractorFields(chosen.settings, await knownIdentity(chosen));
  const others = new Set(groups.filter(({ extractor }) => differentField(extractor, fields) !== null));
  const [other] = others;
  if (other !== undefined && !force) throw otherExtractor(other, fields, runs);

  // Stoplists of one extractor are not those of another.
  const stoplists = chosen.stoplists ?? (others.size === 0 ? replayedStoplists(chosen, stated, runs) : undefined);
  const files = await stopFiles(chosen.settings, chosen.folder, stoplists);
  const lists = await stoplistFields(files);
  for (const group of groups) {
    const list = LISTS.find(([field]) => hashOf(group.stoplists, field) !== hashOf(lists, field));
    if (list === undefined) continue;
    if (!force) throw otherList(group, lists, list, runs);
    others.add(group);
  }
  const extractor = await configuredExtractor(chosen.settings, chosen.folder, { stoplists });
  try {
    if (files !== null && !force) await refuseForeignStoplists(files, extractor.identity);
  } catch (error) {
    await extractor.close?.();
    throw error;
  }
  return { extractor, replayed: others.size === 0 ? null : [...others].map(description).join('; ') };
}

/** One for each statement that differs, in the order of the variants. */
async function statedConcepts(folders: ReadonlyMap<string, string>): Promise<StatedConcepts[]> {
  const groups = new Map<string, StatedConcepts>();
  for (const [variant, folder] of folders)
    for (const file of runLogFiles(folder)) {
      const { concept_extractor: extractor, stoplists_provenance: stoplists } = await firstRecord(file);
      if (!isRecord(extractor)) continue;
      const group = { extractor, stoplists: isRecord(stoplists) ? stoplists : {}, variants: [variant] };
      const fields = COMPARED.map((field) => extractor[field] ?? null);
      const key = sortedJson([...fields, ...LISTS.map(([field]) => hashOf(group.stoplists, field))]);
      const same = groups.get(key);
      if (same === undefined) groups.set(key, group);
      else if (!same.variants.includes(variant)) same.variants.push(variant);
    }
  return [...groups.values()];
}

async function firstRecord(file: string): Promise<Fields> {
  for await (const [record] of recordBatches(fileSource(file)))
    if (record !== undefined && 'value' in record && isRecord(record.value)) return record.value;
  return {};
}

const SCISPACY_FIELDS = [
  'scispacy_model',
  'linker_name',
  'linker_kb_version',
  'linker_resolve_abbreviations',
  'linker_threshold',
  'linker_max_entities_per_mention',
  'cui_score_threshold',
  'max_k',
  'min_entity_len',
] as const;
/** Fields of concept_extractor that decide which concepts are found. */
const COMPARED = ['name', 'version', 'knowledge_base_hash', 'settings', ...SCISPACY_FIELDS] as const;

const LISTS = [
  ['stop_cuis_hash', 'stop_cuis.txt'],
  ['stop_entities_hash', 'stop_entities.txt'],
] as const;

function hashOf(stoplists: Fields, field: (typeof LISTS)[number][0]): unknown {
  return stoplists[field] ?? EMPTY_LIST;
}

/** Logs of the original program name no extractor: it has only scispaCy. */
function nameOf({ name }: Fields): string {
  return typeof name === 'string' ? name : 'scispacy';
}

/** The first field in which an extractor is another than the log states, of those that both know. */
function differentField(stated: Fields, fields: Fields): string | null {
  if (nameOf(stated) !== nameOf(fields)) return 'name';
  return (
    COMPARED.find((field) => {
      const values = [stated[field] ?? null, fields[field] ?? null];
      return (
        !values.some((value) => value === null || value === EXTRACTOR_NOT_ASKED) &&
        sortedJson(values[0]) !== sortedJson(values[1])
      );
    }) ?? null
  );
}

/** Settings that open the extractor of a log. A file, a server or a program of others cannot be told from a log. */
function replayedSettings({ extractor, stoplists }: StatedConcepts, runs: string): Pick<ChosenConcepts, 'settings'> {
  const { name, settings } = extractor;
  const picks = isRecord(settings) ? settings : {};
  const written: Readonly<Record<string, ExtractorSettings | Fields>> = {
    vocabulary: {
      cui_score_threshold: picks['threshold'],
      max_k: picks['maxK'],
      min_entity_len: picks['minEntityLength'],
    },
    scispacy: Object.fromEntries(
      SCISPACY_FIELDS.flatMap((field) => (extractor[field] == null ? [] : [[field, extractor[field]]])),
    ),
  };
  const setting = typeof name === 'string' && Object.hasOwn(written, name) ? written[name] : undefined;
  const parsed = setting === undefined ? null : extractorSettings.safeParse({ extractor: name, ...setting });
  if (parsed?.success === true) return { settings: parsed.data };
  throw new UsageError(
    `${runs}: the logs were made for ${description({ extractor, stoplists })}. A log does not hold the extractor itself`,
    'name it with --concepts or --config; another extractor, such as --concepts vocabulary, needs --force too',
  );
}

function replayedStoplists(
  { settings }: ChosenConcepts,
  stated: StatedConcepts | undefined,
  runs: string,
): string | undefined {
  if (stated === undefined || namesStoplists(settings)) return undefined;
  if (LISTS.every(([field]) => hashOf(stated.stoplists, field) === EMPTY_LIST)) return undefined;
  const besideRuns = stoplistsBeside(runs);
  if (existsSync(besideRuns)) return besideRuns;
  throw new UsageError(
    `${runs}: the logs were made for stoplists (${listText(stated.stoplists)}), and ${besideRuns} does not exist`,
    'name the folder of these lists with --stoplists; other lists, or --stoplists off, need --force too',
  );
}

const NEXT =
  'replay again with the flags of this call, which keeps finished cases and states the new choice, or add --force';

function disagreement(groups: readonly StatedConcepts[], runs: string): UsageError {
  const parts = groups.map((group) => `${group.variants.join(', ')} for ${description(group)}`);
  return new UsageError(
    `${runs}: the logs were made for different concepts, ${parts.join('; ')}`,
    'replay with the same --concepts and --stoplists, which keeps finished cases, or measure apart with --variants; --force needs --concepts or --config',
  );
}

function otherExtractor({ extractor, variants }: StatedConcepts, fields: Fields, runs: string): UsageError {
  const field = differentField(extractor, fields) ?? '';
  const [stated, chosen] = field === 'name' ? [nameOf(extractor), nameOf(fields)] : [extractor[field], fields[field]];
  return new UsageError(
    `${runs}: the logs of ${variants.join(', ')} were made for another extractor, ${difference(field, stated, chosen)}`,
    `leave out --concepts and --config to measure what was replayed, or ${NEXT}`,
  );
}

/** `settings.maxK 10, not 5` */
function difference(field: string, stated: unknown, chosen: unknown): string {
  if (isRecord(stated) && isRecord(chosen)) {
    const keys = [...new Set([...Object.keys(stated), ...Object.keys(chosen)])];
    const key = keys.find((each) => sortedJson(stated[each] ?? null) !== sortedJson(chosen[each] ?? null));
    if (key !== undefined) return difference(`${field}.${key}`, stated[key], chosen[key]);
  }
  return `${field} ${shown(stated)}, not ${shown(chosen)}`;
}

function otherList(
  { stoplists, variants }: StatedConcepts,
  lists: Fields,
  [field, name]: (typeof LISTS)[number],
  runs: string,
): UsageError {
  const [stated, chosen] = [listHash(hashOf(stoplists, field)), listHash(hashOf(lists, field))];
  return new UsageError(
    `${runs}: the logs of ${variants.join(', ')} were made for another ${name}, ${stated}, not ${chosen}`,
    `name the folder of the replayed lists with --stoplists, or ${NEXT}`,
  );
}

/** `linker sha256:0123abcd without stoplists` */
function description({ extractor, stoplists }: Pick<StatedConcepts, 'extractor' | 'stoplists'>): string {
  const parts =
    nameOf(extractor) === 'scispacy'
      ? [extractor['scispacy_model'], extractor['linker_name'], extractor['linker_kb_version']]
      : [extractor['knowledge_base_hash']];
  const about = parts.filter((part) => typeof part === 'string').map(shown);
  const lists = listText(stoplists);
  return `${[nameOf(extractor), ...about].join(' ')} ${lists === '' ? 'without stoplists' : `with ${lists}`}`;
}

function listText(stoplists: Fields): string {
  return LISTS.filter(([field]) => hashOf(stoplists, field) !== EMPTY_LIST)
    .map(([field, name]) => `${name} ${listHash(hashOf(stoplists, field))}`)
    .join(' and ');
}

function listHash(hash: unknown): string {
  return hash === EMPTY_LIST ? 'none' : shown(hash);
}

/** Hashes are shown by their first digits. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : sortedJson(value ?? null);
  return /^sha256:[0-9a-f]{64}$/.test(text) ? text.slice(0, 'sha256:'.length + 8) : text.slice(0, 200);
}
