import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { readText } from '../../plugin.ts';
import { namesStoplists } from './configured.ts';
import { settingsFromFile, settingsFromSpec } from './extractor-from-spec.ts';
import { type ConceptProvenance, conceptProvenance } from './extractor-provenance.ts';
import { STOP_CONCEPTS_FILE, STOP_SURFACES_FILE } from './stoplist-files.ts';
import { REPORT_FILE } from './stoplist-outputs.ts';

export interface ConceptFlags {
  readonly concepts?: string;
  readonly stoplists?: string;
}

const EXTRACTOR_FILE = 'extractor.yaml';
const DEFAULT = 'vocabulary';

/**
 * What measures are to stand on, for the first record of each log: the extractor of --concepts, else of the
 * configuration, else the default of stream measure; the stoplists of --stoplists, else those that the extractor's
 * settings name, else, without --concepts, those beside the variants.
 */
export async function configProvenance(config: string | null, flags: ConceptFlags): Promise<ConceptProvenance> {
  const inConfig = (file: string): string | null =>
    config !== null && existsSync(join(config, file)) ? join(config, file) : null;
  const settingsFile = inConfig(EXTRACTOR_FILE);
  const isConfig = flags.concepts === undefined && settingsFile !== null;
  const named = isConfig ? await settingsFromFile(settingsFile) : await settingsFromSpec(flags.concepts ?? DEFAULT);
  const source = isConfig ? EXTRACTOR_FILE : (flags.concepts ?? DEFAULT) === DEFAULT ? 'default' : '--concepts';
  const beside = (inConfig(STOP_CONCEPTS_FILE) ?? inConfig(STOP_SURFACES_FILE)) === null ? null : config;
  const ofConfig = flags.concepts === undefined && !namesStoplists(named.settings) ? beside : null;
  const stoplists = flags.stoplists ?? ofConfig;
  const found = await conceptProvenance(named, source, stoplists ?? undefined);
  const hashed = async (name: string, file: string | null): Promise<Record<string, string>> =>
    file === null ? {} : { [name]: `sha256:${(await readText(file)).storedSha256}` };
  return {
    ...found,
    stoplists_provenance: {
      ...(await hashed('extractor_config_hash', settingsFile)),
      ...(await hashed('stoplist_df_report_hash', inConfig(REPORT_FILE))),
      ...found.stoplists_provenance,
    },
  };
}
