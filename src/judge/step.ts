import type { Case } from '../data/case.ts';
import type { Verdict } from './verdict.ts';

/** What a rule of `judge` becomes: the verdicts so far in, the verdicts after it out. */
export type JudgeStep = (verdicts: readonly Verdict[], given: Case) => readonly Verdict[];

/** Changes the verdicts that a test picks; the list stays the same object when none was. */
export function changeWhere(verdicts: readonly Verdict[], change: (verdict: Verdict) => Verdict): readonly Verdict[] {
  let out: Verdict[] | null = null;
  for (let at = 0; at < verdicts.length; at += 1) {
    const verdict = verdicts[at]!;
    const changed = change(verdict);
    if (changed !== verdict && out === null) out = verdicts.slice(0, at);
    out?.push(changed);
  }
  return out ?? verdicts;
}
