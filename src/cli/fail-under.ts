import { UsageError } from '../plugin.ts';
import type { GateCheck, ValueLimit } from '../index.ts';
import { gateOutcome } from '../report.ts';
import { writeError } from './command.ts';
import * as flag from './flags.ts';

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

export function refuseTwice(limits: readonly ValueLimit[]): void {
  const names = limits.map(({ measure }) => measure);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new UsageError(`--fail-under ${twice}: given twice`, 'give each measure one limit');
}

/** Errors are shown even if nothing else is. */
export function writeMissed(checks: readonly GateCheck[], system: string | null): void {
  for (const { demand, why } of gateOutcome({ verdict: 'failed', checks }).notPassed)
    writeError(`${system === null ? '' : `${system}: `}${demand}: ${why}`);
}
