import { UsageError } from '../../data/problems.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { textModel } from '../../experiment/models/text-model.ts';
import { endsTheRun, TargetError } from '../../experiment/targets/target.ts';
import type { SummarizerConfig } from '../../tasks/stream/config/summarizer-config.ts';
import { heuristicModel } from '../../tasks/stream/replay/heuristic-model.ts';
import type { StreamModel } from '../../tasks/stream/replay/model.ts';
import { type PromptedModel, promptedModel } from '../../tasks/stream/replay/prompted-model.ts';
import { recordedModel } from '../../tasks/stream/replay/recorded-model.ts';
import type { AnswersOf } from '../../tasks/stream/replay/run-meta.ts';
import * as flag from '../flags.ts';
import { refuseProviderFlags } from './model-calls.ts';

export const MODEL_FLAGS = {
  model: flag.text('<model>', 'recorded:DIR, heuristic, or PROVIDER/NAME such as openai/gpt-4o-mini'),
  temperature: flag.temperature('PROVIDER/NAME: temperature (default: 0); none for models that do not accept one'),
  baseUrl: flag.text('<url>', 'PROVIDER/NAME: address of the server, if it is not the provider’s'),
  timeout: flag.integer('<seconds>', 'PROVIDER/NAME: longest wait for one answer (default: 60)', { from: 1, to: 3600 }),
};

/** A model that answers, with what a reader of the result has to know once it is done. */
interface AnsweringModel {
  readonly model: StreamModel;
  /** What of the call changes the answers, for the logs. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly answersOf: AnswersOf;
  notices(): string[];
}

export interface ReplayModel extends AnsweringModel {
  /** What of summarizer.yaml has no effect with this model. */
  readonly unusedSettings: readonly string[];
}

const RECORDED = 'recorded:';
const NOT_RECORDED: AnswersOf = () => Promise.resolve(null);

/** The model of the flags, or else of summarizer.yaml. */
export async function replayModel(
  { model: flagged, temperature, baseUrl, timeout }: flag.FlagValues<typeof MODEL_FLAGS>,
  config: SummarizerConfig | null,
): Promise<ReplayModel> {
  const file = config?.file ?? null;
  const settings = file?.values.model ?? {};
  const name = flagged ?? settings.name;
  if (name === undefined)
    throw new UsageError(
      "required option '--model <model>' not specified",
      'recorded:DIR, heuristic, or PROVIDER/NAME; summarizer.yaml may name one under model.name',
    );
  const isProvider = name !== 'heuristic' && !name.startsWith(RECORDED);
  // The server of one model is not that of another.
  const isOfFile = settings.name === undefined || name === settings.name;
  const used = { temperature: isProvider, timeout_seconds: isProvider, base_url: isProvider && isOfFile };
  const unusedSettings = Object.entries(used).flatMap(([key, isUsed]) =>
    file === null || isUsed || !Object.hasOwn(settings, key)
      ? []
      : [`${file.placeOf(`model.${key}`)}: model.${key} is not used: --model ${name} answers`],
  );
  if (!isProvider) {
    refuseProviderFlags(name, { temperature, baseUrl, timeout });
    return { ...(name === 'heuristic' ? heuristic() : recorded(name.slice(RECORDED.length))), unusedSettings };
  }
  if (!name.includes('/'))
    throw new UsageError(
      `--model ${name}: expected recorded:DIR, heuristic, or PROVIDER/NAME`,
      'for example --model recorded:runs, or --model openai/gpt-4o-mini',
    );
  const seconds = timeout ?? settings.timeout_seconds;
  const server = baseUrl ?? (isOfFile ? settings.base_url : undefined);
  const model = await provided(
    name,
    [temperature, settings.temperature, 0].find((heat) => heat !== undefined) ?? null,
    {
      ...(server === undefined ? {} : { baseUrl: server, isBaseUrlFromFile: baseUrl === undefined }),
      ...(seconds === undefined ? {} : { timeoutMs: 1000 * seconds }),
    },
  );
  return { ...model, unusedSettings };
}

function heuristic(): AnsweringModel {
  const model = heuristicModel();
  return { model, asked: {}, answersOf: NOT_RECORDED, notices: () => (model.note === null ? [] : [model.note]) };
}

function recorded(folder: string): AnsweringModel {
  const model = recordedModel(folder);
  return {
    model,
    asked: {},
    async answersOf(caseId, variant) {
      const hash = await model.answersHash(caseId, variant);
      return hash === null ? null : { hash, by: await model.noteOf(caseId, variant) };
    },
    notices: () =>
      countNotices([
        [model.counts.missing, 'windows without a recorded answer, which count as failed calls'],
        [model.counts.otherText, 'recorded answers that are to another text of the same window, not used'],
      ]),
  };
}

async function provided(
  name: string,
  temperature: number | null,
  options: { readonly baseUrl?: string; readonly isBaseUrlFromFile?: boolean; readonly timeoutMs?: number },
): Promise<AnsweringModel> {
  const text = await textModel(name, { temperature, ...options });
  const model: PromptedModel = promptedModel(text, {
    // A server that cannot be reached will not be reached by the next thousand calls either.
    endsTheRun: (error) => endsTheRun(error) || (isUnreachable(error) && neverAnswered(model)),
  });
  return {
    model,
    asked: {
      prompts_hash: model.promptsHash,
      temperature,
      // Another server is another model, whatever its name; its address may contain a secret.
      ...(options.baseUrl === undefined ? {} : { base_url_hash: sha256Of(options.baseUrl) }),
    },
    answersOf: NOT_RECORDED,
    notices: () => [
      ...text.warnings,
      ...countNotices([
        [model.counts.failed, 'calls without an answer'],
        [model.counts.unreadable, 'answers that could not be read, or lacked something'],
        [model.counts.wrapped, 'answers with more around the JSON than there should be, read anyway'],
        [model.counts.rewritten, 'summaries sent back for being too long'],
      ]),
    ],
  };
}

const TRIES = 3;

function isUnreachable(error: unknown): boolean {
  return error instanceof TargetError && error.kind === 'connection';
}

function neverAnswered({ counts }: Pick<PromptedModel, 'counts'>): boolean {
  return counts.calls >= TRIES && counts.failed >= counts.calls - 1;
}

function countNotices(counts: readonly (readonly [times: number, what: string])[]): string[] {
  return counts.flatMap(([times, what]) => (times === 0 ? [] : [`${what}: ${times}`]));
}
