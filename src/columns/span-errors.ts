import type { SpanCase } from '../data/span-case.ts';
import { END, LABEL, type SpanList, START } from '../data/span-list.ts';
import { ERROR_TYPES, type ErrorType } from '../judge/error-type.ts';
import { compareText } from '../text/compare.ts';
import { arePlacedAlike, commonOf, isInside, NearOrder } from './span-likeness.ts';
import type { NearSpans, SpanPairing, SpanScheme } from './span-pairs.ts';

/** The number of a type in columns: its place in ERROR_TYPES plus 1, 0 being no error. */
function typeNumber(type: ErrorType): number {
  return ERROR_TYPES.indexOf(type) + 1;
}

const [BOUNDARY, TYPE, BOTH, DUPLICATE] = [
  typeNumber('boundary'),
  typeNumber('type'),
  typeNumber('both'),
  typeNumber('duplicate'),
];
const [SPLIT, MERGED, MISSED, SPURIOUS] = [
  typeNumber('split'),
  typeNumber('merged'),
  typeNumber('missed'),
  typeNumber('spurious'),
];
/** A further piece beside what was found, unless it turns out to be a duplicate. */
const FURTHER = 255;
const FREE = -1;
const NONE = -1;

/** The errors of one side of a case while they are given their types, and the errors of the other side inside each. */
class SideErrors {
  types = new Uint8Array(64);
  /** Pieces of its label in each: the near pair of one of them, how many, and how much of them is common to both. */
  piece = new Int32Array(64);
  pieces = new Int32Array(64);
  overlap = new Float64Array(64);
  /** Pieces that are part of a hit: how many, where the first of them ends and the last begins. */
  hits = new Int32Array(64);
  firstEnd = new Int32Array(64);
  lastStart = new Int32Array(64);

  clear(count: number): void {
    if (count > this.types.length) {
      this.types = new Uint8Array(count * 2);
      this.overlap = new Float64Array(count * 2);
      for (const list of ['piece', 'pieces', 'hits', 'firstEnd', 'lastStart'] as const)
        this[list] = new Int32Array(count * 2);
    }
    this.types.fill(0, 0, count);
  }

  clearPieces(count: number): void {
    this.piece.fill(NONE, 0, count);
    this.pieces.fill(0, 0, count);
    this.overlap.fill(0, 0, count);
    this.hits.fill(0, 0, count);
  }

  /** Returns the piece before. */
  addPiece(whole: number, near: number, overlap: number): number {
    const before = this.piece[whole]!;
    this.piece[whole] = near;
    this.pieces[whole]! += 1;
    this.overlap[whole]! += overlap;
    return before;
  }

  addHit(whole: number, start: number, end: number): void {
    const isFirst = this.hits[whole] === 0;
    if (isFirst || end < this.firstEnd[whole]!) this.firstEnd[whole] = end;
    if (isFirst || start > this.lastStart[whole]!) this.lastStart[whole] = start;
    this.hits[whole]! += 1;
  }

  isGroup(whole: number): boolean {
    return this.pieces[whole]! + this.hits[whole]! > 1;
  }
}

/** What `errorTypes` gives for the verdicts of a case of plain spans, in columns; the lists are used again for the next. */
export class SpanErrors {
  /** By missed gold span, the near pair in which it was put together with one spurious prediction; -1 for none. */
  partner = new Int32Array(64);
  readonly #golds = new SideErrors();
  readonly #predicteds = new SideErrors();
  /** The near pairs of two errors. */
  #open = new Int32Array(64);
  #count = 0;
  /** By near pair, the next piece of the same whole. */
  #nextInGold = new Int32Array(64);
  #nextInPredicted = new Int32Array(64);

  /** The type of each gold span's error, as its place in ERROR_TYPES plus 1; 0 for none. A hit has its own on both sides. */
  get gold(): Uint8Array {
    return this.#golds.types;
  }

  get predicted(): Uint8Array {
    return this.#predicteds.types;
  }

  /** `isSimple`: no error overlaps more than one other. */
  find(given: SpanCase, near: NearSpans, pairing: SpanPairing, scheme: SpanScheme, isSimple: boolean): void {
    const { gold, predicted } = given.spans;
    this.#clear(gold.count, predicted.count, near.count);
    const hits = this.#markHits(gold, predicted, pairing, scheme.partial);
    if (hits === gold.count && hits === predicted.count) return;
    for (let at = 0; at < near.count; at += 1)
      if (pairing.gold[near.gold[at]!] === FREE && pairing.predicted[near.predicted[at]!] === FREE)
        this.#open[this.#count++] = at;
    if (!isSimple) {
      const order = new NearOrder(given, near);
      this.#open.set(Array.from(this.#open.subarray(0, this.#count)).sort((a, b) => order.compare(a, b)));
    }
    if (this.#count > 0) {
      this.#oneToOne(gold, predicted, near, true);
      this.#markPieces(gold, predicted, near, pairing);
      this.#oneToOne(gold, predicted, near, false);
    }
    this.#markRepeats(gold, predicted, near, pairing);
    finish(this.gold, pairing.gold, gold.count, MISSED, MERGED);
    finish(this.predicted, pairing.predicted, predicted.count, SPURIOUS, SPLIT);
  }

