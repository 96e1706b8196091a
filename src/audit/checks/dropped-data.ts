import { REJECTED_BY_SYSTEM } from '../../data/case.ts';
import { PAIRED_KINDS, type Side, SIDES } from '../../data/item.ts';
import { compareText } from '../../text/compare.ts';
import { count, plural, percent, levelText } from '../../text/figures.ts';
import type { AuditCheck, NewFinding, OpenCheck, OpenContext } from '../check.ts';
import { addTo, CASES_SHOWN, entryOf, Evidence, formatList, sum } from '../evidence.ts';
import type { FindingWords, Severity } from '../finding.ts';
import { namedRules, stringsAt } from '../recipe-parts.ts';
import { isPaired } from '../totals.ts';
import { readNotices } from './read-notices.ts';

/** Failed cases are in no average: from a twentieth on they may be what the score hides, from a fifth on they are. */
const FAILED_CASES = { warning: 0.05, error: 0.2, fewest: 2 };
/**
 * Unanswered cases count as misses, so they flatter nobody; but many of them mean that files do not join. Only those with
 * gold do: many systems write no record where they find nothing.
 */
const UNANSWERED_CASES = { warning: 0.1, error: 0.5, fewest: 3 };

/** The recipe states openly what it sets aside; a tenth of the predictions is more than tidying up. */
const SET_ASIDE_PREDICTIONS = { warning: 0.1, error: Infinity, fewest: 5 };
/** Gold is set aside by definition of the task (what need not be masked, what nobody can know): only most of it is news. */
const SET_ASIDE_GOLD = { warning: 0.5, error: Infinity, fewest: 5 };
/** Rules that somebody wrote down in order to leave items out: what they take is news only where next to nothing stays. */
const ON_PURPOSE = ['drop', 'min-confidence'];
const SET_ASIDE_ON_PURPOSE = { warning: 0.9, error: Infinity, fewest: 5 };

