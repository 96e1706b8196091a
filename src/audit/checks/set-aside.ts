import { REJECTED_BY_SYSTEM } from '../../data/case.ts';
import { type Item, PAIRED_KINDS, type Side } from '../../data/item.ts';
import type { Verdict } from '../../judge/verdict.ts';
import { compareText } from '../../text/compare.ts';
import { count, counted, percent } from '../../text/figures.ts';
import type { CheckContext, NewFinding } from '../check.ts';
import type { AuditCase } from '../totals.ts';
import { addTo, entryOf, Evidence, listed, sum } from '../evidence.ts';
import type { Severity } from '../finding.ts';
import { rulesOf } from '../recipe-parts.ts';
import { isPaired } from '../scores.ts';

/** From which share on something is said more loudly; fewer than `fewest` are a note, whatever the share. */
interface Limits {
  readonly warning: number;
  readonly error: number;
  readonly fewest: number;
}

export function severityOf(part: number, whole: number, { warning, error, fewest }: Limits): Severity {
  if (part < fewest) return 'note';
  return part / whole >= error ? 'error' : part / whole >= warning ? 'warning' : 'note';
}

/** The recipe says openly what it sets aside; a tenth of the predictions is more than tidying up. */
export const SET_ASIDE_PREDICTIONS = { warning: 0.1, error: Infinity, fewest: 5 };
/** Gold is set aside by definition of the task (what need not be masked, what nobody can know): only most of it is news. */
export const SET_ASIDE_GOLD = { warning: 0.5, error: Infinity, fewest: 5 };
/** Rules that somebody wrote down in order to leave items out: what they take is news only where next to nothing stays. */
const ON_PURPOSE = ['drop', 'min-confidence'];
export const SET_ASIDE_ON_PURPOSE = { warning: 0.9, error: Infinity, fewest: 5 };
/** Predictions that leave because gold does: how many there are says nothing that gold does not say. */
const WITH_GOLD = ['leave-out-gold'];

interface OwnRule {
  /** By side and kind of item: a class that is left out does not show among eight components that are not. */
  readonly taken: Map<string, number>;
  readonly evidence: Evidence;
}

/** What one rule took of one kind on one side. */
interface Part {
  readonly kind: string;
  readonly side: Side;
  readonly n: number;
  /** Of how many; null where pairing looks at stretches of the text, which are no items. */
  readonly of: number | null;
}

/** Items that rules took out before pairing, of the cases that are scored. */
export function setAsideItems({ recipe, totals: all }: CheckContext) {
  const named = (rules: readonly string[]): Set<string> =>
    new Set(rules.flatMap((rule) => rulesOf(recipe, 'prepare', rule).map(({ name }) => name)));
  const [onPurpose, withGold] = [named(ON_PURPOSE), named(WITH_GOLD)];
  const totals = new Map<string, number>();
  const kinds = new Set<string>();
  /** Sides and kinds that are paired in stretches. */
  const stretches = new Set<string>();
  const rules = new Map<string, OwnRule>();

  const partsOf = ({ taken }: OwnRule): Part[] =>
    (['gold', 'predicted'] as const).flatMap((side) =>
      PAIRED_KINDS.flatMap((kind) => {
        const key = `${side} ${kind}`;
        const n = taken.get(key) ?? 0;
        return n === 0 ? [] : [{ kind, side, n, of: stretches.has(key) ? null : (totals.get(key) ?? 0) }];
      }),
    );
  const isMuch = (rule: string, { side, n, of }: Part): boolean => {
    if (of === null || (side === 'predicted' && withGold.has(rule) && !onPurpose.has(rule))) return false;
    const usual = side === 'gold' ? SET_ASIDE_GOLD : SET_ASIDE_PREDICTIONS;
    return severityOf(n, of, onPurpose.has(rule) ? SET_ASIDE_ON_PURPOSE : usual) === 'warning';
  };
  /** "22 of 40 gold items of the kind class (55 %)"; where there is one kind, it need not be said. */
  const share = ({ kind, side, n, of }: Part): string => {
    const one = side === 'gold' ? 'gold item' : 'prediction';
    const ofKind = kinds.size > 1 ? ` of the kind ${kind}` : '';
    return of === null
      ? `${counted(n, one)}${ofKind}`
      : `${count(n)} of ${counted(of, one)}${ofKind} (${percent(n, of)})`;
  };
  const why = (rule: string, parts: readonly Part[]): string => {
    if (rule === REJECTED_BY_SYSTEM)
      return 'The model gave them, and rules after it took them out: precision is of what was left. They count in evidence_coverage, which is over all that the model gave.';
    if (parts[0]?.side !== 'gold')
      return 'They are neither right nor wrong. A wrong prediction that is set aside does not lower precision.';
    return withGold.has(rule)
      ? 'Where gold is set aside no prediction is right or wrong, so the score is about the rest only.'
      : 'The system need not find what is set aside, so recall is about the rest only.';
  };
  const finding = ([rule, own]: readonly [string, OwnRule]): NewFinding => {
    const parts = partsOf(own);
    const isWarning = parts.some((part) => isMuch(rule, part));
    const nothingLeft = `Next to nothing ${kinds.size > 1 ? 'of a kind ' : ''}is left to be scored. `;
    const because = !onPurpose.has(rule) ? '' : isWarning ? nothingLeft : 'The recipe asks for that. ';
    const isSystem = rule === REJECTED_BY_SYSTEM;
    return {
      severity: isWarning ? 'warning' : 'note',
      title: `${listed(parts.map(share), parts.length)} ${sum(parts.map(({ n }) => n)) === 1 ? 'was' : 'were'} ${isSystem ? 'taken out by the system itself, before it answered' : `set aside by the rule ${rule} before pairing`}`,
      why: `${because}${why(rule, parts)}${all.failed > 0 ? ' Cases that failed are in neither number.' : ''}`,
      todo: isSystem
        ? 'Look at the items below. To score them as well, run again with target.unsupported: flag (or uncertain), and compare the two scores.'
        : `Look at the items below. If they should count, switch ${rule} off in the recipe (prepare) and compare the two scores.`,
      subjects: [rule],
      evidence: own.evidence,
    };
  };
  return {
    verdict(own: Verdict, { failed }: AuditCase): void {
      if (failed !== null || !isPaired(own.kind)) return;
      for (const side of ['gold', 'predicted'] as const)
        if ((own[side]?.index ?? 0) < 0) stretches.add(`${side} ${own.kind}`);
    },
    item({ text }: Item, side: Side, { kind, rule, label, because, setAside }: Verdict, given: AuditCase): void {
      // What a failed case has is said of the case, and is in neither number.
      if (given.failed !== null || !isPaired(kind)) return;
      if (given.failedAsEmpty !== undefined && rule === 'failed' && setAside) return;
      kinds.add(kind);
      addTo(totals, `${side} ${kind}`);
      if (!setAside) return;
      const own = entryOf(rules, rule, () => ({ taken: new Map<string, number>(), evidence: new Evidence() }));
      addTo(own.taken, `${side} ${kind}`);
      own.evidence.addItem({ case: given.id, side, label, text, note: because });
    },
    findings: (): NewFinding[] => [...rules].sort(([a], [b]) => compareText(a, b)).map(finding),
  };
}
