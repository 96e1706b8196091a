import { mkdirSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { writeAside } from '../../data/write-file.ts';
import { type JobKind, RefusedJob } from '../../experiment/queue/jobs.ts';
import { openQueueAnswers, type QueueAnswers } from '../../experiment/queue/queue-answers.ts';
import { questionJobs } from '../../experiment/queue/question-jobs.ts';
import type { CallPolicy } from '../../experiment/limits/call-with-limits.ts';
import type { LogEntry } from '../../experiment/run/answer-log.ts';
import { DATASET_FILE } from '../../experiment/run/run-folder.ts';
import type { QueueAccess } from '../../experiment/run/run-settings.ts';
import { plainModelSection, type PlainModelSpec } from '../../experiment/targets/model-target.ts';
import { resolvedPrompt, type ResolvedPrompt } from '../../experiment/targets/prompt.ts';
import { reviewSection } from '../../recipe/review-section.ts';
import { type Judge, type JudgeTask, openJudge } from './open-judge.ts';

const JUDGE_JOBS = 'judge';

const judgesAsked = z.object({
  spec: plainModelSection,
  prompt: resolvedPrompt.nullable(),
  form: z.unknown(),
  judges: z.array(z.object({ field: z.string(), asks: z.string() })),
});

/** What a judge asks; the server of a model may have another address for a worker. */
function asksOf({ target }: Judge): string {
  const { server: _, ...identity } = target.identity;
  return sha256Of(sortedJson(identity));
}

/** Jobs of `assay review judge`: questions of a review, each of them to the judge of its field. */
export const judgeJobs: JobKind = questionJobs(JUDGE_JOBS, async (asks, timeoutMs, folder, { environment }) => {
  const { data } = judgesAsked.safeParse(asks);
  const form = reviewSection.safeParse(data?.form).data;
  if (data === undefined || form === undefined)
    throw new RefusedJob(`${folder} holds no questions that this version of assay can ask`, 'use the same version');
  const context = { folder, environment, prompt: data.prompt, timeoutMs };
  const judges: Judge[] = [];
  for (const { field, asks: expected } of data.judges) {
    const judge = await openJudge(data.spec, context, form, field);
    if (asksOf(judge) !== expected)
      throw new RefusedJob(`${folder}: this worker would ask something else about ${field}`, 'use the same version');
    judges.push(judge);
  }
  return {
    question({ id, input }, [, number]) {
      const judge = judges[number - 1];
      if (judge === undefined) throw new UsageError(`${folder} has no judge ${number}`, 'start the judging again');
      return { target: judge.target, given: { id, input, metadata: null, repeat: 1 } };
    },
    close: () => Promise.resolve(),
  };
});

export interface JudgeQueueOptions {
  readonly access: QueueAccess;
  /** Of the store. */
  readonly folder: string;
  readonly review: { readonly id: string; readonly form: unknown };
  readonly spec: PlainModelSpec;
  readonly prompt: ResolvedPrompt | null;
  readonly judges: readonly Judge[];
  readonly tasks: readonly JudgeTask[];
  readonly policy: CallPolicy;
  readonly isOver: () => boolean;
  readonly abort: AbortSignal;
  /** An answer of a session that was killed, or a second one. */
  readonly onStray: (entry: LogEntry, judge: Judge | undefined) => void;
}

/** Workers that ask the questions of a review, through a folder beside the store that is gone afterwards. */
export async function openJudgeAnswers(options: JudgeQueueOptions) {
  const { access, review, spec, prompt, judges, tasks, policy, isOver, abort, onStray } = options;
  // The same judges find the answers again that a session left which was killed.
  const name = sha256Of(JSON.stringify([review.id, ...judges.map(({ id }) => id)])).slice(7, 23);
  const folder = join(options.folder, `judging-${name}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lines = tasks.map(({ given: { id, input } }) => `${JSON.stringify({ id, input })}\n`);
  writeAside(join(folder, DATASET_FILE), lines.join(''), { next: 'choose another place with --data' });
  const asks: z.input<typeof judgesAsked> = {
    spec,
    prompt,
    form: review.form,
    judges: judges.map((judge) => ({ field: judge.name, asks: asksOf(judge) })),
  };
  const rates = { requestsPerMinute: null, tokensPerMinute: null };
  const answers: QueueAnswers = await openQueueAnswers({
    access,
    kind: JUDGE_JOBS,
    folder,
    run: randomUUID(),
    file: { policy, prices: null, rates, asks },
    most: null,
    isOver,
    abort,
    onStray: (entry) => Promise.resolve(onStray(entry, judges[entry.repeat - 1])),
  });
  return {
    /** Null if the question was given up. */
    ask: (number: number, { judge, given }: JudgeTask): Promise<LogEntry | null> =>
      answers.ask([number, judges.indexOf(judge) + 1], given.id),
    async close(): Promise<void> {
      const { out } = answers.state();
      await answers.close();
      if (out === 0) rmSync(folder, { recursive: true, force: true });
    },
  };
}
