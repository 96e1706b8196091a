import type { Gate } from '../compare/gate/judge-gate.ts';
import { shownCases } from './gate-cases.ts';
import { safeJson } from './safe-json.ts';
import { countsOf, demandText, gateNotices, nextText, whyText } from './gate-words.ts';

/** The gate as JSON for other programs, with the sentences that a person would be shown. Safe to print. */
export function gateJson(gate: Gate): string {
  const { run, compared } = gate;
  const { inconclusive: cannotTell, ...counts } = countsOf(gate);
  const value = {
    verdict: gate.verdict,
    counts: { ...counts, cannotTell },
    rules: gate.rules.file,
    run: { folder: run.folder, signature: run.manifest.signature, cases: run.measures.cases },
    baseline:
      gate.baseline === null ? null : { folder: gate.baseline, signature: compared?.systems[0]?.signature ?? null },
    notices: gateNotices(gate),
    checks: gate.checks.map((check) => ({
      rule: check.rule.number,
      line: check.rule.line,
      demand: demandText(check),
      measure: check.rule.measure,
      slice: check.slice,
      verdict: check.verdict,
      reason: check.reason.kind,
      ...check.found,
      why: whyText(check),
      next: nextText(check),
    })),
    cases: gate.cases.map((list) => {
      const { title, command } = shownCases(list, run.folder, list.cases.length);
      return { title, ...list, command };
    }),
  };
  // A runner of GitHub takes ##[ for a command.
  return safeJson(value).replaceAll('##[', '#\\u0023[');
}
