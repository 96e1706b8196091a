import { existsSync } from 'node:fs';

import { closestNames, UsageError } from '../../plugin.ts';
import { configuredExtractor, type StoplistChoice } from './configured.ts';
import type { ConceptExtractor } from './extractor.ts';
import type { ExtractorSettings } from './extractor-settings.ts';
import { readExtractorSettings } from './extractor-settings.ts';
import { recordingExtractor } from './recorded.ts';

interface SpecOptions {
  /** A folder of stoplists, or `off`; without it, those that a file of settings names. */
  readonly stoplists?: StoplistChoice | undefined;
  /** Keeps the answers in this file, for `recorded:FILE`. */
  readonly record?: string | undefined;
}

export interface NamedSettings {
  readonly settings: ExtractorSettings;
  readonly folder: string;
  /** The share of traces that a file of settings asks for; null if it does not. */
  readonly dfThreshold: number | null;
}

/** By the word before the colon: what follows it, and the settings that this means. */
const KINDS: Readonly<Record<string, readonly [value: string | null, settings: (value: string) => ExtractorSettings]>> =
  {
    vocabulary: [null, () => ({ extractor: 'vocabulary' })],
    index: ['FILE', (index) => ({ extractor: 'linker', index })],
    kb: ['PATH', (kb) => ({ extractor: 'linker', kb })],
    scispacy: ['PYTHON', (command) => ({ extractor: 'scispacy', command })],
    http: ['URL', (url) => ({ extractor: 'scispacy', url })],
    recorded: ['FILE', (file) => ({ extractor: 'recorded', file })],
  };
const FORMS = 'vocabulary, index:FILE, kb:PATH, scispacy, scispacy:PYTHON, http:URL, recorded:FILE or FILE.yaml';

export async function extractorFromSpec(spec: string, options: SpecOptions = {}): Promise<ConceptExtractor> {
  const { settings, folder } = await settingsFromSpec(spec);
  const extractor = await configuredExtractor(settings, folder, { stoplists: options.stoplists });
  return options.record === undefined ? extractor : recordingExtractor(extractor, options.record);
}

export async function settingsFromSpec(spec: string): Promise<NamedSettings> {
  const plain = (settings: ExtractorSettings): NamedSettings => ({ settings, folder: '.', dfThreshold: null });
  if (/^https?:\/\//i.test(spec)) return plain({ extractor: 'scispacy', url: spec });
  if (spec === 'scispacy') return plain({ extractor: 'scispacy' });
  const [, kind = spec, value = ''] = /^([a-z]+)(?::(.*))?$/s.exec(spec) ?? [];
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (known !== undefined) {
    const [expected, settingsOf] = known;
    if (expected === null && spec !== kind)
      throw new UsageError(`${spec}: vocabulary is the one that ships`, 'a custom file: kb:PATH');
    if (expected !== null && value === '')
      throw new UsageError(`${spec}: expected ${expected} after the colon`, `what finds concepts: ${FORMS}`);
    return plain(settingsOf(value));
  }
  if (/\.ya?ml$/i.test(spec) || existsSync(spec)) return settingsFromFile(spec);
  const near = closestNames(kind, Object.keys(KINDS));
  throw new UsageError(
    `${spec}: neither a way to find concepts nor a file of settings`,
    near.length > 0 ? `did you mean ${near.join(' or ')}? Expected ${FORMS}` : `expected ${FORMS}`,
  );
}

export async function settingsFromFile(file: string): Promise<NamedSettings> {
  const { settings, folder, stoplistGeneration } = await readExtractorSettings(file);
  return { settings, folder, dfThreshold: stoplistGeneration?.df_threshold ?? null };
}
