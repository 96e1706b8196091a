import { z } from 'zod';

import { UsageError } from '../../../data/problems.ts';
import type { SummarizerDefaults } from '../replay/variant-defaults.ts';
import { type SummaryField, SUMMARY_FIELDS } from '../run-log-records.ts';
import { type ConfigFile, type ConfigKind, readConfigFile } from './config-file.ts';

const perField = z.partialRecord(z.enum(SUMMARY_FIELDS), z.int().min(1).max(10_000));
const words = z.int().min(1).exactOptional();
const seconds = z.number().positive().exactOptional();

const summarizerYaml: ConfigKind<SummarizerValues> = {
  name: 'summarizer.yaml',
  schema: z.strictObject({
    history_k: z.int().min(0).max(100).exactOptional(),
    generation: z
      .strictObject({ max_tokens: perField.exactOptional(), max_characters: perField.exactOptional() })
      .exactOptional(),
    token_gate: z
      .strictObject({ min_words: words, max_words: words, silence_timer: seconds, max_wait_timeout: seconds })
      .exactOptional(),
    model: z
      .strictObject({
        name: z.string().min(1).exactOptional(),
        temperature: z.number().min(0).max(2).nullable().exactOptional(),
        base_url: z.string().min(1).exactOptional(),
        timeout_seconds: z.int().min(1).max(3600).exactOptional(),
      })
      .exactOptional(),
  }),
  idle: {
    'buffer.fallback_threshold': 'there is no trigger by threshold; variants say what triggers',
  },
  fixed: {
    'buffer.llm_trigger': [true, 'a variant says by components.buffer_agent.enabled whether a model is asked'],
    'token_gate.boundary_cues': ['.?!\n', 'the gate’s cues are a full stop, ?, ! and a newline'],
  },
};

interface SummarizerValues {
  readonly history_k?: number;
  readonly generation?: {
    readonly max_tokens?: Readonly<Partial<Record<SummaryField, number>>>;
    readonly max_characters?: Readonly<Partial<Record<SummaryField, number>>>;
  };
  readonly token_gate?: NonNullable<SummarizerDefaults['gate']>;
  readonly model?: {
    readonly name?: string;
    readonly temperature?: number | null;
    readonly base_url?: string;
    readonly timeout_seconds?: number;
  };
}

/** The published caps in characters are three times the tokens of the published file: 50 tokens, 150 characters. */
const CHARACTERS_PER_TOKEN = 3;

export interface SummarizerConfig {
  readonly file: ConfigFile<SummarizerValues>;
  /** What holds for all variants that do not say it themselves. */
  readonly defaults: SummarizerDefaults;
}

export function readSummarizerConfig(folder: string): SummarizerConfig | null {
  const file = readConfigFile(folder, summarizerYaml);
  if (file === null) return null;
  const { history_k: historyK, generation, token_gate: gate } = file.values;
  const { max_tokens: tokens = {}, max_characters: characters = {} } = generation ?? {};
  const both = SUMMARY_FIELDS.find((field) => tokens[field] !== undefined && characters[field] !== undefined);
  if (both !== undefined)
    throw new UsageError(
      `${file.placeOf(`generation.max_characters.${both}`)}: ${both} has a cap in characters and one in tokens`,
      `keep one of them; a token counts as ${CHARACTERS_PER_TOKEN} characters`,
    );
  const limits = Object.fromEntries(
    SUMMARY_FIELDS.flatMap((field): [string, number][] => {
      const most = characters[field] ?? (tokens[field] === undefined ? null : tokens[field] * CHARACTERS_PER_TOKEN);
      return most === null ? [] : [[field, most]];
    }),
  );
  return {
    file,
    defaults: {
      ...(historyK === undefined ? {} : { historyK }),
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
      ...(gate === undefined ? {} : { gate }),
      placeOf: file.placeOf,
    },
  };
}
