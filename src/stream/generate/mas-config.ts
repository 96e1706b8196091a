import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { InputError, UsageError } from '../../plugin.ts';
import { commitHash } from '../trace-records.ts';
import { type ConfigFile, type ConfigKind, readConfigFile } from '../config/config-file.ts';

/** What of the asking changes the answers. Null: left to the provider. */
export interface Decoding {
  readonly temperature: number | null;
  readonly top_p: number | null;
  readonly max_tokens: number | null;
  readonly seed: number | null;
}

/** Who talks, for how long, and what ends it. */
export interface ConversationSettings {
  /** One for each specialist; empty: a physician like any other. */
  readonly roles: readonly string[];
  readonly maxRounds: number;
  /** Turns of specialists and supervisor together; null: as many as the rounds have. */
  readonly maxTurns: number | null;
  readonly terminationWord: string;
  /** A note before each round, as system_note. */
  readonly roundNotes: boolean;
  /** An account of the discussion at its end, as orchestrator_summary. */
  readonly closingSummary: boolean;
}

const conversation = z.strictObject({
  specialists: z.int().min(1).max(20).exactOptional(),
  roles: z.array(z.string().min(1).max(500)).min(1).max(20).exactOptional(),
  max_rounds: z.int().min(1).max(100).default(3),
  max_turns: z.int().min(1).max(1000).nullable().default(null),
  termination_word: z.string().trim().min(1).max(100).default('TERMINATE'),
  round_notes: z.boolean().default(false),
  closing_summary: z.boolean().default(false),
});

const decoding = z.strictObject({
  temperature: z.number().min(0).max(2).nullable().default(1),
  top_p: z.number().gt(0).max(1).nullable().default(null),
  max_tokens: z.int().min(1).nullable().default(4096),
  seed: z.int().min(0).max(0xffffffff).nullable().default(null),
});

const masSchema = z.strictObject({
  mac: z.strictObject({ base_model: z.string().min(1).exactOptional(), decoding: decoding.prefault({}) }).prefault({}),
  conversation: conversation.prefault({}),
});
type MasValues = z.infer<typeof masSchema>;

/** Agents whose conversations were recorded, not generated. */
const agents = z.object({
  fork_url: z.url().exactOptional(),
  commit: commitHash.exactOptional(),
  base_model: z.string().min(1).exactOptional(),
  decoding: z.looseObject({ temperature: z.number().nullable().exactOptional() }).exactOptional(),
});

const NOT_MAC = 'the conversation is held by Assay after the pattern of MAC, whose program is not run';
const DERIVED = 'ids are made from the inputs, and cannot be chosen but by --run-id and --dataset';

const masYaml: ConfigKind<MasValues> = {
  name: 'mas_generation.yaml',
  schema: masSchema,
  idle: {
    'mac.enabled': NOT_MAC,
    'mac.module_path': NOT_MAC,
    'mac.fork_url': NOT_MAC,
    'mac.commit': `${NOT_MAC}; mac_commit in the traces is the hash of Assay’s wording and rules`,
    eval_run_id: 'stream replay makes it',
    raw_capture: 'a trace holds what came, and nothing that is worked out from it',
    output: '--out sets the folder of traces and manifest',
    documentation: 'it is for readers',
    'mas_run_id.example': DERIVED,
    'dataset_id.example': DERIVED,
  },
  fixed: {
    mode: ['conversation', NOT_MAC],
    'mas_run_id.policy': ['input_derived', DERIVED],
    'dataset_id.policy': ['input_derived', DERIVED],
  },
};

export interface MasConfig {
  readonly file: ConfigFile<MasValues> | null;
  readonly model: string | null;
  readonly decoding: Decoding;
  readonly settings: ConversationSettings;
}

export function readMasConfig(folder: string | null): MasConfig {
  const file = folder === null ? null : readConfigFile(folder, masYaml);
  const { mac, conversation: own } = file?.values ?? masSchema.parse({});
  const { specialists, roles = [] } = own;
  if (specialists !== undefined && roles.length > 0 && roles.length !== specialists)
    throw new UsageError(
      `${file?.placeOf('conversation.roles') ?? ''}: ${roles.length} roles for ${specialists} specialists`,
      'give each a role, or leave out one of the two keys',
    );
  return {
    file,
    model: mac.base_model ?? null,
    decoding: mac.decoding,
    settings: {
      roles: roles.length > 0 ? roles : Array.from({ length: specialists ?? 3 }, () => ''),
      maxRounds: own.max_rounds,
      maxTurns: own.max_turns,
      terminationWord: own.termination_word,
      roundNotes: own.round_notes,
      closingSummary: own.closing_summary,
    },
  };
}

const agentsYaml: ConfigKind<{ readonly mac: z.infer<typeof agents> }> = {
  name: 'mas_generation.yaml',
  // Not strict: what generates conversations is for generate to judge.
  schema: z.object({ mac: agents.prefault({}) }),
  idle: {},
};

/** Provenance of external agents in a manifest, as mas_generation.yaml states it. */
export function readAgentsProvenance(folder: string): Readonly<Record<string, unknown>> {
  const file = readConfigFile(folder, agentsYaml);
  if (file === null)
    throw new UsageError(`--config ${folder}: there is no mas_generation.yaml`, 'name the folder that holds it');
  const { fork_url: url, commit, base_model: model, decoding: asked } = file.values.mac;
  return {
    ...(url === undefined ? {} : { mac_fork_url: url }),
    ...(commit === undefined ? {} : { mac_commit: commit }),
    ...(model === undefined ? {} : { model }),
    ...(asked === undefined ? {} : { decoding: asked }),
    config_hash: file.hash,
  };
}

const modelList = z.array(z.looseObject({ model: z.string(), base_url: z.string().exactOptional() }));
const MODEL_KEYS = ['model', 'base_url'];

/** The server of a model by mac_model_config.json; null if it names none. Keys are not read from a file. */
export function readModelServer(
  folder: string,
  model: string | null,
): { readonly baseUrl: string | null; readonly notices: readonly string[] } {
  const path = join(folder, 'mac_model_config.json');
  if (!existsSync(path)) return { baseUrl: null, notices: [] };
  let parsed;
  try {
    parsed = modelList.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new InputError([{ file: path, line: null, message: 'it is not JSON' }]);
  }
  if (!parsed.success)
    throw new InputError([
      { file: path, line: null, message: 'expected a list such as [{"model":"gpt-4o-mini","base_url":"https://…"}]' },
    ]);
  const own = parsed.data.find((entry) => entry.model === model);
  const keys = [...new Set(parsed.data.flatMap(Object.keys))].filter((key) => !MODEL_KEYS.includes(key));
  return {
    baseUrl: own?.base_url ?? null,
    notices: [
      ...keys.map((key) =>
        key === 'api_key'
          ? `${path}: api_key is not used: keys come from the environment; remove it from the file`
          : `${path}: ${key} is not used: the model is found by its name`,
      ),
      ...(own === undefined ? [`${path}: no entry is for ${model ?? 'a model, since none is named'}`] : []),
    ],
  };
}
