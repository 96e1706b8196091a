import type { Verdict, VerdictKind } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';

/** How many verdicts each rule made: where a score comes from. */
export interface RuleCount {
  readonly scheme: string | null;
  readonly kind: string;
  readonly verdict: VerdictKind;
  readonly rule: string;
  readonly label: string;
  readonly n: number;
}

export class RuleCounts {
  readonly #counts = new Map<string, { verdict: Verdict; n: number }>();
  readonly #last: { key: Verdict | null; held: { verdict: Verdict; n: number } | null } = { key: null, held: null };

  add(verdict: Verdict): void {
    const { key, held } = this.#last;
    // Neighbouring verdicts are mostly alike; asking the last one first saves most of the look-ups.
    if (
      held !== null &&
      key !== null &&
      key.verdict === verdict.verdict &&
      key.rule === verdict.rule &&
      key.label === verdict.label &&
      key.kind === verdict.kind &&
      key.scheme === verdict.scheme
    ) {
      held.n += verdict.weight;
      return;
    }
    const name = `${verdict.scheme ?? ''}\u0000${verdict.kind}\u0000${verdict.verdict}\u0000${verdict.rule}\u0000${verdict.label}`;
    let found = this.#counts.get(name);
    if (found === undefined) {
      found = { verdict, n: 0 };
      this.#counts.set(name, found);
    }
    found.n += verdict.weight;
    this.#last.key = verdict;
    this.#last.held = found;
  }

  list(): RuleCount[] {
    return [...this.#counts.entries()]
      .sort(([a], [b]) => compareText(a, b))
      .map(([, { verdict, n }]) => ({
        scheme: verdict.scheme,
        kind: verdict.kind,
        verdict: verdict.verdict,
        rule: verdict.rule,
        label: verdict.label,
        n,
      }));
  }
}
