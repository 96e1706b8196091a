import { LABEL } from '../data/span-list.ts';
import type { ScoredSpans, SpanCase } from '../data/span-case.ts';
import { LINKING } from '../judge/error-types.ts';
import type { SchemeVerdicts, Verdict } from '../judge/verdict.ts';
import { isCounter } from '../measure/measure.ts';
import type { Plan } from '../recipe/plan.ts';
import { SpanErrors } from './span-errors.ts';
import { CellCounts, cellVerdict, END_COUNT, LabelConfusion } from './span-counts.ts';
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
  /** Predictions of the case at hand that were taken for something else. */
  #taken = new Uint8Array(64);
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
    const { scored } = given.spans;
    if (scored !== undefined) return this.#takeOver(scored);
    this.pair(given);
    for (const own of this.schemes) {
      own.cells.clear();
      own.cells.addCase(own, given);
      this.#confuse(own, given);
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
        cells.add(labelOf[Math.floor(cell / END_COUNT)]! * END_COUNT + (cell % END_COUNT), counts[at + 1]);
      }
      for (let left = counts[at++]!; left > 0; left -= 1, at += 3)
        confusion.add(labelOf[counts[at]!] ?? -1, labelOf[counts[at + 1]!] ?? -1, counts[at + 2]);
    }
  }

  /** Finds what came closest to the spans of a case that have no partner. */
  explain(given: SpanCase): void {
    this.pair(given);
    for (const { scheme, pairing } of this.schemes) pairing.findClosest(scheme, this.near);
  }

  /** The types of the errors of a case under the recipe's own scheme; good until another case is looked at. */
  errors(given: SpanCase): SpanErrors {
    this.pair(given);
    if (this.#typed === given) return this.#errors;
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

  /** Pairs the spans of a case, unless they are those that were paired last. */
  pair(given: SpanCase): void {
    if (this.#paired === given) return;
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

  /** Adds the labels that met: of hits, of errors that were taken for each other, and of those that a rule links. */
  #confuse({ scheme, linkRule, pairing, confusion, isSimple }: SchemeState, given: SpanCase): void {
    const { gold, predicted } = given.spans;
    const { gold: golds, predicted: predicteds } = this.near;
    // If no error overlaps two others, it is plain which was taken for which.
    const mistaken = scheme.name !== null ? null : isSimple ? pairing.linkedGold : this.errors(given).partner;
    const isLinking = linkRule !== null && LINKING.has(linkRule);
    const isMistaken = (at: number): boolean =>
      at >= 0 && gold.get(golds[at]!, LABEL) !== predicted.get(predicteds[at]!, LABEL);
    if (predicted.count > this.#taken.length) this.#taken = new Uint8Array(predicted.count * 2);
    const taken = this.#taken.fill(0, 0, predicted.count);
    if (mistaken !== null)
      for (let g = 0; g < gold.count; g += 1) if (isMistaken(mistaken[g]!)) taken[predicteds[mistaken[g]!]!] = 1;
    for (let g = 0; g < gold.count; g += 1) {
      let other = pairing.gold[g]!;
      if (other < 0 && mistaken !== null && isMistaken(mistaken[g]!)) other = predicteds[mistaken[g]!]!;
      else if (other < 0 && isLinking && pairing.linkedGold[g]! >= 0) {
        const linked = predicteds[pairing.linkedGold[g]!]!;
        if (taken[linked] === 0) other = linked;
        taken[linked] = 1;
      }
      confusion.add(gold.get(g, LABEL), other < 0 ? -1 : predicted.get(other, LABEL));
    }
    for (let p = 0; p < predicted.count; p += 1)
      if (pairing.predicted[p]! < 0 && taken[p] === 0) confusion.add(-1, predicted.get(p, LABEL));
  }
}
