import type { ItemKind } from '../../../data/item.ts';
import { count, counted, percent } from '../../../text/figures.ts';
import type { Check, NewFinding } from '../../check.ts';
import { addTo, Evidence } from '../../evidence.ts';

const ERROR_SHARE = 0.5;

/** Kinds of records of a run log that have a time. */
const TIMED: ReadonlySet<ItemKind> = new Set<ItemKind>(['flush', 'decision', 'summary']);

/** What a time that is not from the trace is, in words. */
const SOURCES: Readonly<Record<string, string>> = {
  fallback: 'the start of the trace and a second for each seq',
  grid: 'on an even grid by seq that the trace does not have',
  constant: 'one and the same time whatever the seq',
  outside: 'before the trace began or long after its end',
};

const NO_TIME = 'What was counted or filled in is no time.';

export const fallbackTimestamps: Check = {
  name: 'fallback-timestamps',
  about: 'times in run logs that do not come from the trace',
  scoredOnly: true,
  open() {
    const seen = new SeenTimes();
    return {
      verdict({ predicted: item }, { case: id }) {
        if (item?.kind === 'trace') {
          seen.traces += 1;
          if (item.fields['clock'] === 'virtual') seen.virtual += 1;
          // A ledger of before times were looked at has none of this.
          if (item.fields['join'] !== undefined) seen.timed += 1;
        }
        if (item === null || !TIMED.has(item.kind)) return;
        const { time_source: source, interval_ms: interval, end_seq: seq } = item.fields;
        seen.records += 1;
        if (typeof interval === 'number') seen.intervals += 1;
        if (typeof source !== 'string' || SOURCES[source] === undefined) return;
        if (typeof interval === 'number') seen.madeIntervals += 1;
        addTo(seen.sources, source);
        addTo(seen.kinds, item.kind);
        const note = `${item.kind} ${item.index}, seq ${typeof seq === 'number' ? seq : '?'}: ${SOURCES[source]}`;
        seen.evidence.addItem({ case: id, side: 'predicted', label: item.label, text: item.text, note });
      },
      find({ run: { measures } }) {
        if (seen.traces + seen.records === 0) return { skipped: 'only run logs of streams have times' };
        if (seen.traces > 0 && seen.timed === 0) return { skipped: 'the ledger does not say where times come from' };
        const names = [...new Set(measures.measures.map(({ name }) => name))];
        return [
          madeUp(
            seen,
            names.filter((name) => name.startsWith('flush_interval')),
          ),
          virtualClocks(seen),
        ];
      },
    };
  },
};

class SeenTimes {
  records = 0;
  timed = 0;
  /** Flush intervals, and those that rest on a made-up time. */
  intervals = 0;
  madeIntervals = 0;
  virtual = 0;
  traces = 0;
  readonly sources = new Map<string, number>();
  readonly kinds = new Map<string, number>();
  readonly evidence = new Evidence();
}

function madeUp(
  { records, intervals, madeIntervals, ...seen }: SeenTimes,
  ofIntervals: readonly string[],
): NewFinding | null {
  const made = seen.evidence.items.total;
  if (made === 0) return null;
  const resting = madeIntervals === 0 ? [] : ofIntervals;
  const sources = [...seen.sources]
    .sort(([, a], [, b]) => b - a)
    .map(([source, n]) => `${count(n)} are ${SOURCES[source] ?? source}`);
  const kinds = [...seen.kinds].map(([kind, n]) => `${count(n)} of kind ${kind}`).join(', ');
  return {
    severity: made >= ERROR_SHARE * records && resting.length > 0 ? 'error' : 'warning',
    title: `${count(made)} of ${counted(records, 'record')} (${percent(made, records)}) have a time that is not from the trace (${kinds}): ${sources.join('; ')}`,
    why:
      resting.length > 0
        ? `${NO_TIME} ${resting.join(', ')} ${resting.length === 1 ? 'rests' : 'rest'} on it for ${count(madeIntervals)} of ${counted(intervals, 'interval')}.`
        : `${NO_TIME} No measure of this recipe reads these times, but the log has them: gaps between its records, the time until the first summary and timelines drawn from it mean nothing.`,
    todo: 'Replay with timestamps from the trace (turnTimestamp=last-delta takes the last delta of a turn, which has one), and do not use the times of these logs until then.',
    subjects: resting,
    evidence: seen.evidence,
  };
}

function virtualClocks({ virtual, traces }: SeenTimes): NewFinding | null {
  if (virtual === 0) return null;
  return {
    severity: 'note',
    title: `${count(virtual)} of ${counted(traces, 'trace')} have a virtual clock: its times were made up when it was recorded, a fixed gap apart`,
    words: 'fallback-timestamps/virtual',
    evidence: { cases: { total: virtual, shown: [] } },
  };
}
