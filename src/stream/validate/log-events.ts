import type { BufferDecision, SummaryEvent, TokengateFlush } from '../run-log-records.ts';

export type LogEvent = TokengateFlush | BufferDecision | SummaryEvent;

interface Placed {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

export interface LogFlush extends Placed {
  readonly reason: TokengateFlush['trigger_reason'];
  readonly ctu: number;
  readonly hash: string | null;
}

export interface LogDecision extends Placed {
  readonly decision: BufferDecision['decision'];
  readonly ctu: number;
}

export interface LogSummary extends Placed {
  readonly trigger: SummaryEvent['trigger_type'];
  readonly hash: string;
}

/** Of a log that has more than this, records are not compared with each other. */
const MOST_EVENTS = 500_000;

/** What is kept of the records of a run log until its end, when they are compared with each other. */
export class LogEvents {
  readonly flushes: LogFlush[] = [];
  readonly decisions: LogDecision[] = [];
  readonly summaries: LogSummary[] = [];
  #count = 0;

  get tooMany(): boolean {
    return this.#count > MOST_EVENTS;
  }

  keep(record: LogEvent, line: number): void {
    this.#count += 1;
    if (this.tooMany) return;
    const placed = { line, start: record.start_seq, end: record.end_seq };
    switch (record.record_type) {
      case 'tokengate_flush': {
        const { trigger_reason: reason, accumulated_ctu: ctu, text_hash: hash = null } = record;
        this.flushes.push({ ...placed, reason, ctu, hash });
        break;
      }
      case 'buffer_decision':
        this.decisions.push({ ...placed, decision: record.decision, ctu: record.input_ctu });
        break;
      case 'summary_event':
        this.summaries.push({ ...placed, trigger: record.trigger_type, hash: record.new_buffer_text_hash });
        break;
    }
  }
}
