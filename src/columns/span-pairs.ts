import { END, LABEL, SPAN_WIDTH, type SpanList } from '../data/span-list.ts';
import { type Assign, assign } from '../pair/assign.ts';
import type { PairSettings } from '../pair/criterion.ts';
import type { Edge } from '../pair/pairing.ts';
import { iou } from '../text/span.ts';

/** A way of pairing that looks at nothing but places and labels. */
export interface SpanScheme {
  readonly name: string | null;
  readonly similarity: 'exact' | 'iou';
  readonly gated: boolean;
  readonly threshold: number;
  readonly partial: number;
  readonly assign: Exclude<Assign, 'every'>;
  /** The rule that a pair is a hit by. */
  readonly rule: string;
}

/** The settings as such a scheme; null where they look at more. */
export function spanScheme(name: string | null, settings: PairSettings): SpanScheme | null {
  const [criterion, ...others] = settings.accept;
  if (criterion === undefined || others.length > 0 || settings.unit !== 'item' || settings.ties !== 'content')
    return null;
  const { similarity, threshold, tolerance, gate, own } = criterion;
  if (own !== null || tolerance !== 0 || typeof threshold !== 'number' || settings.assign === 'every') return null;
  if ((similarity !== 'exact' && similarity !== 'iou') || gate.some((field) => field !== 'label')) return null;
  const { partial, assign: way } = settings;
  return { name, similarity, gated: gate.length > 0, threshold, partial, assign: way, rule: criterion.name };
}

/** Pairs of spans that have a character in common, by their places in the two lists, in the order of one sweep over both. */
export class NearSpans {
  count = 0;
  gold = new Int32Array(64);
  predicted = new Int32Array(64);
  /** How much of the two is common, from 0 to 1. */
  iou = new Float64Array(64);
  #open = { gold: new Int32Array(64), predicted: new Int32Array(64) };

  /** As `nearSpans` finds them, for lists in content order. */
  find(gold: SpanList, predicted: SpanList): void {
    this.count = 0;
    const most = Math.max(gold.count, predicted.count);
    if (most > this.#open.gold.length)
      this.#open = { gold: new Int32Array(most * 2), predicted: new Int32Array(most * 2) };
    const { gold: openGold, predicted: openPredicted } = this.#open;
    const golds = gold.numbers;
    const predicteds = predicted.numbers;
    const goldEnd = gold.from + gold.count * SPAN_WIDTH;
    const predictedEnd = predicted.from + predicted.count * SPAN_WIDTH;
    let g = gold.from;
    let p = predicted.from;
    let goldsOpen = 0;
    let predictedsOpen = 0;
    // Places in the lists of numbers, which are those of the first of a span.
    while (g < goldEnd || p < predictedEnd) {
      if (p >= predictedEnd || (g < goldEnd && golds[g]! <= predicteds[p]!)) {
        predictedsOpen = this.#meet(predicted, openPredicted, predictedsOpen, gold, g, true);
        openGold[goldsOpen++] = g;
        g += SPAN_WIDTH;
      } else {
        goldsOpen = this.#meet(gold, openGold, goldsOpen, predicted, p, false);
        openPredicted[predictedsOpen++] = p;
        p += SPAN_WIDTH;
      }
    }
  }

  /** Pairs a span with those of the other list that are open; returns how many of them still are. */
  #meet(other: SpanList, open: Int32Array, count: number, own: SpanList, place: number, isGold: boolean): number {
    const start = own.numbers[place]!;
    let kept = 0;
    for (let at = 0; at < count; at += 1) {
      const met = open[at]!;
      if (other.numbers[met + END]! <= start) continue;
      open[kept++] = met;
      if (isGold) this.#add(place, met, own, other);
      else this.#add(met, place, other, own);
    }
    return kept;
  }

  #add(g: number, p: number, gold: SpanList, predicted: SpanList): void {
    const { count } = this;
    if (count === this.gold.length) {
      this.gold = new Int32Array(this.gold.buffer.transfer(this.gold.byteLength * 2));
      this.predicted = new Int32Array(this.predicted.buffer.transfer(this.predicted.byteLength * 2));
      this.iou = new Float64Array(this.iou.buffer.transfer(this.iou.byteLength * 2));
    }
    const golds = gold.numbers;
    const predicteds = predicted.numbers;
    this.gold[count] = (g - gold.from) / SPAN_WIDTH;
    this.predicted[count] = (p - predicted.from) / SPAN_WIDTH;
    this.iou[count] = iou(golds[g]!, golds[g + END]!, predicteds[p]!, predicteds[p + END]!);
    this.count = count + 1;
  }
}

