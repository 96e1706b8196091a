import { basename, dirname, resolve } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { Budget, costOf, type Usage } from '../../experiment/limits/budget.ts';
import { parseDuration } from '../../experiment/limits/duration.ts';
import { TargetError } from '../../experiment/targets/target.ts';
import { textModel, type TextModelOptions } from '../../experiment/models/text-model.ts';
import { withoutNeedOfKeys } from '../../experiment/models/access.ts';
import { unreadFiles } from '../../tasks/stream/config/config-folder.ts';
import { conversationHash, type ConversationModel } from '../../tasks/stream/generate/conversation.ts';
import { readDatasetConfig, selectCases } from '../../tasks/stream/generate/dataset-config.ts';
import type { GeneratedCase } from '../../tasks/stream/generate/generate-folder.ts';
import {
  type ConversationSettings,
  type Decoding,
  readMasConfig,
  readModelServer,
} from '../../tasks/stream/generate/mas-config.ts';
import { ruleModel, scriptModel } from '../../tasks/stream/generate/scripted-model.ts';
import { caseListText } from '../../tasks/stream/manifest.ts';
import { amount, pricesOf, temperatureOf } from '../run/overrides.ts';
import { wholeNumber } from '../whole-number.ts';
import { caseFileOf, readCases, readScript } from './generate-cases.ts';
import { idFlag } from './stream-flags.ts';

