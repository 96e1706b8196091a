import { describe } from '../../../data/record-fields.ts';
import type { BufferDecision, RunLogRecord, SummaryEvent, TokengateFlush } from '../run-log-records.ts';
import type { Check } from './findings.ts';

type Tell = (line: number | null, check: Check, message: string) => void;
export type LogEvent = TokengateFlush | BufferDecision | SummaryEvent;
type EventType = LogEvent['record_type'];

const ORDER: readonly RunLogRecord['record_type'][] = [
  'run_meta',
  'tokengate_flush',
  'buffer_decision',
  'summary_event',
];

interface Numbered {
  count: number;
  last: number;
}

/** Whether the records of a run log come in their order, numbered without gaps, with ids that say the same. */
export class IndexCheck {
  readonly #tell: Tell;
  readonly #seen: Record<EventType, Numbered> = {
    tokengate_flush: { count: 0, last: -1 },
    buffer_decision: { count: 0, last: -1 },
    summary_event: { count: 0, last: -1 },
  };
  #latest: RunLogRecord['record_type'] = 'run_meta';
  /** A record was lost: of each kind, one gap has its reason. */
  readonly #excused = new Set<EventType>();

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  lost(): void {
    for (const type of ['tokengate_flush', 'buffer_decision', 'summary_event'] as const) this.#excused.add(type);
  }

  /** Its number among those of its kind: as it says itself, or as it was counted where what it says is wrong. */
  see(record: LogEvent, line: number): number {
    const { record_type: type } = record;
    this.#inOrder(type, line);
    const { field, index } = indexOf(record);
    const own = this.#seen[type];
    const fits = index === own.count || index === own.last + 1;
    const excused = !fits && this.#excused.delete(type);
    if (!fits && !excused)
      this.#tell(line, 'index', `${field}: found ${index}, expected ${own.count}, without gaps from 0`);
    // Where the index is off, the id says whether a record is missing before it, or whether only its index is wrong.
    const number = fits || excused || idOf(record)?.id === eventId(record, index) ? index : own.count;
    this.#checkId(record, index, own.count, line);
    own.last = index;
    own.count = excused ? index + 1 : own.count + 1;
    return number;
  }

  #inOrder(type: EventType, line: number): void {
    if (ORDER.indexOf(type) < ORDER.indexOf(this.#latest))
      this.#tell(line, 'order', `found ${type} after ${this.#latest}, expected the order ${ORDER.join(', ')}`);
    this.#latest = type;
  }

  #checkId(record: LogEvent, index: number, count: number, line: number): void {
    const own = idOf(record);
    if (own === null || own.id === eventId(record, index) || own.id === eventId(record, count)) return;
    this.#tell(line, 'id', `${own.field}: found ${describe(own.id)}, expected ${describe(eventId(record, index))}`);
  }
}

/** `{case}-{variant}-se-000` */
export function eventId({ record_type: type, case_id: id, variant_id: variant }: LogEvent, index: number): string {
  return `${id}-${variant}-${type === 'buffer_decision' ? 'bd' : 'se'}-${String(index).padStart(3, '0')}`;
}

/** Flushes have none. */
function idOf(record: LogEvent): { readonly field: string; readonly id: string } | null {
  switch (record.record_type) {
    case 'tokengate_flush':
      return null;
    case 'buffer_decision':
      return { field: 'decision_id', id: record.decision_id };
    case 'summary_event':
      return { field: 'event_id', id: record.event_id };
  }
}

function indexOf(record: LogEvent): { readonly field: string; readonly index: number } {
  switch (record.record_type) {
    case 'tokengate_flush':
      return { field: 'flush_index', index: record.flush_index };
    case 'buffer_decision':
      return { field: 'decision_index', index: record.decision_index };
    case 'summary_event':
      return { field: 'event_index', index: record.event_index };
  }
}
