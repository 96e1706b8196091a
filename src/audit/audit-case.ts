import { SpanView } from '../columns/span-view.ts';
import { END, LABEL, SPAN_WIDTH, type SpanList } from '../data/span-list.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { CaseResult } from '../measure/results.ts';
import type { ScoredCase } from '../score/score.ts';

/** One case as every check sees it, the same while scoring and when a run folder is read again. */
export interface AuditCase extends Omit<CaseResult, 'kinds'> {
  /** null where the files give none or are not at hand. */
  readonly text: string | null;
  /**
   * Under the recipe's own pairing. Places of items are UTF-16 offsets into `text`; without a text they are in
   * the unit of the files. What the ledger does not hold is in neither: the item of `rejected` has no place.
   */
  readonly verdicts: readonly Verdict[];
}

/**
 * A case of plain spans in columns. All spans are in place, have the text that stands there and count 1; none was set
 * aside or excused, and the case has an answer.
 */
export class AuditSpans extends SpanView {
  measures: CaseResult['measures'] = {};
  /** Whether no two labels are alike but for upper and lower case. */
  areLabelsPlain = true;
  #scored!: ScoredCase;
  #whole: AuditCase | null = null;
  readonly #folded = new Set<string>();

  /** Takes the next case; false for one that is none of these. */
  open(scored: ScoredCase): boolean {
    const { spans } = scored;
    if (spans === undefined || !this.look(spans.given, spans.scoring)) return false;
    this.measures = spans.result.measures;
    this.#scored = scored;
    this.#whole = null;
    // One new label after another; those of one kind of letters are plain until two are the same.
    for (let at = this.#folded.size; at < this.labels.length && this.areLabelsPlain; at += 1) {
      const folded = this.labels[at]!.toLowerCase();
      this.areLabelsPlain = folded.length === this.labels[at]!.length && !this.#folded.has(folded);
      this.#folded.add(folded);
    }
    return true;
  }

  /** With items and verdicts: for what cannot be told without them. */
  get whole(): AuditCase {
    const [variant] = this.#whole === null ? this.#scored.variants : [];
    return (this.#whole ??= { ...variant!.result, text: this.text, verdicts: variant!.verdicts });
  }

  get verdicts(): readonly Verdict[] {
    return this.whole.verdicts;
  }
}

/** How many spans of one list another has, with their label; each of these for one of them, or for all that are equal. */
export function countEqualSpans(spans: SpanList, among: SpanList, isEachOnce: boolean): number {
  const { numbers: own } = spans;
  const { numbers: others } = among;
  const [last, end] = [spans.from + spans.count * SPAN_WIDTH, among.from + among.count * SPAN_WIDTH];
  let [equals, first, before] = [0, among.from, 0];
  for (let at = spans.from; at < last; at += SPAN_WIDTH) {
    const start = own[at]!;
    while (first < end && (others[first]! - start || others[first + END]! - own[at + END]!) < 0) first += SPAN_WIDTH;
    // Equal ones stand side by side: so many of the other list were taken before.
    before = isEachOnce && at > spans.from && isEqual(own, at - SPAN_WIDTH, own, at) ? before + 1 : 0;
    let left = before;
    for (let other = first; other < end && others[other] === start; other += SPAN_WIDTH) {
      if (!isEqual(own, at, others, other)) continue;
      if (left === 0) {
        equals += 1;
        break;
      }
      left -= 1;
    }
  }
  return equals;
}

function isEqual(own: Int32Array, at: number, others: Int32Array, other: number): boolean {
  return (
    own[at] === others[other] && own[at + END] === others[other + END] && own[at + LABEL] === others[other + LABEL]
  );
}
