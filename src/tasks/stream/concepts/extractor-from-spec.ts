import { existsSync } from 'node:fs';

import { UsageError } from '../../../data/problems.ts';
import { nearestNames } from '../../../text/nearest.ts';
import { configuredExtractor, type StoplistChoice } from './configured.ts';
import type { ConceptExtractor } from './extractor.ts';
import type { ExtractorSettings } from './extractor-settings.ts';
import { readExtractorSettings } from './extractor-settings.ts';
import { recordingExtractor } from './recorded.ts';

export interface SpecOptions {
  /** A folder of stoplists, or `off`; without it, those that a file of settings names. */
  readonly stoplists?: StoplistChoice | undefined;
  /** Keeps the answers in this file, for `recorded:FILE`. */
  readonly record?: string | undefined;
}

export interface NamedSettings {
  readonly settings: ExtractorSettings;
  /** Where relative paths start from. */
  readonly folder: string;
  /** The share of traces that a file of settings asks for; null where none is said. */
  readonly dfThreshold: number | null;
}

const FORMS = 'vocabulary, index:FILE, kb:PATH, scispacy, scispacy:PYTHON, http:URL, recorded:FILE or FILE.yaml';

/** The extractor that a word of the command line names. */
export async function extractorFromSpec(spec: string, options: SpecOptions = {}): Promise<ConceptExtractor> {
  const { settings, folder } = await settingsFromSpec(spec);
  const extractor = await configuredExtractor(settings, folder, { stoplists: options.stoplists });
  return options.record === undefined ? extractor : recordingExtractor(extractor, options.record);
}

/** What a word of the command line means, in settings. */
export async function settingsFromSpec(spec: string): Promise<NamedSettings> {
  const plain = (settings: ExtractorSettings): NamedSettings => ({ settings, folder: '.', dfThreshold: null });
  if (/^https?:\/\//i.test(spec)) return plain({ extractor: 'scispacy', url: spec });
  const [, kind = spec, value = null] = /^([a-z]+)(?::(.*))?$/s.exec(spec) ?? [];
  switch (kind) {
    case 'vocabulary':
      if (value !== null)
        throw new UsageError(`${spec}: vocabulary is the one that ships`, 'a file of your own: kb:PATH');
      return plain({ extractor: 'vocabulary' });
    case 'index':
      return plain({ extractor: 'linker', index: needed(spec, value, 'FILE') });
    case 'kb':
      return plain({ extractor: 'linker', kb: needed(spec, value, 'PATH') });
    case 'scispacy':
      return plain({ extractor: 'scispacy', ...(value === null ? {} : { command: needed(spec, value, 'PYTHON') }) });
    case 'http':
      return plain({ extractor: 'scispacy', url: needed(spec, value, 'URL') });
    case 'recorded':
      return plain({ extractor: 'recorded', file: needed(spec, value, 'FILE') });
  }
  if (!/\.ya?ml$/i.test(spec) && !existsSync(spec)) throw unknown(spec, kind);
  return settingsFromFile(spec);
}

export async function settingsFromFile(file: string): Promise<NamedSettings> {
  const { settings, folder, stoplistGeneration } = await readExtractorSettings(file);
  return { settings, folder, dfThreshold: stoplistGeneration?.df_threshold ?? null };
}

function needed(spec: string, value: string | null, what: string): string {
  if (value !== null && value !== '') return value;
  throw new UsageError(`${spec}: expected ${what} after the colon`, `what finds concepts: ${FORMS}`);
}

function unknown(spec: string, kind: string): UsageError {
  const near = nearestNames(kind, ['vocabulary', 'index', 'kb', 'scispacy', 'http', 'recorded']);
  return new UsageError(
    `${spec}: no way to find concepts is called so, and there is no such file of settings`,
    near.length > 0 ? `did you mean ${near.join(' or ')}? Expected ${FORMS}` : `expected ${FORMS}`,
  );
}
