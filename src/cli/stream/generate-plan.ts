import { basename, dirname, resolve } from 'node:path';

import { Budget, withoutNeedOfKeys } from '../../experiment.ts';
import { sha256Of, UsageError } from '../../plugin.ts';
import * as stream from '../../stream.ts';
import * as flag from '../flags.ts';
import { refuseProviderFlags } from './model-calls.ts';
import { idFlag, outFolder } from './stream-flags.ts';

export const GENERATE_FLAGS = {
  out: outFolder('folder to write <case>.trace.jsonl.gz and the manifest to'),
  config: flag.string('<folder>', 'folder of dataset.yaml, mas_generation.yaml and mac_model_config.json'),
  cases: flag.inputFile('cases as CSV, JSON or JSON lines (default: cases.file of dataset.yaml)'),
  model: flag.string('<model>', 'PROVIDER/NAME, scripted, or scripted:FILE (default: mac.base_model)'),
  baseUrl: flag.string('<url>', 'address of the model’s server, if it is not the provider’s'),
  temperature: flag.temperature('temperature, or none (default: mac.decoding.temperature, or 1)'),
  seed: flag.integer('<n>', 'seed that is sent to the model, and that a script draws by', { from: 0, to: 0xffffffff }),
  timeout: flag.integer('<seconds>', 'longest wait for one turn (default: 300)', { from: 1, to: 3600 }),
  limit: flag.integer('<n>', 'number of selected cases to generate, the first ones (default: all)', { from: 1 }),
  concurrency: flag.integer('<n>', 'cases at a time (default: 4; 1 for a script)', { from: 1, to: 100 }),
  maxCost: flag.amount('<amount>', 'cost after which no further case is begun', { above: 0 }),
  maxTokens: flag.integer('<n>', 'number of tokens after which no further case is begun', { from: 1 }),
  maxTime: flag.duration('<time>', 'time after which no further case is begun, such as 10m'),
  price: flag.prices('prices of a million input and output tokens, such as 0.1,0.4'),
  dataset: idFlag('name of the set and of its files (default: derived from the inputs)'),
  runId: idFlag('mas_run_id of the traces (default: derived from the inputs)'),
  dryRun: flag.toggle('show which cases and agents there would be, without a call'),
  force: flag.toggle('make existing traces again'),
  json: flag.JSON,
  quiet: flag.QUIET,
};

type GenerateFlags = flag.FlagValues<typeof GENERATE_FLAGS>;

export type GenerationPlan = Awaited<ReturnType<typeof planGeneration>>;

const SCRIPT = 'scripted:';
/** As MAC waits. */
const TIMEOUT_SECONDS = 300;

