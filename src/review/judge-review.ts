import type { Environment } from '../experiment/models/access.ts';
import type { Store } from '../store/store.ts';
import type { JudgingResult } from './judge/judge-items.ts';
import type { Judge } from './judge/open-judge.ts';
import { loadSnapshot } from './snapshot.ts';

export interface JudgeReviewOptions {
  /** provider/name, as for assay run. */
  readonly model: string;
  /** Questions of the form that a model can be asked. */
  readonly fields: readonly string[];
  readonly temperature?: number | null;
  readonly baseUrl?: string;
  /** Only so many items that have not been asked about. */
  readonly maxItems?: number;
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  /** Where the key is; the process's own unless it is given. */
  readonly environment?: Environment;
}

const USUAL = { concurrency: 4, timeoutMs: 60_000 } as const;

/**
 * Asks a model the questions of a review. Its labels are kept apart, enter no measure of people, and are worth the
 * agreement with people that `judgeFigures` reports. What was asked before is not asked again.
 */
export async function judgeReview(store: Store, name: string, options: JudgeReviewOptions): Promise<JudgingResult> {
  const { model, fields, temperature = 0, baseUrl, maxItems } = options;
  const { concurrency = USUAL.concurrency, timeoutMs = USUAL.timeoutMs, environment = process.env } = options;
  // Models and what they need are read only by those who ask one.
  const [{ openJudge }, { planJudging }, { judgeItems }, { adaptiveLimit }, { Budget }, { USUAL_POLICY }] =
    await Promise.all([
      import('./judge/open-judge.ts'),
      import('./judge/open-judge.ts'),
      import('./judge/judge-items.ts'),
      import('../experiment/limits/adaptive-limit.ts'),
      import('../experiment/limits/budget.ts'),
      import('../experiment/limits/call-with-limits.ts'),
    ]);
  const snapshot = loadSnapshot(store, name);
  const spec = { use: 'model', model, temperature, ...(baseUrl === undefined ? {} : { baseUrl }) } as const;
  const context = { folder: process.cwd(), environment, prompt: null, timeoutMs };
  const judges: Judge[] = [];
  for (const field of fields) judges.push(await openJudge(spec, context, snapshot.form, field));
  const never = new AbortController().signal;
  return judgeItems({
    store,
    form: snapshot.form,
    tasks: planJudging(snapshot, judges, maxItems ?? null).tasks,
    cache: null,
    limit: adaptiveLimit(concurrency),
    policy: { ...USUAL_POLICY, timeoutMs },
    budget: new Budget({ tokens: null, timeMs: null }),
    prices: null,
    most: concurrency,
    stop: never,
    abort: never,
    onDone: () => undefined,
  });
}
