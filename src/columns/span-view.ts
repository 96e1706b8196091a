import type { SpanCase } from '../data/span-case.ts';
import { END, INDEX, LABEL, type SpanList, START } from '../data/span-list.ts';
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
  hits = 0;
  /** The cells of the verdicts, in the order of these: hits, missed, spurious. */
  cells = new Int32Array(64);
  /** Labels by their numbers. */
  labels: readonly string[] = [];
  #given!: SpanCase;
  #near!: SpanScoring['near'];
  readonly #said: HashState[] = [];
  readonly #hash = new ContentHash();

  /** Takes the next case; false for one whose labels have other numbers than those before. */
  look(given: SpanCase, scoring: SpanScoring): boolean {
    const { gold, predicted } = given.spans;
    if (this.labels.length === 0) this.labels = gold.labels;
    if (this.labels !== gold.labels) return false;
    scoring.pair(given);
    this.#given = given;
    this.case = given.id;
    this.gold = gold;
    this.predicted = predicted;
    this.own = scoring.schemes[0]!;
    this.#near = scoring.near;
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

  get text(): string {
    return this.#given.text;
  }

  /** The text of a span. */
  slice(spans: SpanList, at: number): string {
    return this.text.slice(spans.get(at, START), spans.get(at, END));
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

  /** Whether two spans overlap about as much as the threshold, paired or not. */
  hasPairAround(threshold: number, within: number): boolean {
    const { count, iou } = this.#near;
    for (let at = 0; at < count; at += 1) if (Math.abs(iou[at]! - threshold) <= within) return true;
    return false;
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
