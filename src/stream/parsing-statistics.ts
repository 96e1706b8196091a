import { excludedAs, type Exclusion } from './canonical-text.ts';
import type { StreamDelta } from './trace-records.ts';

/**
 * How the deltas of a trace were read: included + all excluded = all deltas. The names are those of the evaluation that
 * this follows; excluded_by_agent, deltas without a subtype whose agent does not speak, is counted here besides.
 */
export const PARSING_COUNTS = [
  'included_message_chunks',
  'excluded_orchestrator_summary',
  'excluded_system_note',
  'excluded_other_subtype',
  'excluded_by_agent',
  'missing_event_subtype',
] as const;
type ParsingCount = (typeof PARSING_COUNTS)[number];
export type ParsingStatistics = Readonly<Record<ParsingCount, number>>;

export class ParsingCounter {
  readonly #counts: Record<ParsingCount, number> = {
    included_message_chunks: 0,
    excluded_orchestrator_summary: 0,
    excluded_system_note: 0,
    excluded_other_subtype: 0,
    excluded_by_agent: 0,
    missing_event_subtype: 0,
  };

  add(delta: StreamDelta): void {
    const excluded = excludedAs(delta);
    this.#counts[excluded === null ? 'included_message_chunks' : countOf(excluded)] += 1;
    if (excluded === null && delta.event_subtype === undefined) this.#counts.missing_event_subtype += 1;
  }

  addAll(statistics: ParsingStatistics): void {
    for (const name of PARSING_COUNTS) this.#counts[name] += statistics[name];
  }

  get statistics(): ParsingStatistics {
    return { ...this.#counts };
  }
}

export function parsingStatistics(deltas: readonly StreamDelta[]): ParsingStatistics {
  const counter = new ParsingCounter();
  for (const delta of deltas) counter.add(delta);
  return counter.statistics;
}

function countOf({ subtype }: Exclusion): ParsingCount {
  switch (subtype) {
    case null:
      return 'excluded_by_agent';
    case 'orchestrator_summary':
      return 'excluded_orchestrator_summary';
    case 'system_note':
      return 'excluded_system_note';
    default:
      return 'excluded_other_subtype';
  }
}
