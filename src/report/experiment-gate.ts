import type { GateOutcome } from '../experiment/summary.ts';
import type { Gate } from '../compare/gate/judge-gate.ts';
import { countsText } from './gate-summary.ts';
import { demandText, whyText } from './gate-words.ts';

/** What a summary says of a gate: its verdict and the checks that were not passed. */
export function gateOutcome(gate: Pick<Gate, 'verdict' | 'checks'>): GateOutcome {
  return {
    verdict: gate.verdict,
    counts: countsText(gate),
    notPassed: gate.checks
      .filter(({ verdict }) => verdict === 'failed' || verdict === 'inconclusive')
      .map((check) => ({ verdict: check.verdict, demand: demandText(check), why: whyText(check) })),
  };
}
