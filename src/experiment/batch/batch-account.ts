import type { LoggedBatch, UnreadAnswers } from './batch-log.ts';
import type { BatchResponse, BatchResult, BatchState, BatchTokens, UnansweredRequest } from './batch-protocol.ts';

/** Answers that may have been paid for and cannot be read, with a sentence on what to do. */
export interface UnreadPart extends UnreadAnswers {
  readonly text: string;
}

/** A batch that has ended, with all that can be read of its results. */
export interface EndedBatch {
  readonly word: string;
  readonly results: readonly BatchResult[];
  /** The first result of each request that has one. */
  readonly answers: readonly (BatchResponse | UnansweredRequest)[];
  /** Null if every answer that the provider counts has been read: a request without a result is unanswered. */
  readonly unread: UnreadPart | null;
}

/**
 * Sorts the results of a batch. Unread answers = those that the provider counts − those read, at most the requests
 * without a result; all of these if the provider counts nothing.
 */
export function accountFor(
  { ids }: Pick<LoggedBatch, 'ids'>,
  batchId: string,
  { word, paid, usage }: BatchState,
  results: readonly BatchResult[],
): EndedBatch {
  const missing = new Set(ids);
  const isFirst = (result: BatchResult): result is BatchResponse | UnansweredRequest =>
    !('unreadable' in result) && missing.delete(result.id);
  const answers = results.filter(isFirst);
  const read = answers.filter((answer): answer is BatchResponse => 'status' in answer && answer.status < 400);
  const unread = paid === null ? missing.size : Math.min(missing.size, paid - read.length);
  if (unread <= 0) return { word, results, answers, unread: null };
  const unreadable = results.find((result) => 'unreadable' in result)?.unreadable;
  const text = unreadText(`batch ${batchId} (${word})${unreadable === undefined ? '' : `: ${unreadable}`}`, unread);
  const left = (name: keyof BatchTokens, total: number): number =>
    Math.max(0, total - read.reduce((sum, answer) => sum + (answer.usage?.[name] ?? 0), 0));
  const tokens =
    usage === undefined
      ? {}
      : {
          usage: {
            inputTokens: left('inputTokens', usage.inputTokens),
            outputTokens: left('outputTokens', usage.outputTokens),
          },
        };
  return { word, results, answers, unread: { answers: unread, text, ...tokens } };
}

/** @example unreadText('batch b (expired)', 8) // 'batch b (expired): 8 answers may have been paid for and …' */
export function unreadText(what: string, answers: number): string {
  const count = answers === 1 ? '1 answer' : `${answers} answers`;
  return `${what}: ${count} may have been paid for and cannot be read; the same command looks again, --ask-again asks and pays again`;
}
