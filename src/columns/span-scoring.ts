import { LABEL, type SpanList } from '../data/span-list.ts';
import type { SpanCase } from '../data/span-case.ts';
import { mistakenLabels } from '../judge/error-types.ts';
import { makeVerdict, type SchemeVerdicts, type Verdict, type VerdictKind } from '../judge/verdict.ts';
import type { Counts } from '../measure/results.ts';
import { isCounter } from '../measure/measure.ts';
import type { Plan } from '../recipe/plan.ts';
import { SpanErrors } from './span-errors.ts';
import { NearSpans, SpanPairing, type SpanScheme, spanScheme } from './span-pairs.ts';
import type { PairedSpans } from './span-reasons.ts';
import { itemsInOrder, spanVerdicts } from './span-verdicts.ts';

/** What a recipe does with plain spans: its schemes, its own first, and the rule that links errors, if it has one. */
export interface SpanPlan {
  readonly schemes: readonly SpanScheme[];
  readonly linkRule: string | null;
  /** Whether several schemes share what is near, which puts the items of a case into content order. */
  readonly inContentOrder: boolean;
}

/** What a plan does with plain spans; null where it looks at more than their places and labels. */
export function spanPlanOf(plan: Plan): SpanPlan | null {
  const { prepare, judge, attributes, slices, interval, measures, definitions } = plan;
  const schemes = plan.schemes.map(({ name, pair }) => {
    const settings = pair.size === 1 ? pair.get('span') : undefined;
    return settings === undefined ? null : spanScheme(name, settings);
  });
  const counters = measures.flatMap((measure) => [...measure.counters, ...(measure.beside ?? [])]);
  const links = judge.filter(({ onPlainSpans }) => onPlainSpans === 'link');
  const looksAtMore =
    prepare.some(({ onPlainSpans }) => onPlainSpans !== 'same') ||
    judge.some(({ onPlainSpans }) => onPlainSpans === null) ||
    links.length > 1 ||
    attributes.length > 0 ||
    slices.some((slice) => slice !== 'label') ||
    (interval !== null && interval.cluster !== null) ||
    definitions.length > 0 ||
    !counters.every((counter) => isCounter(counter) && counter.plain === true);
  const known = schemes.filter((scheme) => scheme !== null);
  if (looksAtMore || known.length === 0 || known.length < schemes.length) return null;
  return { schemes: known, linkRule: links[0]?.name ?? null, inContentOrder: known.length > 1 };
}