export interface GenerateFlags {
  readonly config?: string;
  readonly cases?: string;
  readonly out: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly temperature?: string;
  readonly seed?: string;
  readonly timeout?: string;
  readonly limit?: string;
  readonly concurrency?: string;
  readonly maxCost?: string;
  readonly maxTokens?: string;
  readonly maxTime?: string;
  readonly price?: string;
  readonly dataset?: string;
  readonly runId?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Everything that is known before the first call. */
export interface GenerationPlan {
  readonly cases: readonly GeneratedCase[];
  /** How many the file has, and how many were selected of them. */
  readonly available: number;
  readonly selected: number;
  readonly model: ConversationModel;
  readonly settings: ConversationSettings;
  readonly concurrency: number;
  readonly masRunId: string;
  readonly dataset: string;
  /** For the traces, and with the hash of the configuration for the manifest. */
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly configHash: string;
  readonly stopAtFailure: boolean;
  readonly budget: Budget;
  /** What is known once it is done: turns that were cut, what a provider did not do as asked. */
  readonly notices: () => readonly string[];
}

const LARGEST = Number.MAX_SAFE_INTEGER;
const HASH = 'sha256:'.length;

export async function planGeneration(flags: GenerateFlags): Promise<GenerationPlan> {
  const config = flags.config ?? null;
  const datasetFile = config === null ? null : readDatasetConfig(config);
  const mas = readMasConfig(config);
  const casesFile = caseFileOf(flags.cases, datasetFile);
  const all = await readCases(casesFile, datasetFile?.values.cases ?? {});
  const { selected, notices } = selectCases(
    all.map(({ id }) => id),
    datasetFile,
  );
  const name = flags.model ?? mas.model;
  const used = [casesFile, ...(name?.startsWith(SCRIPT) === true ? [name.slice(SCRIPT.length)] : [])];
  const unread = config === null ? [] : unreadFiles(config, 'stream generate', used.map(inFolder(config)));
  const limit = flags.limit === undefined ? selected.length : wholeNumber('--limit', flags.limit, 1, LARGEST);
  const taken = new Set(selected.slice(0, limit));
  const server = config === null ? { baseUrl: null, notices: [] } : readModelServer(config, name);
  const decoding: Decoding = {
    ...mas.decoding,
    ...(flags.temperature === undefined ? {} : { temperature: temperatureOf(flags.temperature) }),
    ...(flags.seed === undefined ? {} : { seed: wholeNumber('--seed', flags.seed, 0, 0xffffffff) }),
  };
  const budget = new Budget({
    cost: flags.maxCost === undefined ? null : amount(flags.maxCost, '--max-cost', 'above'),
    tokens: flags.maxTokens === undefined ? null : wholeNumber('--max-tokens', flags.maxTokens, 1, LARGEST),
    timeMs: flags.maxTime === undefined ? null : parseDuration(flags.maxTime, '--max-time'),
  });
  const { model, notices: modelNotices } = await modelOf(flags, name, decoding, mas.settings, server.baseUrl, budget);

  const rules = conversationHash(mas.settings).slice(HASH, HASH + 40);
  const drawn = sha256Of(decodingText(decoding)).slice(HASH, HASH + 8);
  const listed = sha256Of(caseListText(selected)).slice(HASH, HASH + 8);
  const slug = model.id
    .replace(/^.*\//, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 24);
  return {
    cases: all.filter(({ id }) => taken.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1)),
    available: all.length,
    selected: selected.length,
    model,
    settings: mas.settings,
    concurrency:
      flags.concurrency === undefined
        ? model.kind === 'provider'
          ? 4
          : 1
        : wholeNumber('--concurrency', flags.concurrency, 1, 100),
    masRunId:
      flags.runId === undefined
        ? `mas_${rules.slice(0, 8)}_${slug}_${drawn}_${listed}`
        : (idFlag('').read?.(flags.runId, '--run-id') ?? flags.runId),
    dataset:
      flags.dataset === undefined
        ? `traces_${rules.slice(0, 8)}_${drawn}_${listed}`
        : (idFlag('').read?.(flags.dataset, '--dataset') ?? flags.dataset),
    provenance: { generator: 'assay', mac_commit: rules, decoding: { ...decoding } },
    configHash: sha256Of([datasetFile?.hash ?? '', mas.file?.hash ?? ''].join('\n')),
    stopAtFailure: datasetFile?.values.mac_selection?.on_failure === 'raise',
    budget,
    notices: () => [
      ...unread,
      ...(datasetFile?.notices ?? []),
      ...(mas.file?.notices ?? []),
      ...(model.kind === 'provider' ? server.notices : []),
      ...notices,
      ...modelNotices(),
    ],
  };
}

/** The name of a file where it is in this very folder. */
function inFolder(folder: string): (file: string) => string {
  return (file) => (resolve(dirname(file)) === resolve(folder) ? basename(file) : '');
}

/** As Python's json.dumps writes it with sorted keys, so that the hash is the one that the seed document's ids have. */
function decodingText({ max_tokens, seed, temperature, top_p }: Decoding): string {
  const float = (value: number | null): string =>
    value === null ? 'null' : Number.isInteger(value) ? `${value}.0` : String(value);
  return `{"max_tokens":${max_tokens ?? 'null'},"seed":${seed ?? 'null'},"temperature":${float(temperature)},"top_p":${float(top_p)}}`;
}

interface ChosenSpeaker {
  readonly model: ConversationModel;
  readonly notices: () => string[];
}

const SCRIPT = 'scripted:';
/** As MAC waits. */
const TIMEOUT_SECONDS = 300;

async function modelOf(
  flags: GenerateFlags,
  name: string | null,
  decoding: Decoding,
  settings: ConversationSettings,
  serverOfFile: string | null,
  budget: Budget,
): Promise<ChosenSpeaker> {
  if (name === null)
    throw new UsageError(
      'no model: neither --model nor mac.base_model of mas_generation.yaml names one',
      'for example --model scripted, or --model openai-compatible/llama3 --base-url http://localhost:8080/v1',
    );
  if (name === 'scripted' || name.startsWith(SCRIPT)) {
    for (const [flag, value] of Object.entries({
      '--base-url': flags.baseUrl,
      '--temperature': flags.temperature,
      '--timeout': flags.timeout,
      '--price': flags.price,
    }))
      if (value !== undefined)
        throw new UsageError(`${flag} is for PROVIDER/NAME, not for --model ${name}`, 'leave it out');
    const file = name.slice(SCRIPT.length);
    if (name === 'scripted') {
      const model = ruleModel(decoding.seed ?? 0, settings.terminationWord);
      return { model, notices: () => [`the agents are ${model.note ?? ''}`] };
    }
    const { lines, hash } = await readScript(file);
    return {
      model: scriptModel(lines, file, hash),
      notices: () => ['the agents are spoken from a script, not by a language model'],
    };
  }
  const isFromFile = flags.baseUrl === undefined && flags.model === undefined && serverOfFile !== null;
  const baseUrl = flags.baseUrl ?? (isFromFile ? serverOfFile : undefined);
  return provided(flags, name, decoding, budget, {
    ...(baseUrl === undefined ? {} : { baseUrl, isBaseUrlFromFile: isFromFile }),
    ...(flags.dryRun === true ? { environment: withoutNeedOfKeys(process.env) } : {}),
  });
}

async function provided(
  flags: GenerateFlags,
  name: string,
  { temperature, top_p: topP, max_tokens: most, seed }: Decoding,
  budget: Budget,
  place: TextModelOptions,
): Promise<ChosenSpeaker> {
  const seconds = flags.timeout === undefined ? TIMEOUT_SECONDS : wholeNumber('--timeout', flags.timeout, 1, 3600);
  const prices = flags.price === undefined ? null : pricesOf(flags.price);
  const text = await textModel(name, {
    ...place,
    temperature,
    ...(topP === null ? {} : { topP }),
    ...(most === null ? {} : { maxOutputTokens: most }),
    ...(seed === null ? {} : { seed }),
    answerFormat: 'text',
    timeoutMs: seconds * 1000,
  });
  let cut = 0;
  const spend = (usage: Usage): void => budget.spend(usage, costOf(usage, prices));
  const model: ConversationModel = {
    id: text.id,
    kind: 'provider',
    note: null,
    now: () => Math.round(performance.timeOrigin + performance.now()),
    async speak({ prompt }) {
      try {
        const answer = await text.stream({ ...prompt, schema: null, schemaName: 'turn' });
        spend({ inputTokens: answer.promptTokens, outputTokens: answer.completionTokens, cost: null });
        cut += answer.finish === 'length' ? 1 : 0;
        return answer.pieces;
      } catch (error) {
        if (error instanceof TargetError && error.usage !== null) spend(error.usage);
        throw error;
      }
    },
  };
  return {
    model,
    notices: () => [
      ...text.warnings,
      ...(cut === 0 ? [] : [`turns that were cut off at max_tokens ${most ?? ''}: ${cut}`]),
    ],
  };
}
