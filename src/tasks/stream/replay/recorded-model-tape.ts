import type { BufferDecision, SummaryEvent } from '../run-log-records.ts';
import type { DecisionRequest } from './model.ts';
import type { FindLog, RecordedLog } from './recorded-model-logs.ts';

// One log at a time is in use for each case under way; a folder may have many more.
const LOGS_KEPT = 64;

/** A log with a mark at what has been played back. */
export interface Tape extends RecordedLog {
  readonly decisions: Answers<BufferDecision>;
  readonly summaries: Answers<SummaryEvent>;
}

/** The log of a case, kept while it is in use. */
export function tapes(findLog: FindLog): (caseId: string, variant: string) => Promise<Tape | null> {
  const kept = new Map<string, Promise<Tape | null>>();
  return (caseId, variant) => {
    const key = JSON.stringify([variant, caseId]);
    const tape = kept.get(key) ?? findLog(caseId, variant).then((found) => (found === null ? null : tapeOf(found)));
    // The one used last stands last; the first is the one to go.
    kept.delete(key);
    kept.set(key, tape);
    if (kept.size > LOGS_KEPT) kept.delete(kept.keys().next().value!);
    return tape;
  };
}

function tapeOf(found: RecordedLog): Tape {
  const { decisions, summaries } = found.log;
  return { ...found, decisions: new Answers(decisions), summaries: new Answers(summaries) };
}

interface Windowed {
  readonly start_seq: number;
  readonly end_seq: number;
}

/** Recorded answers of one kind, each given out once until the tape is rewound. */
class Answers<T extends Windowed> {
  readonly #byWindow: ReadonlyMap<string, readonly T[]>;
  readonly #taken = new Set<T>();

  constructor(records: readonly T[]) {
    this.#byWindow = Map.groupBy(records, (one) => windowKey(one.start_seq, one.end_seq));
  }

  rewind(): void {
    this.#taken.clear();
  }

  take(
    window: Pick<DecisionRequest, 'startSeq' | 'endSeq'>,
    fits: (record: T) => boolean,
  ): T | 'missing' | 'otherText' {
    const left = (this.#byWindow.get(windowKey(window.startSeq, window.endSeq)) ?? []).filter(
      (one) => !this.#taken.has(one),
    );
    const found = left.find(fits);
    if (found === undefined) return left.length === 0 ? 'missing' : 'otherText';
    this.#taken.add(found);
    return found;
  }
}

function windowKey(startSeq: number, endSeq: number): string {
  return `${startSeq}-${endSeq}`;
}
