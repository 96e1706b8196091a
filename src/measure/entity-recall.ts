import type { Verdict } from '../judge/verdict.ts';
import { isNeedless, type NeedlessGold } from '../pair/cover.ts';
import { type Measure, ratio, type ZeroDivision } from './measure.ts';

export interface EntityScope {
  /** The gold field that says which mentions are of one entity. */
  readonly group: string;
  /** Only mentions whose field has one of these values (`identifier_type: [DIRECT]`). */
  readonly field: string | null;
  readonly values: readonly string[];
  /** Whether each mention is asked for its value, or the first one of the entity decides for all; each, unless given. */
  readonly decides?: 'each' | 'first' | undefined;
  /** Mentions with such a value need not be hit. */
  readonly needless?: NeedlessGold | undefined;
}

/**
 * entity recall = entities of which every mention was hit / entities; higher is better. One mention left in the text
 * gives the person away, so a redaction protects an entity wholly or not at all (Pilán et al. 2022, Text Anonymization
 * Benchmark). Mentions that left before pairing stay out; those
 * that a rule excused count as not masked, since they can still be read. Undefined when no gold item names its entity.
 * Example: "Ann" twice and "Bo" once, one "Ann" left standing: 1 / 2.
 */
export function entityRecall(name: string, scope: EntityScope, zeroDivision: ZeroDivision): Measure {
  const { group, field, values, decides = 'each', needless = null } = scope;
  const key = `${group}:${field ?? ''}=${values.join('|')}:${decides}:${JSON.stringify(needless)}`;
  const isWanted = ({ gold }: Verdict): boolean => field === null || values.includes(String(gold?.fields[field]));
  const entities = (verdicts: readonly Verdict[]): Map<string, boolean> => {
    const mentions = new Map<string, Verdict[]>();
    for (const v of verdicts) {
      const entity = v.gold === null || v.setAside ? null : v.gold.fields[group];
      if (typeof entity !== 'string' && typeof entity !== 'number') continue;
      const known = mentions.get(String(entity));
      if (known === undefined) mentions.set(String(entity), [v]);
      else known.push(v);
    }
    const masked = new Map<string, boolean>();
    for (const [id, all] of mentions) {
      const first = all.reduce((a, b) => (indexOf(b) < indexOf(a) ? b : a));
      const asked = decides === 'each' ? all.filter(isWanted) : isWanted(first) ? all : [];
      const isMasked = (v: Verdict): boolean =>
        v.verdict === 'hit' || (v.gold !== null && isNeedless(v.gold, needless));
      if (asked.length > 0) masked.set(id, asked.every(isMasked));
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
        `no gold item has ${group}${field === null ? '' : ` with ${field} ${values.join(' or ')}`}`,
        zeroDivision,
      ),
  };
}

function indexOf({ gold }: Verdict): number {
  return gold?.index ?? 0;
}
