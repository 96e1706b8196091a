import { shorten } from '../data/visible.ts';
import type { ExperimentSummary } from '../experiment/summary.ts';
import { isIncomplete, shortfallText, stopText, outcomeWord } from './experiment-words.ts';
import { count } from '../text/figures.ts';

/** How a run ended, for the shell. */
export interface Ending {
  readonly code: number;
  /** Why it is not 0, in one line; null where it is. Holds text from data: escape it. */
  readonly words: string | null;
}

const EXIT = { done: 0, gateFailed: 1, wrong: 2, inconclusive: 3, interrupted: 130 } as const;
const LONGEST_MESSAGE = 240;

/** The most telling result comes first: if nothing was answered, neither a gate nor a budget is to blame. */
export function endingOf(summary: ExperimentSummary, gateProblem: string | null): Ending {
  const { stopped, answered, failed, notRun, published, gate } = summary;
  const all = answered + failed + notRun;
  const left = `${count(notRun)} of ${count(all)} ${outcomeWord(summary, all)} ${notRun === 1 ? 'was' : 'were'} not run`;
  if (stopped?.by === 'interrupt') return { code: EXIT.interrupted, words: `interrupted: ${left}` };
  if (stopped?.by === 'unread') return { code: EXIT.wrong, words: `${lowerFirst(stopText(stopped))}; ${left}` };
  if (stopped?.by === 'submitted' || stopped?.by === 'cancelled') return { code: EXIT.done, words: null };
  if (answered === 0 && failed > 0) return { code: EXIT.wrong, words: noAnswerText(summary) };
  if (stopped?.by === 'access') return { code: EXIT.wrong, words: `${lowerFirst(stopText(stopped))}; ${left}` };
  if (gate?.verdict === 'failed') return { code: EXIT.gateFailed, words: `the gate failed: ${gateText(gate)}` };
  if (gateProblem !== null) return { code: EXIT.wrong, words: gateProblem };
  if (published !== null && isIncomplete(published))
    return { code: EXIT.wrong, words: lowerFirst(shortfallText(published)) };
  if (gate?.verdict === 'inconclusive')
    return { code: EXIT.inconclusive, words: `the gate is inconclusive: ${gateText(gate)}` };
  if (stopped?.by === 'budget') return { code: EXIT.inconclusive, words: `${lowerFirst(stopText(stopped))}; ${left}` };
  return { code: EXIT.done, words: null };
}

function noAnswerText(summary: ExperimentSummary): string {
  const { failed, failures } = summary;
  const kinds = failures.map(({ kind, count: n }) => `${count(n)} × ${kind}`).join(', ');
  const example = failures[0]?.example;
  const shown =
    example === undefined ? '' : `, for example ${example.item}: ${shorten(example.message, LONGEST_MESSAGE)}`;
  return `not one of ${count(failed)} ${outcomeWord(summary, failed)} was answered: ${kinds}${shown}`;
}

function gateText({ verdict, counts, notPassed }: NonNullable<ExperimentSummary['gate']>): string {
  const first = notPassed.find((check) => check.verdict === verdict);
  return first === undefined ? counts : `${counts}; ${first.demand}: ${first.why}`;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