export const dropped: AuditCheck = {
  name: 'dropped-data',
  about: 'cases that failed or have no answer, items set aside, and what reading let pass',
  severity: `Failed (${FAILED_CASES.fewest}+): warning at ${levelText(FAILED_CASES.warning)}, error at ${levelText(FAILED_CASES.error)}; unanswered (${UNANSWERED_CASES.fewest}+): warning at ${levelText(UNANSWERED_CASES.warning)}, error at ${levelText(UNANSWERED_CASES.error)} of the cases with gold; set aside (${SET_ASIDE_GOLD.fewest}+): warning at ${levelText(SET_ASIDE_PREDICTIONS.warning)} of the predictions of a kind, ${levelText(SET_ASIDE_GOLD.warning)} of its gold, by ${ON_PURPOSE.map((rule) => `\`${rule}\``).join(' and ')} at ${levelText(SET_ASIDE_ON_PURPOSE.warning)}; otherwise a note`,
  open: (context) => [lostCases(context), setAsideItems(context), readNotices(context)],
};

/** Cases that did not fail: how many, and those of them without an answer. */
type Unanswered = { total: number; readonly evidence: Evidence };

function lostCases({ keep }: OpenContext): OpenCheck {
  const failed = keep(new Evidence());
  const withGold: Unanswered = keep({ total: 0, evidence: new Evidence() });
  const withoutGold: Unanswered = keep({ total: 0, evidence: new Evidence() });
  const seen = keep({ countsAsEmpty: false });
  return {
    case({ case: id, verdicts, answered = true, ...given }) {
      const why = given.failed ?? given.failedAsEmpty ?? null;
      const hasGold = verdicts.some(({ gold, setAside, kind }) => gold !== null && !setAside && isPaired(kind));
      const own = hasGold ? withGold : withoutGold;
      seen.countsAsEmpty ||= given.failed === undefined && why !== null;
      if (why !== null) failed.addItem({ case: id, side: null, label: null, text: why, note: null });
      else own.total += 1;
      if (why === null && !answered) own.evidence.addCase(id);
    },
    spans({ gold }) {
      (gold.count > 0 ? withGold : withoutGold).total += 1;
    },
    find: ({ run }) => [
      failedCases(failed, run.measures.cases.total, seen.countsAsEmpty),
      unansweredCases(withGold, withoutGold),
    ],
  };
}

function failedCases(evidence: Evidence, total: number, countsAsEmpty: boolean): NewFinding | null {
  const n = evidence.cases.total;
  if (n === 0) return null;
  const empty = n === 1 ? 'counts as an empty answer' : 'count as empty answers';
  return {
    severity: countsAsEmpty ? 'note' : severityOf(n, total, FAILED_CASES),
    title: `${count(n)} of ${plural(total, 'case')} (${percent(n, total)}) failed and ${countsAsEmpty ? empty : `${n === 1 ? 'is' : 'are'} in no average`}`,
    words: countsAsEmpty ? 'dropped/failedAsEmpty' : 'dropped/failed',
    subjects: ['failed'],
    evidence,
  };
}

function unansweredCases(withGold: Unanswered, withoutGold: Unanswered): NewFinding | null {
  const [lost, empty] = [withGold.evidence.cases, withoutGold.evidence.cases];
  const total = lost.total + empty.total;
  if (total === 0) return null;
  return {
    severity: severityOf(lost.total, withGold.total, UNANSWERED_CASES),
    title: `${whoHas(lost.total, withGold.total, empty.total, withoutGold.total)} no prediction: scored as an empty answer`,
    words: lost.total === 0 ? 'dropped/unansweredWithoutGold' : 'dropped/unanswered',
    subjects: ['unanswered'],
    // Those with gold first: there something is lost.
    evidence: { cases: { total, shown: [...lost.shown, ...empty.shown].slice(0, CASES_SHOWN) } },
  };
}

/** "2 of 176 cases with gold (1 %) and 118 of 124 without have"; where all cases have gold, or none has, just the cases. */
function whoHas(lost: number, withGold: number, empty: number, withoutGold: number): string {
  const has = lost + empty === 1 ? 'has' : 'have';
  if (withoutGold === 0) return `${count(lost)} of ${plural(withGold, 'case')} (${percent(lost, withGold)}) ${has}`;
  if (withGold === 0) return `${count(empty)} of ${plural(withoutGold, 'case')} without gold ${has}`;
  if (lost === 0)
    return `${count(empty)} of ${plural(withoutGold, 'case')} without gold and none of ${count(withGold)} with gold have`;
  const rest = empty === 0 ? 'none' : count(empty);
  return `${count(lost)} of ${plural(withGold, 'case')} with gold (${percent(lost, withGold)}) and ${rest} of ${count(withoutGold)} without have`;
}

/** From which share on a finding is more severe; fewer than `fewest` are a note, whatever the share. */
type Limits = Readonly<Record<'warning' | 'error' | 'fewest', number>>;

function severityOf(part: number, whole: number, { warning, error, fewest }: Limits): Severity {
  if (part < fewest) return 'note';
  return part / whole >= error ? 'error' : part / whole >= warning ? 'warning' : 'note';
}

/** Predictions that leave because gold does: their number adds nothing to that of gold. */
const WITH_GOLD = ['leave-out-gold'];

/** What one rule took of one kind on one side; `of` how many, null where pairing looks at stretches of the text. */
type Part = Readonly<{ kind: string; side: Side; n: number; of: number | null }>;

/** Items that rules took out before pairing, of the cases that are scored. */
function setAsideItems({ recipe, totals: all, keep }: OpenContext): OpenCheck {
  const named = (rules: readonly string[]): Set<string> =>
    new Set(rules.flatMap((rule) => namedRules(recipe, 'prepare', rule).map(({ name }) => name)));
  const [onPurpose, withGold] = [named(ON_PURPOSE), named(WITH_GOLD)];
  /** Items, by side and kind. */
  const totals = keep({ gold: new Map<string, number>(), predicted: new Map<string, number>() });
  const kinds = keep(new Set<string>());
  /** Kinds that are paired in stretches. */
  const stretches = keep({ gold: new Set<string>(), predicted: new Set<string>() });
  /** By side and kind of item: a class that is left out does not show among eight components that are not. */
  const none = () => ({ taken: new Map<string, number>(), evidence: new Evidence() });
  const rules = keep(new Map<string, ReturnType<typeof none>>(), none);

  const partsOf = (taken: ReadonlyMap<string, number>): Part[] =>
    SIDES.flatMap((side) =>
      PAIRED_KINDS.flatMap((kind) => {
        const key = `${side} ${kind}`;
        const n = taken.get(key) ?? 0;
        return n === 0 ? [] : [{ kind, side, n, of: stretches[side].has(kind) ? null : (totals[side].get(kind) ?? 0) }];
      }),
    );
  /** A recipe for relationships alone has no use for entities, however many. */
  const unused = new Set(
    namedRules(recipe, 'prepare', 'drop').flatMap(({ name, params }) =>
      stringsAt(params, 'kinds').map((kind) => `${name} ${kind}`),
    ),
  );
  const isMuch = (rule: string, { kind, side, n, of }: Part): boolean => {
    if (of === null || unused.has(`${rule} ${kind}`)) return false;
    if (side === 'predicted' && withGold.has(rule) && !onPurpose.has(rule)) return false;
    const usual = side === 'gold' ? SET_ASIDE_GOLD : SET_ASIDE_PREDICTIONS;
    return severityOf(n, of, onPurpose.has(rule) ? SET_ASIDE_ON_PURPOSE : usual) === 'warning';
  };
  /** "22 of 40 gold items of the kind class (55 %)"; where there is one kind, it need not be said. */
  const share = ({ kind, side, n, of }: Part): string => {
    const one = side === 'gold' ? 'gold item' : 'prediction';
    const ofKind = kinds.size > 1 ? ` of the kind ${kind}` : '';
    return of === null
      ? `${plural(n, one)}${ofKind}`
      : `${count(n)} of ${plural(of, one)}${ofKind} (${percent(n, of)})`;
  };
  const wordsOf = (rule: string, parts: readonly Part[]): FindingWords => {
    if (rule === REJECTED_BY_SYSTEM) return 'dropped/bySystem';
    if (parts[0]?.side !== 'gold') return 'dropped/predictions';
    return withGold.has(rule) ? 'dropped/bothSides' : 'dropped/gold';
  };
  const finding = (rule: string, taken: ReadonlyMap<string, number>, evidence: Evidence): NewFinding => {
    const parts = partsOf(taken);
    const isWarning = parts.some((part) => isMuch(rule, part));
    const nothingLeft = `Next to nothing ${kinds.size > 1 ? 'of a kind ' : ''}is left to be scored. `;
    const because = !onPurpose.has(rule) ? '' : isWarning ? nothingLeft : 'The recipe asks for that. ';
    const isSystem = rule === REJECTED_BY_SYSTEM;
    return {
      severity: isWarning ? 'warning' : 'note',
      title: `${formatList(parts.map(share), parts.length)} ${sum(parts.map(({ n }) => n)) === 1 ? 'was' : 'were'} ${isSystem ? 'taken out by the system itself, before it answered' : `set aside by the rule ${rule} before pairing`}`,
      words: wordsOf(rule, parts),
      why: (usual) => `${because}${usual}${all.failed > 0 ? ' Cases that failed are in neither number.' : ''}`,
      subjects: [rule],
      evidence,
    };
  };
  return {
    kinds: PAIRED_KINDS,
    verdict({ kind, gold, predicted }, { failed }) {
      if (failed !== undefined) return;
      if (gold !== null && gold.index < 0) stretches.gold.add(kind);
      if (predicted !== null && predicted.index < 0) stretches.predicted.add(kind);
    },
    item({ text }, side, { kind, rule, label, because, setAside }, given) {
      // What a failed case has is reported with the case, and is in neither number.
      if (given.failed !== undefined || !isPaired(kind)) return;
      if (given.failedAsEmpty !== undefined && rule === 'failed' && setAside) return;
      kinds.add(kind);
      addTo(totals[side], kind);
      if (!setAside) return;
      const own = entryOf(rules, rule, none);
      addTo(own.taken, `${side} ${kind}`);
      own.evidence.addItem({ case: given.case, side, label, text, note: because });
    },
    spans(given) {
      for (const side of SIDES) {
        const { count: n } = given[side];
        if (n === 0) continue;
        kinds.add('span');
        addTo(totals[side], 'span', n);
      }
    },
    find: () =>
      [...rules]
        .sort(([a], [b]) => compareText(a, b))
        .map(([rule, { taken, evidence }]) => finding(rule, taken, evidence)),
  };
}
