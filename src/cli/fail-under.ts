import { renderTerminal, UsageError } from '../plugin.ts';
import type { Plan, Run, ValueLimit } from '../index.ts';
import { type Terminal, writeError } from './command.ts';
import * as flag from './flags.ts';
import { EXIT } from './group.ts';

const EXAMPLE = '--fail-under f1=0.8,recall=0.7';

/** `f1=0.8,recall=0.7`, repeatable. */
export const FAIL_UNDER = flag.parsed<readonly ValueLimit[], readonly ValueLimit[]>(
  '<measure=value,…>',
  'exit code 1 if a measure is worse than this: below it, or above it if lower is better; repeatable',
  (written, name) => written.split(',').map((part) => limitOf(part, name)),
  [],
);

function limitOf(part: string, name: string): ValueLimit {
  const at = part.indexOf('=');
  const [measure, value] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  if (at < 1 || measure === '')
    throw new UsageError(`${name} ${part}: expected measure=value`, `for example ${EXAMPLE}`);
  const limit = value === '' ? NaN : Number(value);
  if (Number.isFinite(limit)) return { measure, limit };
  const share = /^\d+(?:\.\d+)? ?%$/.test(value) ? Number.parseFloat(value) / 100 : null;
  throw new UsageError(
    `${name} ${part}: expected a number after =`,
    share === null ? `for example ${EXAMPLE}` : `did you mean ${measure}=${share}?`,
  );
}

/**
 * Before anything is scored. Without a plan, which measures there are is known once reviews or conversations are read.
 * What judges limits is half of `assay gate`, which a call without them need not load.
 */
export async function refuseLimits(limits: readonly ValueLimit[], plan: Plan | null): Promise<void> {
  const names = limits.map(({ measure }) => measure);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new UsageError(`--fail-under ${twice}: given twice`, 'give each measure one limit');
  if (plan === null || limits.length === 0) return;
  const { limitRules } = await import('../pipeline.ts');
  limitRules(limits, plan.measures);
}

/** The exit code by the limits, if some were given. */
export async function judgeRun(
  run: Run,
  system: string | null,
  { failUnder, quiet }: { readonly failUnder: readonly ValueLimit[]; readonly quiet: boolean },
  { print, style }: Terminal,
): Promise<number> {
  if (failUnder.length === 0) return EXIT.done;
  const { judgeLimits } = await import('../pipeline.ts');
  const { gateOutcome, limitDocument } = await import('../report.ts');
  const checks = judgeLimits(run, failUnder);
  print(`\n${renderTerminal(limitDocument(checks, system), style)}`);
  // Errors are shown even if nothing else is.
  if (quiet)
    for (const { demand, why } of gateOutcome({ verdict: 'failed', checks }).notPassed)
      writeError(`${system === null ? '' : `${system}: `}${demand}: ${why}`);
  return checks.some(({ verdict }) => verdict === 'failed') ? EXIT.gateFailed : EXIT.done;
}