  #clear(golds: number, predicteds: number, near: number): void {
    this.#count = 0;
    this.#golds.clear(golds);
    this.#predicteds.clear(predicteds);
    if (golds > this.partner.length) this.partner = new Int32Array(golds * 2);
    this.partner.fill(NONE, 0, golds);
    if (near <= this.#open.length) return;
    this.#open = new Int32Array(near * 2);
    this.#nextInGold = new Int32Array(near * 2);
    this.#nextInPredicted = new Int32Array(near * 2);
  }

  /** Hits that lack credit, which are not at one place; returns how many hits there are. */
  #markHits(gold: SpanList, predicted: SpanList, pairing: SpanPairing, partial: number): number {
    let hits = 0;
    for (let g = 0; g < gold.count; g += 1) {
      const p = pairing.gold[g]!;
      if (p < 0) continue;
      hits += 1;
      if (partial < 1 && pairing.similarity[g]! < 1)
        this.gold[g] = this.predicted[p] = gold.get(g, LABEL) === predicted.get(p, LABEL) ? BOUNDARY : BOTH;
    }
    return hits;
  }

  /** Pairs that are open on both sides, each span in one, the largest overlap first; with `isEqual` those alike in all. */
  #oneToOne(gold: SpanList, predicted: SpanList, near: NearSpans, isEqual: boolean): void {
    for (let place = 0; place < this.#count; place += 1) {
      const at = this.#open[place]!;
      const g = near.gold[at]!;
      const p = near.predicted[at]!;
      if (this.gold[g] !== 0 || this.predicted[p] !== 0) continue;
      const isSameLabel = gold.get(g, LABEL) === predicted.get(p, LABEL);
      const isSame = near.iou[at] === 1;
      if (isEqual && !(isSame && isSameLabel)) continue;
      this.gold[g] = this.predicted[p] = isSame ? TYPE : isSameLabel ? BOUNDARY : BOTH;
      this.partner[g] = at;
    }
  }

  /** Gold that was found in pieces, and pieces of gold that were found as one: the largest group first. */
  #markPieces(gold: SpanList, predicted: SpanList, near: NearSpans, pairing: SpanPairing): void {
    const golds = this.#golds;
    const predicteds = this.#predicteds;
    golds.clearPieces(gold.count);
    predicteds.clearPieces(predicted.count);
    for (let place = 0; place < this.#count; place += 1) {
      const at = this.#open[place]!;
      const g = near.gold[at]!;
      const p = near.predicted[at]!;
      if (gold.get(g, LABEL) !== predicted.get(p, LABEL)) continue;
      if (isInside(predicted, p, gold, g)) this.#nextInGold[at] = golds.addPiece(g, at, near.iou[at]!);
      if (isInside(gold, g, predicted, p)) this.#nextInPredicted[at] = predicteds.addPiece(p, at, near.iou[at]!);
    }
    // Of hits alone no group is made.
    for (let at = 0; at < near.count; at += 1) {
      const g = near.gold[at]!;
      const p = near.predicted[at]!;
      const ofGold = golds.pieces[g]! > 0 && pairing.predicted[p] !== FREE;
      const ofPredicted = predicteds.pieces[p]! > 0 && pairing.gold[g] !== FREE;
      if (!(ofGold || ofPredicted) || gold.get(g, LABEL) !== predicted.get(p, LABEL)) continue;
      if (ofGold && isInside(predicted, p, gold, g)) golds.addHit(g, predicted.get(p, START), predicted.get(p, END));
      if (ofPredicted && isInside(gold, g, predicted, p)) predicteds.addHit(p, gold.get(g, START), gold.get(g, END));
    }
    // Each by the place of its whole; those whose whole is predicted from -1 down.
    const groups: number[] = [];
    for (let place = 0; place < this.#count; place += 1) {
      const at = this.#open[place]!;
      const g = near.gold[at]!;
      const p = near.predicted[at]!;
      if (golds.piece[g] === at && golds.isGroup(g)) groups.push(g);
      if (predicteds.piece[p] === at && predicteds.isGroup(p)) groups.push(~p);
    }
    if (groups.length > 1) groups.sort((a, b) => this.#largestFirst(gold, predicted, pairing, a, b));
    for (const group of groups)
      if (group >= 0) markGroup(SPLIT, group, golds, predicteds, predicted, near.predicted, this.#nextInGold);
      else markGroup(MERGED, ~group, predicteds, golds, gold, near.gold, this.#nextInPredicted);
  }

  #largestFirst(gold: SpanList, predicted: SpanList, pairing: SpanPairing, a: number, b: number): number {
    const [one, other] = [a < 0 ? this.#predicteds : this.#golds, b < 0 ? this.#predicteds : this.#golds];
    const [spans, others] = [a < 0 ? predicted : gold, b < 0 ? predicted : gold];
    const [at, place] = [a < 0 ? ~a : a, b < 0 ? ~b : b];
    const label = compareText(spans.labels[spans.get(at, LABEL)]!, others.labels[others.get(place, LABEL)]!);
    const errorsBefore = (group: number): number =>
      (group < 0 ? pairing.predicted : pairing.gold)
        .subarray(0, group < 0 ? ~group : group)
        .reduce((sum, partner) => sum + Number(partner === FREE), 0);
    return (
      other.pieces[place]! - one.pieces[at]! ||
      other.hits[place]! - one.hits[at]! ||
      Math.round(other.overlap[place]! * 1e9) - Math.round(one.overlap[at]! * 1e9) ||
      spans.get(at, START) - others.get(place, START) ||
      spans.get(at, END) - others.get(place, END) ||
      label ||
      errorsBefore(a) - errorsBefore(b) ||
      b - a
    );
  }

  /** Errors that lie where a hit is: duplicates of it, or further pieces of what it is a piece of. */
  #markRepeats(gold: SpanList, predicted: SpanList, near: NearSpans, pairing: SpanPairing): void {
    for (let at = 0; at < near.count; at += 1) {
      const g = near.gold[at]!;
      const p = near.predicted[at]!;
      const partnerOfGold = pairing.gold[g]!;
      const partnerOfPredicted = pairing.predicted[p]!;
      if (partnerOfGold >= 0 === partnerOfPredicted >= 0) continue;
      if (partnerOfGold >= 0) markRepeat(this.predicted, predicted, p, partnerOfGold, gold, g);
      else markRepeat(this.gold, gold, g, partnerOfPredicted, predicted, p);
    }
  }
}

