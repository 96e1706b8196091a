import { type Batches, type CallGate, endsTheRun, TargetError, textModel } from '../../experiment.ts';
import { sha256Of, UsageError } from '../../plugin.ts';
import { heuristicModel } from './heuristic-model.ts';
import type { StreamModel } from './model.ts';
import { type PromptedModel, promptedModel } from './prompted-model.ts';
import { recordedModel } from './recorded-model.ts';
import type { AnswersOf } from './run-meta.ts';

/** A model that answers, with what a reader of the result has to know once it is done. */
export interface NamedModel {
  readonly model: StreamModel;
  /** What of the call changes the answers, for the logs. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly answersOf: AnswersOf;
  notices(): string[];
}

interface ProviderOptions {
  readonly temperature: number | null;
  readonly baseUrl?: string;
  readonly isBaseUrlFromFile?: boolean;
  readonly timeoutMs?: number;
  readonly retries?: number;
  /** Calls go into these. */
  readonly batches?: Batches;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly gateOf?: (rateKey: string) => CallGate;
}

const RECORDED = 'recorded:';
const NOT_RECORDED: AnswersOf = () => Promise.resolve(null);

/** Whether a name is that of a provider's model, which can be configured. */
export function isProviderModel(name: string): boolean {
  return name !== 'heuristic' && !name.startsWith(RECORDED);
}

/** `recorded:DIR`, `heuristic`, or `PROVIDER/NAME`. */
export async function namedModel(name: string, options: ProviderOptions): Promise<NamedModel> {
  if (name === 'heuristic') return heuristic();
  if (name.startsWith(RECORDED)) return recorded(name.slice(RECORDED.length));
  if (name.includes('/')) return provided(name, options);
  throw new UsageError(
    `--model ${name}: expected recorded:DIR, heuristic, or PROVIDER/NAME`,
    'for example --model recorded:runs, or --model openai/gpt-4o-mini',
  );
}

function heuristic(): NamedModel {
  const model = heuristicModel();
  return { model, asked: {}, answersOf: NOT_RECORDED, notices: () => (model.note === null ? [] : [model.note]) };
}

function recorded(folder: string): NamedModel {
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

async function provided(name: string, options: ProviderOptions): Promise<NamedModel> {
  const { temperature, baseUrl } = options;
  const text = await textModel(name, options);
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
      ...(baseUrl === undefined ? {} : { base_url_hash: sha256Of(baseUrl) }),
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
