import { LABEL, type SpanList } from '../data/span-list.ts';
import type { SpanCase } from '../data/span-case.ts';
import type { ScoredSpans } from '../data/span-case.ts';
import { mistakenLabels } from '../judge/error-types.ts';
import type { SchemeVerdicts, Verdict } from '../judge/verdict.ts';
import { isCounter } from '../measure/measure.ts';
import type { Plan } from '../recipe/plan.ts';
import { SpanErrors } from './span-errors.ts';
import {
  CellCounts,
  cellVerdict,
  END_COUNT,
  HIT,
  LabelConfusion,
  MISSED,
  MISSED_LINKED,
  PART,
  SPURIOUS,
  SPURIOUS_LINKED,
} from './span-counts.ts';
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
    const { gold, predicted, scored } = given.spans;
    if (scored !== undefined) return this.#takeOver(scored);
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

  /** Appends what was made of the case at hand, for another thread to take over. */
  handOver(counts: number[]): void {
    for (const { cells, confusion } of this.schemes) {
      counts.push(cells.touched.length);
      for (const cell of cells.touched) counts.push(cell, cells.counts[cell]!);
      const met = confusion.entries();
      counts.push(met.length);
      for (const { gold, predicted, n } of met) counts.push(gold, predicted, n);
      confusion.clear();
    }
  }

  #takeOver({ counts, from, labelOf }: ScoredSpans): void {
    let at = from;
    for (const { cells, confusion } of this.schemes) {
      cells.clear();
      for (let left = counts[at++]!; left > 0; left -= 1, at += 2) {
        const cell = counts[at]!;
        cells.add(labelOf[Math.floor(cell / END_COUNT)]!, cell % END_COUNT, counts[at + 1]);
      }
      for (let left = counts[at++]!; left > 0; left -= 1, at += 3)
        confusion.add(labelOf[counts[at]!] ?? -1, labelOf[counts[at + 1]!] ?? -1, counts[at + 2]);
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
