import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { readText, sha256Of } from '../../plugin.ts';
import { chooseConcepts, type ConceptFlags } from './chosen-concepts.ts';
import { configuredExtractor, stopFiles } from './configured.ts';
import type { NamedSettings } from './extractor-from-spec.ts';
import { extractorKind, type ExtractorSettings } from './extractor-settings.ts';
import type { ExtractorIdentity } from './extractor.ts';
import { DEFAULT_SCISPACY } from './scispacy.ts';
import { DEFAULT_PICKS } from './scored-mentions.ts';
import {
  METADATA_FILE,
  readStopFiles,
  refuseForeignStoplists,
  type StopFiles,
  stoplistMetadata,
} from './stoplist-files.ts';
import { REPORT_FILE } from './stoplist-outputs.ts';

/** How run_meta identifies the concepts that its log is to be measured by. */
interface ConceptProvenance {
  readonly concept_extractor: Readonly<Record<string, unknown>>;
  /** Without stoplists_generated_at if the lists have no time; the log has its created_at instead. */
  readonly stoplists_provenance: Readonly<Record<string, unknown>>;
  readonly stopFiles: StopFiles | null;
}

/** No list at all is the list without a line. */
export const EMPTY_LIST = sha256Of('');
const NOT_USED = 'none';
export const EXTRACTOR_NOT_ASKED = 'not asked: stated by stream measure';

/** `identity`: null if only a process or a server knows it. */
export function extractorFields(
  settings: ExtractorSettings,
  identity: ExtractorIdentity | null,
): Readonly<Record<string, unknown>> {
  const picks = {
    cui_score_threshold: settings.cui_score_threshold ?? DEFAULT_PICKS.threshold,
    max_k: settings.max_k ?? DEFAULT_PICKS.maxK,
    min_entity_len: settings.min_entity_len ?? DEFAULT_PICKS.minEntityLength,
    linker_threshold: settings.linker_threshold ?? DEFAULT_SCISPACY.linkerThreshold,
    linker_max_entities_per_mention: settings.linker_max_entities_per_mention ?? DEFAULT_SCISPACY.linkerMaxEntities,
    entity_types_kept: settings.entity_types_kept ?? ['ALL'],
    concept_representation: 'cui',
    cui_normalization: 'uppercase',
  };
  const stated = settings.linker_kb_version ?? null;
  if (identity === null)
    return {
      ...picks,
      name: extractorName(settings),
      version: EXTRACTOR_NOT_ASKED,
      spacy_version: EXTRACTOR_NOT_ASKED,
      scispacy_version: EXTRACTOR_NOT_ASKED,
      scispacy_model: settings.scispacy_model ?? DEFAULT_SCISPACY.model,
      linker_name: settings.linker_name ?? DEFAULT_SCISPACY.linker,
      linker_kb_version: stated,
      linker_resolve_abbreviations: settings.linker_resolve_abbreviations ?? DEFAULT_SCISPACY.resolveAbbreviations,
      knowledge_base_hash: null,
    };
  const { name, version, knowledgeBase } = identity;
  return {
    ...picks,
    name,
    version,
    spacy_version: NOT_USED,
    scispacy_version: NOT_USED,
    scispacy_model: NOT_USED,
    linker_name: `assay-${name}`,
    // The vocabulary that ships has no releases: its content identifies it.
    linker_kb_version: stated ?? (name === 'vocabulary' ? `assay-vocabulary-${hex(knowledgeBase)}` : null),
    linker_resolve_abbreviations: identity.settings['resolveAbbreviations'] === true,
    knowledge_base_hash: knowledgeBase,
    settings: identity.settings,
  };
}

function hex(hash: string | null): string {
  return (hash ?? EMPTY_LIST).slice('sha256:'.length, 'sha256:'.length + 8);
}

export async function stoplistFields(files: StopFiles | null): Promise<Readonly<Record<string, unknown>>> {
  const hashed = async (file: string | null): Promise<string> =>
    file === null ? EMPTY_LIST : `sha256:${(await readText(file)).storedSha256}`;
  const place = files?.concepts ?? files?.surfaces ?? null;
  if (files === null || place === null)
    return {
      configured: false,
      note: 'no stoplists are configured: the hashes are those of an empty list',
      stop_cuis_hash: EMPTY_LIST,
      stop_entities_hash: EMPTY_LIST,
      stoplists_generated_by_commit: null,
    };
  const report = join(dirname(place), REPORT_FILE);
  const metadata = await stoplistMetadata(join(dirname(place), METADATA_FILE));
  const at = metadata['stoplists_generated_at'];
  const commit = metadata['stoplists_generated_by_commit'];
  return {
    configured: true,
    stop_cuis_file: files.concepts === null ? null : basename(files.concepts),
    stop_entities_file: files.surfaces === null ? null : basename(files.surfaces),
    stop_cuis_hash: await hashed(files.concepts),
    stop_entities_hash: await hashed(files.surfaces),
    ...(existsSync(report) ? { stoplist_df_report_hash: await hashed(report) } : {}),
    ...(typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? { stoplists_generated_at: at } : {}),
    stoplists_generated_by_commit: typeof commit === 'string' ? commit : null,
  };
}

/** Null if it costs a process or a question to a server. */
export async function knownIdentity({ settings, folder }: NamedSettings): Promise<ExtractorIdentity | null> {
  if (extractorKind(settings) === 'scispacy') return null;
  const extractor = await configuredExtractor(settings, folder, { stoplists: 'off' });
  await extractor.close?.();
  return extractor.identity;
}

/**
 * The concepts that logs are to be measured by, for their first record, in the fields of the published schema and with
 * further ones. No process is started and no server is asked: what only those know is stated as not asked, so that the
 * record is the same on every machine.
 */
export async function configProvenance(
  config: string | null,
  { force = false, ...flags }: ConceptFlags & { readonly force?: boolean },
): Promise<ConceptProvenance> {
  const chosen = await chooseConcepts({ ...flags, config });
  const { settings, folder, source, stoplists, configFile } = chosen;
  const files = await stopFiles(settings, folder, stoplists);
  const identity = await knownIdentity(chosen);
  if (files !== null && !force) await refuseForeignStoplists(files, identity ?? extractorName(settings));
  const stops = await readStopFiles(files ?? { concepts: null, surfaces: null });
  const hashed = async (name: string, file: string | null): Promise<Record<string, string>> =>
    file === null || !existsSync(file) ? {} : { [name]: `sha256:${(await readText(file)).storedSha256}` };
  return {
    concept_extractor: {
      ...extractorFields(settings, identity),
      configured_by: source,
      stop_cuis_count: stops.concepts.size,
      stop_entities_count: stops.surfaces.size,
    },
    stoplists_provenance: {
      ...(await hashed('extractor_config_hash', configFile)),
      ...(await hashed('stoplist_df_report_hash', config === null ? null : join(config, REPORT_FILE))),
      ...(await stoplistFields(files)),
    },
    stopFiles: files,
  };
}

/** The name that the identity of an extractor has once it is asked. */
function extractorName({ url }: ExtractorSettings): string {
  return url === undefined ? 'scispacy' : 'endpoint';
}
