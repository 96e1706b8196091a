import { callCustom, customFailure, type Definition, describeDefinition } from '../recipe/definition.ts';
import type { AuditCheck, CheckResult, OpenCheck, OpenContext } from './check.ts';

/** Of a custom check, what reports and acceptances go by. */
type CheckInit = Omit<AuditCheck, 'open'> & { open?(context: Pick<OpenContext, 'keep'>): OpenCheck };

/**
 * A custom check for the audit: `open` looks at cases, verdicts or items as they pass and reports at the end, or
 * `find` looks at the finished run only. No finding: null.
 *
 * What a check remembers from one case to the next goes through `keep`, so that cases can be scored in shards and merged:
 * numbers add up, lists follow each other, maps and sets are joined, and what is true, or not null, stays so. A check
 * that looks at cases and keeps nothing works in one run and cannot be merged.
 *
 * @example defineCheck({ name: 'no-dates', about: 'dates that were never predicted', open({ keep }) {
 *   const seen = keep({ dates: 0 });
 *   return { item: ({ label }, side) => void (seen.dates += Number(side === 'predicted' && label === 'DATE')),
 *     find: () => (seen.dates > 0 ? null : { severity: 'warning', title: 'no date was predicted', why: '…', todo: '…' }) };
 * } })
 */
export function defineCheck(init: CheckInit): Definition {
  const { name } = init;
  const guarded = <Args extends unknown[], T>(look: (...args: Args) => T): ((...args: Args) => T) => {
    return (...args) => callCustom(`check ${name}`, '', () => look(...args));
  };
  const check: AuditCheck = {
    ...init,
    open({ keep }) {
      const own: OpenCheck = callCustom(`check ${name}`, '', () => init.open?.({ keep })) ?? {
        find: (material): CheckResult | Promise<CheckResult> => init.find?.(material) ?? null,
      };
      return {
        ...(own.case === undefined ? {} : { case: guarded(own.case) }),
        ...(own.verdict === undefined ? {} : { verdict: guarded(own.verdict) }),
        ...(own.item === undefined ? {} : { item: guarded(own.item) }),
        // A promise that fails is the user's to fix, too.
        find: async (material) => {
          try {
            return await own.find(material);
          } catch (error) {
            throw customFailure(`check ${name}`, '', error);
          }
        },
      };
    },
  };
  return { ...describeDefinition('check', init), check };
}

export function customChecks(definitions: readonly Definition[]): AuditCheck[] {
  return definitions.flatMap((one) => (one.defines === 'check' && isCheck(one.check) ? [one.check] : []));
}

function isCheck(value: object): value is AuditCheck {
  return 'name' in value && 'open' in value;
}