/** The ways in which plain spans can end: verdicts that agree in one of these, and in the label, count alike. */
const ENDS = ['hit', 'part', 'missed', 'missed-linked', 'spurious', 'spurious-linked'] as const;
const END_COUNT = ENDS.length;
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

  add(label: number, end: number): void {
    const cell = label * END_COUNT + end;
    const before = this.counts[cell] ?? 0;
    if (before === 0) this.touched.push(cell);
    for (let at = this.counts.length; at < cell; at += 1) this.counts.push(0);
    this.counts[cell] = before + 1;
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

/** How often gold of a label was met by predictions of another, 0 being nothing: sums over all cases. */
export class LabelConfusion {
  #room = FIRST_ROOM;
  #counts = new Float64Array(FIRST_ROOM * FIRST_ROOM);

  /** Labels count from 0, nothing is -1. */
  add(gold: number, predicted: number, n = 1): void {
    const most = Math.max(gold, predicted) + 2;
    if (most > this.#room) this.#grow(most);
    this.#counts[(gold + 1) * this.#room + predicted + 1]! += n;
  }

  /** Every pair that occurs. */
  *entries(): Generator<{ readonly gold: number; readonly predicted: number; readonly n: number }> {
    for (let at = 0; at < this.#counts.length; at += 1)
      if (this.#counts[at]! > 0)
        yield { gold: Math.floor(at / this.#room) - 1, predicted: (at % this.#room) - 1, n: this.#counts[at]! };
  }

  #grow(least: number): void {
    const before = [...this.entries()];
    this.#room = Math.max(least, this.#room * 2);
    this.#counts = new Float64Array(this.#room * this.#room);
    for (const { gold, predicted, n } of before) this.add(gold, predicted, n);
  }
}

interface SchemeState extends PairedSpans {
  readonly cells: CellCounts;
  readonly confusion: LabelConfusion;
  /** A verdict that stands for all of a cell, for counters that look at nothing else. */
  readonly verdictOf: (cell: number) => Verdict;
  /** Whether no error of the case at hand overlaps more than one other. */
  isSimple: boolean;
}

/** Scores cases of plain spans, under all schemes at a time, without an object for any span. */
export class SpanScoring {
  readonly schemes: readonly SchemeState[];
  readonly near = new NearSpans();
  readonly #linkRule: string | null;
  readonly #inContentOrder: boolean;
  readonly #labels: readonly string[];
  readonly #errors = new SpanErrors();
  #paired: SpanCase | null = null;
  #typed: SpanCase | null = null;

  /** For cases whose labels are numbered in one way. */
  constructor({ schemes, linkRule, inContentOrder }: SpanPlan, labels: readonly string[]) {
    this.#linkRule = linkRule;
    this.#inContentOrder = inContentOrder;
    this.#labels = labels;
    this.schemes = schemes.map((scheme) => ({
      scheme,
      linkRule,
      pairing: new SpanPairing(),
      cells: new CellCounts(),
      confusion: new LabelConfusion(),
      verdictOf: (cell: number) => cellVerdict(scheme, linkRule, labels, cell),
      isSimple: true,
    }));
  }

  /** Adds a case; its spans are put into content order. */
  score(given: SpanCase): void {
    const { gold, predicted } = given.spans;
    this.#pair(given);
    for (const own of this.schemes) {
      const { scheme, pairing, cells, isSimple } = own;
      cells.clear();
      for (let g = 0; g < gold.count; g += 1) {
        const label = gold.get(g, LABEL);
        if (pairing.gold[g]! >= 0) cells.add(label, pairing.similarity[g]! < 1 ? PART : HIT);
        else cells.add(label, this.#linkRule !== null && pairing.linkedGold[g]! >= 0 ? MISSED_LINKED : MISSED);
      }
      for (let p = 0; p < predicted.count; p += 1) {
        if (pairing.predicted[p]! >= 0) continue;
        const isLinked = this.#linkRule !== null && pairing.linkedPredicted[p]! >= 0;
        cells.add(predicted.get(p, LABEL), isLinked ? SPURIOUS_LINKED : SPURIOUS);
      }
      if (scheme.name !== null || isSimple) this.#confuse(own, gold, predicted);
      else this.#confuseTangled(own, given);
    }
  }

  /** Finds what came closest to the spans of a case that have no partner. */
  explain(given: SpanCase): void {
    if (this.#paired !== given) this.#pair(given);
    for (const { scheme, pairing } of this.schemes) pairing.findClosest(scheme, this.near);
  }

  /** The types of the errors of a case under the recipe's own scheme; good until another case is looked at. */
  errors(given: SpanCase): SpanErrors {
    if (this.#typed === given) return this.#errors;
    if (this.#paired !== given) this.#pair(given);
    this.#typed = given;
    const { pairing, scheme, isSimple } = this.schemes[0]!;
    this.#errors.find(given, this.near, pairing, scheme, isSimple);
    return this.#errors;
  }

  /** The verdicts of a case that was scored, under each scheme. */
  verdicts(given: SpanCase): SchemeVerdicts[] {
    this.explain(given);
    const items = itemsInOrder(given);
    const scored = this.#inContentOrder ? { ...given, ...items } : given;
    return this.schemes.map((own) => ({
      case: scored,
      scheme: own.scheme.name,
      verdicts: spanVerdicts(own, this.near, given, items),
    }));
  }

  /** What all cases come to beside their sums: verdicts that stand for many, and labels that met. */
  totals(
    addLike: (verdict: Verdict, n: number) => void,
    addLabels: (
      own: Pick<Verdict, 'scheme' | 'kind'>,
      gold: string | null,
      predicted: string | null,
      n: number,
    ) => void,
  ): void {
    for (const {
      scheme: { name: scheme },
      cells,
      confusion,
      verdictOf,
    } of this.schemes) {
      cells.clear();
      cells.totals.forEach((n, cell) => addLike(verdictOf(cell), n));
      for (const { gold, predicted, n } of confusion.entries())
        addLabels({ scheme, kind: 'span' }, this.#labels[gold] ?? null, this.#labels[predicted] ?? null, n);
    }
  }

  #pair(given: SpanCase): void {
    const { gold, predicted } = given.spans;
    this.#paired = given;
    gold.sort();
    predicted.sort();
    this.near.find(gold, predicted);
    for (const own of this.schemes) {
      own.pairing.pair(own.scheme, gold, predicted, this.near);
      own.isSimple = own.pairing.link(this.near, this.#linkRule !== null);
    }
  }

  /** Errors that have one partner at most: it was taken for the other if a rule links them, or if their labels differ. */
  #confuse({ scheme, pairing, confusion }: SchemeState, gold: SpanList, predicted: SpanList): void {
    const near = this.near;
    const isTaken = (at: number): boolean => {
      if (at < 0) return false;
      if (this.#linkRule !== null) return true;
      return scheme.name === null && gold.get(near.gold[at]!, LABEL) !== predicted.get(near.predicted[at]!, LABEL);
    };
    for (let g = 0; g < gold.count; g += 1) {
      const partner = pairing.gold[g]!;
      const linked = pairing.linkedGold[g]!;
      const other = partner >= 0 ? partner : isTaken(linked) ? near.predicted[linked]! : -1;
      confusion.add(gold.get(g, LABEL), other < 0 ? -1 : predicted.get(other, LABEL));
    }
    for (let p = 0; p < predicted.count; p += 1)
      if (pairing.predicted[p]! < 0 && !isTaken(pairing.linkedPredicted[p]!))
        confusion.add(-1, predicted.get(p, LABEL));
  }

  /** Several errors overlap one another: who was taken for whom is found out among the verdicts themselves. */
  #confuseTangled(own: SchemeState, given: SpanCase): void {
    const { confusion } = own;
    const verdicts = spanVerdicts(own, this.near, given, itemsInOrder(given));
    const mistaken = mistakenLabels(verdicts);
    const others = new Set(mistaken.values());
    const place = (label: string): number => given.spans.gold.labels.indexOf(label);
    for (const one of verdicts) {
      const other = mistaken.get(one);
      if (one.verdict === 'hit') confusion.add(place(one.label), place(one.predicted!.label));
      else if (one.verdict === 'missed') confusion.add(place(one.label), other ? place(other.label) : -1);
      else if (!others.has(one)) confusion.add(-1, place(one.label));
    }
  }
}

/** How many of a case are which verdict. */
export function countsOfCells({ counts, touched }: CellCounts): Counts {
  const sums = { hit: 0, spurious: 0, missed: 0, excused: 0 };
  for (const cell of touched) sums[VERDICT_OF_END[cell % END_COUNT]!] += counts[cell]!;
  return sums;
}

function cellVerdict(
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