/** Marks a whole and those of its pieces that have no type yet, if two of them have nothing in common. */
function markGroup(
  type: number,
  whole: number,
  own: SideErrors,
  other: SideErrors,
  spans: SpanList,
  pieceOf: Int32Array,
  next: Int32Array,
): void {
  if (own.types[whole] !== 0) return;
  let firstEnd = own.hits[whole]! > 0 ? own.firstEnd[whole]! : Infinity;
  let lastStart = own.hits[whole]! > 0 ? own.lastStart[whole]! : -Infinity;
  let open = 0;
  for (let at = own.piece[whole]!; at !== NONE; at = next[at]!) {
    const piece = pieceOf[at]!;
    if (other.types[piece] !== 0) continue;
    open += 1;
    firstEnd = Math.min(firstEnd, spans.get(piece, END));
    lastStart = Math.max(lastStart, spans.get(piece, START));
  }
  if (open === 0 || firstEnd > lastStart) return;
  own.types[whole] = type;
  for (let at = own.piece[whole]!; at !== NONE; at = next[at]!)
    if (other.types[pieceOf[at]!] === 0) other.types[pieceOf[at]!] = type;
}

/** `partner` is the half of the hit on the error's own side, `whole` the other half, in which the error lies. */
function markRepeat(
  types: Uint8Array,
  own: SpanList,
  at: number,
  partner: number,
  others: SpanList,
  whole: number,
): void {
  if (types[at] !== 0 && types[at] !== FURTHER) return;
  const isIn = isInside(own, at, others, whole);
  if (arePlacedAlike(own, at, others, whole) || arePlacedAlike(own, at, own, partner)) types[at] = DUPLICATE;
  else if (own.get(at, LABEL) !== others.get(whole, LABEL) || !(isIn || isInside(others, whole, own, at))) return;
  else if (commonOf(own, at, own, partner) > 0) types[at] = DUPLICATE;
  else if (isIn) types[at] = FURTHER;
}

/** What is near nothing, and what stayed a further piece. */
function finish(types: Uint8Array, partners: Int32Array, count: number, alone: number, further: number): void {
  for (let at = 0; at < count; at += 1)
    if (partners[at] === FREE)
      if (types[at] === 0) types[at] = alone;
      else if (types[at] === FURTHER) types[at] = further;
}
