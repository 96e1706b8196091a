import { visible } from '../data/visible.ts';
import { type VerdictKind, VERDICTS } from '../judge/verdict.ts';
import type { CaseResult, TallyCases } from '../measure/results.ts';
import type { CaseTotals, RuleCount } from './run.ts';

/** Weights are summed in another order here. */
const ROUNDING = 1e-9;

/** Sums that can also be had from cases.jsonl. */
export interface StateSums {
  readonly cases: CaseTotals;
  readonly rules: readonly RuleCount[];
  readonly tally: TallyCases;
}

/**
 * Compares what shards added up to with the lines of their cases.jsonl. State and lines were written side by side, so a
 * state that contradicts them is damaged, or belongs to other cases.
 */
export class StateCheck {
  readonly #totals = { total: 0, failed: 0, unanswered: 0 };
  readonly #counts: Record<VerdictKind, number> = { hit: 0, missed: 0, spurious: 0, excused: 0 };
  /** Cases of the tally that have been compared, and the place of the next one. */
  #scored = 0;
  #place = 0;
  #origin: string | undefined;

  /** The first contradiction between a line and the sums that its case is among; null if they agree. */
  add(result: CaseResult, { tally }: StateSums): string | null {
    const { case: id, from, failed, failedAsEmpty, answered, measures } = result;
    for (const verdict of VERDICTS) this.#counts[verdict] += result.counts[verdict];
    // Variants of one case follow each other.
    if (from === undefined || from !== this.#origin) {
      this.#totals.total += 1;
      if (failed !== undefined || failedAsEmpty !== undefined) this.#totals.failed += 1;
      else if (answered === false) this.#totals.unanswered += 1;
    }
    this.#origin = from;
    if (failed !== undefined) return null;
    while (tally.leftOut.has(this.#place)) this.#place += 1;
    if (tally.ids[this.#place] !== id) return `its state has another case in place of ${visible(id)}`;
    for (const [name, values] of tally.values) {
      const [saved = NaN, written] = [values[this.#scored], measures[name] ?? NaN];
      if (saved !== written && !(Number.isNaN(saved) && Number.isNaN(written)))
        return `${name} of case ${visible(id)} is ${written} in cases.jsonl and ${saved} in its state`;
    }
    this.#place += 1;
    this.#scored += 1;
    return null;
  }

  /** The same for all lines so far, which are all cases of the sums. */
  end({ cases, rules, tally }: StateSums): string | null {
    for (const name of ['total', 'failed', 'unanswered'] as const)
      if (cases[name] !== this.#totals[name])
        return `its state counts ${cases[name]} cases (${name}), cases.jsonl ${this.#totals[name]}`;
    if (tally.ids.length !== this.#scored + tally.leftOut.size) return 'its state has other cases than cases.jsonl';
    for (const [name, values] of tally.values)
      if (values.length !== this.#scored) return `its state has ${name} of another number of cases`;
    const sums: Record<VerdictKind, number> = { hit: 0, missed: 0, spurious: 0, excused: 0 };
    for (const { scheme, verdict, n } of rules) if (scheme === null) sums[verdict] += n;
    for (const verdict of VERDICTS) {
      const [saved, written] = [sums[verdict], this.#counts[verdict]];
      if (!(Math.abs(saved - written) <= ROUNDING * Math.max(1, written)))
        return `its state counts ${saved} ${verdict}, cases.jsonl ${written}`;
    }
    return null;
  }
}
