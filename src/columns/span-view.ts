import { decodeUnits } from '../data/json-bytes.ts';
import type { SpanCase } from '../data/span-case.ts';
import { END, INDEX, LABEL, SPAN_WIDTH, type SpanList, START } from '../data/span-list.ts';
import { ContentHash, type HashState } from '../text/content-hash.ts';
import { goldCell, spuriousCell } from './span-counts.ts';
import type { SpanScoring } from './span-scoring.ts';

/** What is there of a case of plain spans without an item, a verdict or a text. One object for all cases in turn. */
export class SpanView {
  case = '';
  gold!: SpanList;
  predicted!: SpanList;
  /** Under the recipe's own pairing. */
  own!: SpanScoring['schemes'][number];
  /** The UTF-16 units of the text, and how many there are. */
  units = new Uint16Array(1 << 13);
  length = 0;
  hits = 0;
  /** The cells of the verdicts, in the order of these: hits, missed, spurious. */
  cells = new Int32Array(64);
  /** Labels by their numbers. */
  labels: readonly string[] = [];
  #given!: SpanCase;
  readonly #said: HashState[] = [];
  readonly #hash = new ContentHash();

  /** Takes the next case; false for one whose labels have other numbers than those before. */
  look(given: SpanCase, scoring: SpanScoring): boolean {
    const { gold, predicted, bytes, from, to } = given.spans;
    if (this.labels.length === 0) this.labels = gold.labels;
    if (this.labels !== gold.labels) return false;
    scoring.pair(given);
    this.#given = given;
    this.case = given.id;
    this.gold = gold;
    this.predicted = predicted;
    this.own = scoring.schemes[0]!;
    if (to - from > this.units.length) this.units = new Uint16Array(2 * (to - from));
    this.length = decodeUnits(bytes, from + 1, to - 1, this.units);
    this.#findCells();
    return true;
  }

  get missed(): number {
    return this.gold.count - this.hits;
  }

  /** Verdicts, and so cells. */
  get count(): number {
    return this.gold.count + this.predicted.count - this.hits;
  }

  readonly textOf = (): string => this.#given.text;

  /** The text of a span. */
  slice(spans: SpanList, at: number): string {
    return this.#given.text.slice(spans.get(at, START), spans.get(at, END));
  }

  labelOf(spans: SpanList, at: number): string {
    return this.labels[spans.get(at, LABEL)]!;
  }

  /** Where in a list the span is that the file has at a position. */
  placeOf(spans: SpanList, position: number): number {
    let at = 0;
    while (spans.get(at, INDEX) !== position) at += 1;
    return at;
  }

  /** The state of a hash of the kind of a span and its label. */
  said(spans: SpanList, at: number): HashState {
    const label = spans.get(at, LABEL);
    for (let next = this.#said.length; next <= label; next += 1) {
      this.#hash.reset('span', this.labels[next]!);
      this.#said.push(this.#hash.state);
    }
    return this.#said[label]!;
  }

  #findCells(): void {
    const { gold, predicted, own } = this;
    const { pairing } = own;
    if (this.cells.length < gold.count + predicted.count)
      this.cells = new Int32Array(2 * (gold.count + predicted.count));
    let n = 0;
    for (let g = 0; g < gold.count; g += 1) if (pairing.gold[g]! >= 0) this.cells[n++] = goldCell(own, gold, g);
    this.hits = n;
    for (let g = 0; g < gold.count; g += 1) if (pairing.gold[g]! < 0) this.cells[n++] = goldCell(own, gold, g);
    for (let p = 0; p < predicted.count; p += 1)
      if (pairing.predicted[p]! < 0) this.cells[n++] = spuriousCell(own, predicted, p);
  }
}

/** How many spans of one list another has, with their label; each of these for one of them, or for all that are equal. */
export function countEqualSpans(spans: SpanList, among: SpanList, isEachOnce: boolean): number {
  const { numbers: own } = spans;
  const { numbers: others } = among;
  const end = among.from + among.count * SPAN_WIDTH;
  let found = 0;
  let first = among.from;
  let equal = 0;
  for (let at = spans.from; at < spans.from + spans.count * SPAN_WIDTH; at += SPAN_WIDTH) {
    while (first < end && (others[first]! - own[at]! || others[first + END]! - own[at + END]!) < 0) first += SPAN_WIDTH;
    // Equal ones stand side by side.
    equal = at > spans.from && isSame(own, at - SPAN_WIDTH, own, at, LABEL) ? equal + 1 : 0;
    let before = isEachOnce ? equal : 0;
    for (let other = first; other < end && isSame(own, at, others, other, END); other += SPAN_WIDTH) {
      if (own[at + LABEL] !== others[other + LABEL]) continue;
      before -= 1;
      if (before >= 0) continue;
      found += 1;
      break;
    }
  }
  return found;
}

/** Whether two spans are the same in what is known of them, up to `last` of it. */
function isSame(own: Int32Array, at: number, others: Int32Array, other: number, last: number): boolean {
  for (let what = START; what <= last; what += 1) if (own[at + what] !== others[other + what]) return false;
  return true;
}
