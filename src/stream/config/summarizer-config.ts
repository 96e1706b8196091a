import { z } from 'zod';

import { UsageError } from '../../plugin.ts';
import type { SummarizerDefaults } from '../replay/variant-defaults.ts';
import { SUMMARY_FIELDS } from '../run-log-records.ts';
import { type ConfigFile, type ConfigKind, readConfigFile } from './config-file.ts';

const perField = z.partialRecord(z.enum(SUMMARY_FIELDS), z.int().min(1).max(10_000));
const words = z.int().min(1).exactOptional();
const seconds = z.number().positive().exactOptional();

const summarizerSchema = z.strictObject({
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
});
type SummarizerValues = z.infer<typeof summarizerSchema>;

const summarizerYaml: ConfigKind<SummarizerValues> = {
  name: 'summarizer.yaml',
  schema: summarizerSchema,
  idle: {
    'buffer.fallback_threshold': 'there is no trigger by threshold; variants set the trigger',
  },
  fixed: {
    'buffer.llm_trigger': [true, 'components.buffer_agent.enabled of a variant sets whether a model is asked'],
    'token_gate.boundary_cues': ['.?!\n', 'the gate’s cues are a full stop, ?, ! and a newline'],
  },
};

/** The published caps in characters are three times the tokens of the published file: 50 tokens, 150 characters. */
const CHARACTERS_PER_TOKEN = 3;

export interface SummarizerConfig {
  readonly file: ConfigFile<SummarizerValues>;
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
