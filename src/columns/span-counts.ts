import type { SpanCase } from '../data/span-case.ts';
import { LABEL, type SpanList } from '../data/span-list.ts';
import type { Counts } from '../measure/results.ts';
import { makeVerdict, type Verdict, type VerdictKind } from '../judge/verdict.ts';
import type { SpanScheme } from './span-pairs.ts';
import type { PairedSpans } from './span-reasons.ts';

/** The ways in which plain spans can end: verdicts that agree in one of these, and in the label, count alike. */
const ENDS = ['hit', 'part', 'missed', 'missed-linked', 'spurious', 'spurious-linked'] as const;
export const END_COUNT = ENDS.length;
const [HIT, PART, MISSED, MISSED_LINKED, SPURIOUS, SPURIOUS_LINKED] = [0, 1, 2, 3, 4, 5];
/** What of a cell is which verdict. */
const VERDICT_OF_END: readonly VerdictKind[] = ['hit', 'hit', 'missed', 'missed', 'spurious', 'spurious'];

const FIRST_ROOM = 16;

/** How often each cell, a label and an end, occurs in a case; the lists are used again for the next case. */
export class CellCounts {
  readonly counts: number[] = [];
  /** The cells that occur. */
  readonly touched: number[] = [];
  /** Over all cases. */
  readonly totals: number[] = [];

  /** Counts the spans of a case. */
  addCase(own: PairedSpans, { spans: { gold, predicted } }: SpanCase): void {
    for (let g = 0; g < gold.count; g += 1) this.add(goldCell(own, gold, g));
    for (let p = 0; p < predicted.count; p += 1)
      if (own.pairing.predicted[p]! < 0) this.add(spuriousCell(own, predicted, p));
  }

  add(cell: number, n = 1): void {
    const before = this.counts[cell] ?? 0;
    if (before === 0) this.touched.push(cell);
    for (let at = this.counts.length; at < cell; at += 1) this.counts.push(0);
    this.counts[cell] = before + n;
  }

  /** Ends the case at hand. */
  clear(): void {
    for (const cell of this.touched) {
      this.totals[cell] = (this.totals[cell] ?? 0) + this.counts[cell]!;
      this.counts[cell] = 0;
    }
    this.touched.length = 0;
  }
}

/** The cell of a gold span: its label, and how it ended. */
export function goldCell({ pairing, linkRule }: PairedSpans, gold: SpanList, g: number): number {
  const cell = gold.get(g, LABEL) * END_COUNT;
  if (pairing.gold[g]! >= 0) return cell + (pairing.similarity[g]! < 1 ? PART : HIT);
  return cell + (linkRule !== null && pairing.linkedGold[g]! >= 0 ? MISSED_LINKED : MISSED);
}

/** The cell of a predicted span without a partner. */
export function spuriousCell({ pairing, linkRule }: PairedSpans, predicted: SpanList, p: number): number {
  const isLinked = linkRule !== null && pairing.linkedPredicted[p]! >= 0;
  return predicted.get(p, LABEL) * END_COUNT + (isLinked ? SPURIOUS_LINKED : SPURIOUS);
}

/** How often gold of a label was met by predictions of another, 0 being nothing: sums over all cases. */
export class LabelConfusion {
  #room = FIRST_ROOM;
  #counts = new Float64Array(FIRST_ROOM * FIRST_ROOM);
  /** The places of those that occur. */
  #met: number[] = [];

  /** Labels count from 0, nothing is -1. */
  add(gold: number, predicted: number, n = 1): void {
    const most = Math.max(gold, predicted) + 2;
    if (most > this.#room) this.#grow(most);
    const at = (gold + 1) * this.#room + predicted + 1;
    if (this.#counts[at] === 0) this.#met.push(at);
    this.#counts[at]! += n;
  }

  /** Every pair that occurs, in the order of the labels. */
  entries(): { readonly gold: number; readonly predicted: number; readonly n: number }[] {
    return this.#met
      .sort((a, b) => a - b)
      .map((at) => ({ gold: Math.floor(at / this.#room) - 1, predicted: (at % this.#room) - 1, n: this.#counts[at]! }));
  }

  clear(): void {
    for (const at of this.#met) this.#counts[at] = 0;
    this.#met.length = 0;
  }

  #grow(least: number): void {
    const before = this.entries();
    this.#room = Math.max(least, this.#room * 2);
    this.#counts = new Float64Array(this.#room * this.#room);
    this.#met = [];
    for (const { gold, predicted, n } of before) this.add(gold, predicted, n);
  }
}

/** How many of a case are which verdict. */
export function countsOfCells({ counts, touched }: CellCounts): Counts {
  const sums = { hit: 0, spurious: 0, missed: 0, excused: 0 };
  for (const cell of touched) sums[VERDICT_OF_END[cell % END_COUNT]!] += counts[cell]!;
  return sums;
}

/** A verdict that stands for all of a cell, for counters that look at nothing else. */
export function cellVerdict(
  { name, rule, partial }: SpanScheme,
  linkRule: string | null,
  labels: readonly string[],
  cell: number,
): Verdict {
  const end = cell % END_COUNT;
  const isLinked = linkRule !== null && (end === MISSED_LINKED || end === SPURIOUS_LINKED);
  return makeVerdict({
    case: '',
    scheme: name,
    kind: 'span',
    verdict: VERDICT_OF_END[end]!,
    rule: isLinked ? linkRule : end === HIT || end === PART ? rule : 'no-match',
    label: labels[Math.floor(cell / END_COUNT)]!,
    credit: end === PART ? partial : 1,
  });
}