/** Everything that is known before the first call. */
export async function planGeneration(flags: GenerateFlags) {
  const { config = null } = flags;
  const datasetFile = config === null ? null : stream.readDatasetConfig(config);
  const mas = stream.readMasConfig(config);
  const casesFile = stream.caseFileOf(flags.cases, datasetFile);
  const all = await stream.readCaseFile(casesFile, datasetFile?.values.cases ?? {});
  const { selected, notices } = stream.selectCases(
    all.map(({ id }) => id),
    datasetFile,
  );
  const name = flags.model ?? mas.model;
  const usedFiles = [casesFile, ...(name?.startsWith(SCRIPT) === true ? [name.slice(SCRIPT.length)] : [])];
  const unread = config === null ? [] : stream.unreadFiles(config, 'stream generate', namesIn(config, usedFiles));
  const taken = new Set(selected.slice(0, flags.limit));
  const server = config === null ? { baseUrl: null, notices: [] } : stream.readModelServer(config, name);
  const decoding: stream.Decoding = {
    ...mas.decoding,
    ...flag.defined({ temperature: flags.temperature, seed: flags.seed }),
  };
  const budget = new Budget({
    cost: flags.maxCost ?? null,
    tokens: flags.maxTokens ?? null,
    timeMs: flags.maxTime ?? null,
  });
  const { model, notices: modelNotices } = await speakerOf(flags, name, { ...mas, decoding }, server.baseUrl, budget);

  const hash = (text: string): string => sha256Of(text).slice('sha256:'.length);
  const rules = stream.conversationHash(mas.settings).slice('sha256:'.length).slice(0, 40);
  const drawn = hash(decodingText(decoding)).slice(0, 8);
  const cases = hash(stream.caseListText(selected)).slice(0, 8);
  const slug = model.id
    .replace(/^.*\//, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 24);
  return {
    cases: all.filter(({ id }) => taken.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1)),
    /** How many the file has, and how many of them were selected. */
    available: all.length,
    selected: selected.length,
    model,
    settings: mas.settings,
    concurrency: flags.concurrency ?? (model.kind === 'provider' ? 4 : 1),
    masRunId: flags.runId ?? `mas_${rules.slice(0, 8)}_${slug}_${drawn}_${cases}`,
    dataset: flags.dataset ?? `exaid_traces_${rules.slice(0, 8)}_${drawn}_${cases}`,
    /** For the traces, and with the hash of the configuration for the manifest. */
    provenance: { exaid_commit: 'assay', mac_commit: rules, decoding: { ...decoding } },
    configHash: sha256Of([datasetFile?.hash ?? '', mas.file?.hash ?? ''].join('\n')),
    stopAtFailure: datasetFile?.values.mac_selection?.on_failure === 'raise',
    budget,
    /** Complete once the last case is done. */
    notices: (): string[] => [
      ...unread,
      ...(datasetFile?.notices ?? []),
      ...(mas.file?.notices ?? []),
      ...(model.kind === 'provider' ? server.notices : []),
      ...notices,
      ...modelNotices(),
    ],
  };
}

/** The names of those files that are in this very folder. */
function namesIn(folder: string, files: readonly string[]): string[] {
  return files.filter((file) => resolve(dirname(file)) === resolve(folder)).map((file) => basename(file));
}

/** As Python's json.dumps writes it with sorted keys, so that the hash is the one that the seed document's ids have. */
function decodingText({ max_tokens, seed, temperature, top_p }: stream.Decoding): string {
  const float = (value: number | null): string =>
    value === null ? 'null' : Number.isInteger(value) ? `${value}.0` : String(value);
  return `{"max_tokens":${max_tokens ?? 'null'},"seed":${seed ?? 'null'},"temperature":${float(temperature)},"top_p":${float(top_p)}}`;
}

async function speakerOf(
  flags: GenerateFlags,
  name: string | null,
  { decoding, settings }: Pick<stream.MasConfig, 'decoding' | 'settings'>,
  serverOfFile: string | null,
  budget: Budget,
): Promise<stream.Speaker> {
  if (name === null)
    throw new UsageError(
      'no model: neither --model nor mac.base_model of mas_generation.yaml names one',
      'for example --model scripted, or --model openai-compatible/llama3 --base-url http://localhost:8080/v1',
    );
  const { baseUrl, temperature, timeout, price } = flags;
  if (name === 'scripted' || name.startsWith(SCRIPT))
    refuseProviderFlags(name, { baseUrl, temperature, timeout, price });
  if (name === 'scripted') {
    const model = stream.ruleModel(decoding.seed ?? 0, settings.terminationWord);
    return { model, notices: () => [`the agents are ${model.note ?? ''}`] };
  }
  if (name.startsWith(SCRIPT)) {
    const file = name.slice(SCRIPT.length);
    const { lines, hash } = await stream.readScript(file);
    const notice = 'the agents are spoken from a script, not by a language model';
    return { model: stream.scriptModel(lines, file, hash), notices: () => [notice] };
  }
  const isBaseUrlFromFile = baseUrl === undefined && flags.model === undefined && serverOfFile !== null;
  const address = isBaseUrlFromFile ? serverOfFile : baseUrl;
  return stream.providerSpeaker(name, decoding, budget, price ?? null, {
    ...(address === undefined ? {} : { baseUrl: address, isBaseUrlFromFile }),
    ...(flags.dryRun ? { environment: withoutNeedOfKeys(process.env) } : {}),
    timeoutMs: 1000 * (timeout ?? TIMEOUT_SECONDS),
  });
}
