import { UsageError } from '../../data/problems.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { endsTheRun, TargetError } from '../../experiment/targets/target.ts';
import { textModel, type TextModelOptions } from '../../experiment/models/text-model.ts';
import { heuristicModel } from '../../tasks/stream/replay/heuristic-model.ts';
import type { StreamModel } from '../../tasks/stream/replay/model.ts';
import { type PromptedModel, promptedModel } from '../../tasks/stream/replay/prompted-model.ts';
import { recordedModel } from '../../tasks/stream/replay/recorded-model.ts';
import type { AnswersOf } from '../../tasks/stream/replay/run-meta.ts';
import { wholeNumber } from '../whole-number.ts';

/** Who answers, with what a reader of the result has to know once it is done. */
export interface ChosenModel {
  readonly model: StreamModel;
  /** What of the asking changes the answers, for the logs. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly answersOf: AnswersOf;
  notices(): string[];
}

export interface ModelFlags {
  readonly model: string;
  readonly temperature?: string;
  readonly baseUrl?: string;
  /** Whether a file names it, and not whoever runs it. */
  readonly isBaseUrlFromFile?: boolean;
  readonly timeout?: string;
}

const RECORDED = 'recorded:';
const NOT_RECORDED: AnswersOf = () => Promise.resolve(null);

/** `recorded:DIR`, `heuristic`, or `PROVIDER/NAME`. */
export async function chosenModel(flags: ModelFlags): Promise<ChosenModel> {
  const { model: given } = flags;
  if (given === 'heuristic' || given.startsWith(RECORDED)) refuseIdleFlags(flags);
  if (given === 'heuristic') {
    const model = heuristicModel();
    return { model, asked: {}, answersOf: NOT_RECORDED, notices: () => (model.note === null ? [] : [model.note]) };
  }
  if (given.startsWith(RECORDED)) return recorded(given.slice(RECORDED.length));
  if (!given.includes('/'))
    throw new UsageError(
      `--model ${given}: expected recorded:DIR, heuristic, or PROVIDER/NAME`,
      'for example --model recorded:runs, or --model openai/gpt-4o-mini',
    );
  return provided(flags);
}

/** A setting that nobody looks at would pass for one that was in force. */
function refuseIdleFlags({ model, temperature, baseUrl, timeout }: ModelFlags): void {
  const idle = Object.entries({ '--temperature': temperature, '--base-url': baseUrl, '--timeout': timeout });
  for (const [flag, value] of idle)
    if (value !== undefined)
      throw new UsageError(`${flag} is for PROVIDER/NAME, not for --model ${model}`, 'leave it out');
}

async function provided({
  model: given,
  temperature,
  baseUrl,
  isBaseUrlFromFile = false,
  timeout,
}: ModelFlags): Promise<ChosenModel> {
  const heat = temperatureOf(temperature);
  const options: TextModelOptions = {
    temperature: heat,
    ...(baseUrl === undefined ? {} : { baseUrl, isBaseUrlFromFile }),
    ...(timeout === undefined ? {} : { timeoutMs: 1000 * wholeNumber('--timeout', timeout, 1, 3600) }),
  };
  const text = await textModel(given, options);
  const model: PromptedModel = promptedModel(text, {
    // A server that is not there will not be there for the next thousand calls either.
    endsTheRun: (error) => endsTheRun(error) || (isUnreachable(error) && neverAnswered(model)),
  });
  return {
    model,
    asked: {
      prompts_hash: model.promptsHash,
      temperature: heat,
      // Another server is another model, whatever it is called; its address may hold a secret.
      ...(baseUrl === undefined ? {} : { base_url_hash: sha256Of(baseUrl) }),
    },
    answersOf: NOT_RECORDED,
    notices() {
      const { failed, unreadable, wrapped, rewritten } = model.counts;
      return [
        ...text.warnings,
        ...said(failed, 'calls without an answer'),
        ...said(unreadable, 'answers that could not be read, or lacked something'),
        ...said(wrapped, 'answers with more around the JSON than there should be, read all the same'),
        ...said(rewritten, 'summaries sent back for being too long'),
      ];
    },
  };
}

const TRIES = 3;

function isUnreachable(error: unknown): boolean {
  return error instanceof TargetError && error.kind === 'connection';
}

function neverAnswered({ counts }: Pick<PromptedModel, 'counts'>): boolean {
  return counts.calls >= TRIES && counts.failed >= counts.calls - 1;
}

function temperatureOf(given: string | undefined): number | null {
  if (given === undefined) return 0;
  if (given === 'none') return null;
  const value = Number(given);
  if (given.trim() !== '' && value >= 0 && value <= 2) return value;
  throw new UsageError(`--temperature ${given}: expected a number from 0 to 2, or none`);
}

function recorded(folder: string): ChosenModel {
  const model = recordedModel(folder);
  return {
    model,
    asked: {},
    async answersOf(caseId, variant) {
      const hash = await model.answersHash(caseId, variant);
      return hash === null ? null : { hash, by: await model.noteOf(caseId, variant) };
    },
    notices() {
      const { missing, otherText } = model.counts;
      return [
        ...said(missing, 'windows without a recorded answer, which count as failed calls'),
        ...said(otherText, 'recorded answers that are to another text of the same window, not used'),
      ];
    },
  };
}

function said(n: number, what: string): string[] {
  return n === 0 ? [] : [`${what}: ${n}`];
}