const FREE = -1;
/** So few that no rounding of their similarities decides. */
const FEW_RIVALS = 64;

type NearEdge = Edge & { readonly at: number };

/** Which spans were paired with which, by their places in the lists, and what came closest to the others. */
export class SpanPairing {
  /** The partner of each span; -1 for one that is left over. */
  gold = new Int32Array(64);
  predicted = new Int32Array(64);
  /** Of each gold span that has a partner. */
  similarity = new Float64Array(64);
  /** The near pair of each span that is left over, with the candidate that came closest; -1 for none. */
  closestGold = new Int32Array(64);
  closestPredicted = new Int32Array(64);
  /** The near pair of each span that is left over and was linked with another as one error; -1 for none. */
  linkedGold = new Int32Array(64);
  linkedPredicted = new Int32Array(64);
  /** Whether every way to choose among the accepted pairs would choose these. */
  isUndisputed = true;
  #goldTimes = new Int32Array(64);
  #predictedTimes = new Int32Array(64);
  #accepted = new Float64Array(64);
  #open = new Float64Array(64);

  pair(scheme: SpanScheme, gold: SpanList, predicted: SpanList, near: NearSpans): void {
    this.#clear(gold.count, predicted.count, near.count);
    this.isUndisputed = true;
    const accepted = this.#accepted;
    const { gated, threshold, similarity: way } = scheme;
    let edges = 0;
    for (let at = 0; at < near.count; at += 1) {
      const g = near.gold[at]!;
      const p = near.predicted[at]!;
      const like = similarityOf(way, near.iou[at]!);
      const isAccepted = like >= threshold && like > 0 && (!gated || gold.get(g, LABEL) === predicted.get(p, LABEL));
      accepted[at] = isAccepted ? like : 0;
      if (!isAccepted) continue;
      edges += 1;
      this.#goldTimes[g]! += 1;
      this.#predictedTimes[p]! += 1;
    }
    if (edges === 0) return;
    let hasRivals = false;
    for (let at = 0; at < near.count; at += 1) {
      if (accepted[at] === 0) continue;
      if (this.#isAlone(near, at)) this.#take(near, at);
      else hasRivals = true;
    }
    if (!hasRivals) return;
    const best = this.#bestOfGold(near, accepted, scheme.partial);
    this.isUndisputed = best !== null;
    for (const at of best ?? this.#assigned(near, accepted, scheme.assign, scheme.partial)) this.#take(near, at);
  }

  /** Of the pairs with a similarity above 0 that have rivals, those that the assignment chooses. */
  #assigned(near: NearSpans, similarity: Float64Array, way: SpanScheme['assign'], partial: number): number[] {
    const rivals: NearEdge[] = [];
    for (let at = 0; at < near.count; at += 1)
      if (similarity[at] !== 0 && !this.#isAlone(near, at))
        rivals.push({
          gold: near.gold[at]!,
          predicted: near.predicted[at]!,
          similarity: similarity[at]!,
          preference: 0,
          at,
        });
    return assign(way, rivals, { partial }).map(({ at }) => at);
  }

  /**
   * The same where the rivals are few predictions that compete for one gold span each: every way takes the most similar, of
   * equal ones the first. Null where they are not.
   */
  #bestOfGold(near: NearSpans, similarity: Float64Array, partial: number): number[] | null {
    if (partial > 1) return null;
    const best: number[] = [];
    let rivals = 0;
    for (let at = 0; at < near.count; at += 1) {
      if (similarity[at] === 0 || this.#isAlone(near, at)) continue;
      rivals += 1;
      const g = near.gold[at]!;
      const p = near.predicted[at]!;
      if (this.#predictedTimes[p] !== 1 || rivals > FEW_RIVALS) return null;
      let place = 0;
      while (place < best.length && near.gold[best[place]!] !== g) place += 1;
      const other = best[place];
      const gain = other === undefined ? 1 : similarity[at]! - similarity[other]!;
      if (gain > 0 || (gain === 0 && p < near.predicted[other!]!)) best[place] = at;
    }
    return best;
  }

  #isAlone(near: NearSpans, at: number): boolean {
    return this.#goldTimes[near.gold[at]!] === 1 && this.#predictedTimes[near.predicted[at]!] === 1;
  }

  /**
   * Links missed and spurious spans that overlap, one to one, as the rule `incorrect` does; with `all` false only those
   * that have no other to be linked with. False where there are others.
   */
  link(near: NearSpans, all: boolean): boolean {
    const open = this.#open;
    for (let at = 0; at < near.count; at += 1)
      this.#goldTimes[near.gold[at]!] = this.#predictedTimes[near.predicted[at]!] = 0;
    for (let at = 0; at < near.count; at += 1) {
      const isOpen = this.#isOpen(near, at);
      open[at] = isOpen ? near.iou[at]! : 0;
      if (!isOpen) continue;
      this.#goldTimes[near.gold[at]!]! += 1;
      this.#predictedTimes[near.predicted[at]!]! += 1;
    }
    let hasRivals = false;
    for (let at = 0; at < near.count; at += 1) {
      if (open[at] === 0) continue;
      if (this.#isAlone(near, at)) this.#linkAt(near, at);
      else hasRivals = true;
    }
    if (hasRivals && all)
      for (const at of this.#bestOfGold(near, open, 0.5) ?? this.#assigned(near, open, 'optimal', 0.5))
        this.#linkAt(near, at);
    return !hasRivals;
  }

  #isOpen(near: NearSpans, at: number): boolean {
    return this.gold[near.gold[at]!] === FREE && this.predicted[near.predicted[at]!] === FREE;
  }

  #linkAt(near: NearSpans, at: number): void {
    this.linkedGold[near.gold[at]!] = this.linkedPredicted[near.predicted[at]!] = at;
  }

  /** Whether the near pair was accepted and only not chosen. */
  isAccepted(near: number): boolean {
    return this.#accepted[near]! > 0;
  }

  #take(near: NearSpans, at: number): void {
    const g = near.gold[at]!;
    const p = near.predicted[at]!;
    this.gold[g] = p;
    this.predicted[p] = g;
    this.similarity[g] = this.#accepted[at]!;
  }

  /** Of equally close candidates the first; one that was not accepted counts by its overlap where the similarity is 0. */
  findClosest(scheme: SpanScheme, near: NearSpans): void {
    const closeness = (at: number): number => similarityOf(scheme.similarity, near.iou[at]!) || near.iou[at]!;
    for (let at = 0; at < near.count; at += 1) {
      const g = near.gold[at]!;
      const p = near.predicted[at]!;
      if (this.gold[g] === FREE && (this.closestGold[g] === FREE || closeness(at) > closeness(this.closestGold[g]!)))
        this.closestGold[g] = at;
      if (
        this.predicted[p] === FREE &&
        (this.closestPredicted[p] === FREE || closeness(at) > closeness(this.closestPredicted[p]!))
      )
        this.closestPredicted[p] = at;
    }
  }

  #clear(golds: number, predicteds: number, near: number): void {
    if (golds > this.gold.length) {
      this.similarity = new Float64Array(golds * 2);
      for (const list of ['gold', 'closestGold', 'linkedGold'] as const) this[list] = new Int32Array(golds * 2);
      this.#goldTimes = new Int32Array(golds * 2);
    }
    if (predicteds > this.predicted.length) {
      for (const list of ['predicted', 'closestPredicted', 'linkedPredicted'] as const)
        this[list] = new Int32Array(predicteds * 2);
      this.#predictedTimes = new Int32Array(predicteds * 2);
    }
    if (near > this.#accepted.length) {
      this.#accepted = new Float64Array(near * 2);
      this.#open = new Float64Array(near * 2);
    }
    this.gold.fill(FREE, 0, golds);
    this.closestGold.fill(FREE, 0, golds);
    this.linkedGold.fill(FREE, 0, golds);
    this.#goldTimes.fill(0, 0, golds);
    this.predicted.fill(FREE, 0, predicteds);
    this.closestPredicted.fill(FREE, 0, predicteds);
    this.linkedPredicted.fill(FREE, 0, predicteds);
    this.#predictedTimes.fill(0, 0, predicteds);
  }
}

/** Of two spans with such an overlap. */
function similarityOf(way: SpanScheme['similarity'], overlap: number): number {
  return way === 'iou' || overlap === 1 ? overlap : 0;
}
