import type { Store } from '../store/store.ts';
import type { JudgeReviewOptions, Judging, JudgingResult } from './judge/judge-items.ts';
import { loadSnapshot, type ReviewSnapshot } from './snapshot.ts';

/** What a model is to be asked, and how to ask it. Models and what they need are loaded only here. */
export async function openJudging(
  store: Store,
  snapshot: ReviewSnapshot,
  options: JudgeReviewOptions,
): Promise<Judging> {
  return (await import('./judge/judge-items.ts')).makeJudging(store, snapshot, options);
}

/**
 * Asks a model the questions of a review. Its labels are kept apart, enter no measure of people, and are worth the
 * agreement with people that `judgeFigures` reports. What was asked before is not asked again.
 */
export async function judgeReview(store: Store, name: string, options: JudgeReviewOptions): Promise<JudgingResult> {
  return (await openJudging(store, loadSnapshot(store, name), options)).ask();
}
