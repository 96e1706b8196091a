import type { Verdict } from '../judge/verdict.ts';
import { type Measure, ratio, type ZeroDivision } from './measure.ts';

export interface EntityScope {
  /** The gold field that says which mentions are of one entity. */
  readonly group: string;
  /** Only mentions whose field has one of these values (`identifier_type: [DIRECT]`). */
  readonly field: string | null;
  readonly values: readonly string[];
}

/**
 * entity recall = entities of which every mention was hit / entities; higher is better. One mention left in the text
 * gives the person away, so a redaction protects an entity wholly or not at all (Pilán et al. 2022, Text Anonymization
 * Benchmark). Mentions that left before pairing stay out; those
 * that a rule excused count as not masked, since they can still be read. Undefined when no gold item names its entity.
 */
export function entityRecall(name: string, scope: EntityScope, zeroDivision: ZeroDivision): Measure {
  const key = `${scope.group}:${scope.field ?? ''}=${scope.values.join('|')}`;
  const entities = (verdicts: readonly Verdict[]): Map<string, boolean> => {
    const masked = new Map<string, boolean>();
    for (const v of verdicts) {
      if (v.gold === null || v.setAside) continue;
      const entity = v.gold.fields[scope.group];
      if (typeof entity !== 'string' && typeof entity !== 'number') continue;
      if (scope.field !== null && !scope.values.includes(String(v.gold.fields[scope.field]))) continue;
      const id = String(entity);
      masked.set(id, (masked.get(id) ?? true) && v.verdict === 'hit');
    }
    return masked;
  };
  const counted = (verdicts: readonly Verdict[], count: (masked: readonly boolean[]) => number): number | null => {
    const found = [...entities(verdicts).values()];
    return found.length === 0 ? null : count(found);
  };
  const total = {
    key: `entities:${key}`,
    ofCase: (verdicts: readonly Verdict[]) => counted(verdicts, (all) => all.length),
  };
  const masked = {
    key: `entities-masked:${key}`,
    ofCase: (verdicts: readonly Verdict[]) => counted(verdicts, (all) => all.filter(Boolean).length),
  };
  return {
    name,
    about: 'entities of which every mention was found / entities',
    direction: 'higher',
    range: [0, 1],
    counters: [],
    caseCounters: [total, masked],
    proportion: true,
    byLabel: false,
    byCase: true,
    value: (sums) =>
      ratio(
        sums.get(masked.key),
        sums.get(total.key),
        sums.get(total.key),
        `no gold item has ${scope.group}${scope.field === null ? '' : ` with ${scope.field} ${scope.values.join(' or ')}`}`,
        zeroDivision,
      ),
  };
}
