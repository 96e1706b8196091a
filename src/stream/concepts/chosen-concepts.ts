import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { UsageError } from '../../plugin.ts';
import { namesStoplists, type StoplistChoice } from './configured.ts';
import { type NamedSettings, settingsFromFile, settingsFromSpec } from './extractor-from-spec.ts';
import { STOP_CONCEPTS_FILE, STOP_SURFACES_FILE } from './stoplist-files.ts';

export interface ConceptFlags {
  readonly concepts?: string | undefined;
  readonly stoplists?: StoplistChoice | undefined;
  /** A folder that may hold extractor.yaml and stoplists, or the file itself. */
  readonly config?: string | null | undefined;
}

/** An extractor with its stoplists, and what named it; `default`: nothing did. */
export interface ChosenConcepts extends NamedSettings {
  readonly source: '--concepts' | 'extractor.yaml' | 'run logs' | 'default';
  /** In place of the stoplists that the settings name. */
  readonly stoplists: StoplistChoice | undefined;
  /** The extractor.yaml of the configuration, used or not. */
  readonly configFile: string | null;
}

const EXTRACTOR_FILE = 'extractor.yaml';
const DEFAULT = 'vocabulary';

/**
 * The extractor of --concepts, else of the configuration, else the vocabulary; the stoplists of --stoplists, else those
 * that the extractor's settings name, else, without --concepts, those of the configuration folder.
 */
export async function chooseConcepts({ concepts, stoplists, config = null }: ConceptFlags): Promise<ChosenConcepts> {
  const configFile = config === null ? null : extractorFile(config);
  const isConfig = concepts === undefined && configFile !== null;
  const settings = isConfig ? await settingsFromFile(configFile) : await settingsFromSpec(concepts ?? DEFAULT);
  const folder = config !== null && concepts === undefined ? folderOf(config) : null;
  const lists = [STOP_CONCEPTS_FILE, STOP_SURFACES_FILE];
  const hasLists = folder !== null && lists.some((name) => existsSync(join(folder, name)));
  return {
    ...settings,
    source: isConfig ? EXTRACTOR_FILE : (concepts ?? DEFAULT) === DEFAULT ? 'default' : '--concepts',
    stoplists: stoplists ?? (hasLists && !namesStoplists(settings.settings) ? folder : undefined),
    configFile,
  };
}

function extractorFile(config: string): string | null {
  if (!existsSync(config)) throw new UsageError(`--config ${config}: there is no such folder or file`);
  if (statSync(config).isFile()) return config;
  const file = join(config, EXTRACTOR_FILE);
  return existsSync(file) ? file : null;
}

function folderOf(config: string): string {
  return statSync(config).isFile() ? dirname(config) : config;
}
