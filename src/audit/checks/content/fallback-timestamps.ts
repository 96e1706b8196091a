import type { ItemKind } from '../../../data/item.ts';
import type { AuditCase, AuditMaterial, Check, Found, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { count, counted, percent } from '../../../text/figures.ts';

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

/** Times that were made up where none was found: gaps between them measure nothing. */
export const fallbackTimestamps: Check = {
  name: 'fallback-timestamps',
  about: 'times in run logs that do not come from the trace',
  open(context) {
    if (context.task !== 'stream') return { finish: () => ({ skipped: 'only run logs of streams have times' }) };
    const seen = new SeenTimes();
    return { add: (given) => seen.add(given), finish: (material) => seen.found(material) };
  },
};

class SeenTimes {
  #records = 0;
  #timed = 0;
  #made = 0;
  /** Flush intervals, and those that rest on a made-up time. */
  #intervals = 0;
  #madeIntervals = 0;
  #virtual = 0;
  #traces = 0;
  readonly #sources = new Map<string, number>();
  readonly #kinds = new Map<string, number>();
  readonly #evidence = new Evidence();

  add({ id, failed, verdicts }: AuditCase): void {
    if (failed !== null) return;
    for (const { predicted: item } of verdicts) {
      if (item?.kind === 'trace') {
        this.#traces += 1;
        if (item.fields['clock'] === 'virtual') this.#virtual += 1;
        // A ledger of before times were looked at has none of this.
        if (item.fields['join'] !== undefined) this.#timed += 1;
      }
      if (item === null || !TIMED.has(item.kind)) continue;
      this.#records += 1;
      const { time_source: source, interval_ms: interval, end_seq: seq } = item.fields;
      if (typeof interval === 'number') this.#intervals += 1;
      if (typeof source !== 'string' || SOURCES[source] === undefined) continue;
      this.#made += 1;
      if (typeof interval === 'number') this.#madeIntervals += 1;
      this.#sources.set(source, (this.#sources.get(source) ?? 0) + 1);
      this.#kinds.set(item.kind, (this.#kinds.get(item.kind) ?? 0) + 1);
      const note = `${item.kind} ${item.index}, seq ${typeof seq === 'number' ? seq : '?'}: ${SOURCES[source]}`;
      this.#evidence.addItem({ case: id, side: 'predicted', label: item.label, text: item.text, note });
    }
  }

  found({ run }: AuditMaterial): Found {
    if (this.#traces > 0 && this.#timed === 0) return { skipped: 'the ledger does not say where times come from' };
    return [...this.#madeUp(run.measures.measures), ...this.#virtualClocks()];
  }

  #madeUp(measures: AuditMaterial['run']['measures']['measures']): NewFinding[] {
    if (this.#made === 0) return [];
    const resting = this.#madeIntervals === 0 ? [] : [...new Set(measures.map(({ name }) => name))].filter(isInterval);
    const isMost = this.#made >= ERROR_SHARE * this.#records;
    const sources = [...this.#sources]
      .sort(([, a], [, b]) => b - a)
      .map(([source, n]) => `${count(n)} are ${SOURCES[source] ?? source}`);
    const kinds = [...this.#kinds].map(([kind, n]) => `${count(n)} of kind ${kind}`).join(', ');
    return [
      {
        severity: isMost && resting.length > 0 ? 'error' : 'warning',
        title: `${count(this.#made)} of ${counted(this.#records, 'record')} (${percent(this.#made, this.#records)}) have a time that is not from the trace (${kinds}): ${sources.join('; ')}`,
        why:
          resting.length > 0
            ? `${NO_TIME} ${resting.join(', ')} ${resting.length === 1 ? 'rests' : 'rest'} on it for ${count(this.#madeIntervals)} of ${counted(this.#intervals, 'interval')}.`
            : `${NO_TIME} No measure of this recipe reads these times, but the log has them: gaps between its records, the time until the first summary and timelines drawn from it mean nothing.`,
        todo: 'Replay with timestamps from the trace (turnTimestamp=last-delta takes the last delta of a turn, which has one), and do not use the times of these logs until then.',
        subjects: resting,
        cases: this.#evidence.cases,
        items: this.#evidence.items,
      },
    ];
  }

  #virtualClocks(): NewFinding[] {
    if (this.#virtual === 0) return [];
    return [
      {
        severity: 'note',
        title: `${count(this.#virtual)} of ${counted(this.#traces, 'trace')} have a virtual clock: its times were made up when it was recorded, a fixed gap apart`,
        why: 'Flush intervals and throughput then follow the number of deltas, not how fast anybody spoke.',
        todo: 'Read such measures as counts, or record the traces again with the times of their events.',
        subjects: [],
        cases: { total: this.#virtual, shown: [] },
        items: { total: 0, shown: [] },
      },
    ];
  }
}

function isInterval(name: string): boolean {
  return name.startsWith('flush_interval');
}
