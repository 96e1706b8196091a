import type { Side } from '../../../data/item.ts';
import { compareText } from '../../../text/compare.ts';
import type { AuditMaterial, Check, NewFinding } from '../check.ts';
import { Evidence, NO_EVIDENCE } from '../evidence.ts';
import type { Severity } from '../finding.ts';
import { isPaired } from '../plain-score.ts';
import { mergesAnnotators } from '../recipe-parts.ts';
import { count, counted, percent } from '../words.ts';
import { saidNotice, type Totals } from './read-notices.ts';

/** Failed cases are in no average: from a twentieth on they may be what the score hides, from a fifth on they are. */
const FAILED = { warning: 0.05, error: 0.2, fewest: 2 };
/** Unanswered cases count as misses, so they flatter nobody; but many of them mean that files do not join. */
const UNANSWERED = { warning: 0.1, error: 0.5, fewest: 3 };
/** The recipe says openly what it sets aside; a tenth of the predictions is more than tidying up. */
const PREDICTIONS = { warning: 0.1, error: Infinity, fewest: 5 };
/**
 * Gold is set aside by definition of the task (what need not be masked, what nobody can know), and predictions with it, so
 * only most of it is worth a warning.
 */
const GOLD = { warning: 0.5, error: Infinity, fewest: 5 };

interface Limits {
  readonly warning: number;
  readonly error: number;
  readonly fewest: number;
}

/** Items that one rule took out before pairing. */
interface SetAsideCounts {
  gold: number;
  predicted: number;
  readonly evidence: Evidence;
}

/** What is not scored does not show in the score. */
export const dropped: Check = {
  name: 'dropped',
  about: 'cases that failed or have no answer, items set aside, and what reading let pass',
  open() {
    const failed = new Evidence();
    const unanswered = new Evidence();
    const rules = new Map<string, SetAsideCounts>();
    const totals = { gold: 0, predicted: 0, summaries: 0 };
    return {
      add({ id, failed: why, answered, verdicts }) {
        if (why !== null) failed.addItem({ case: id, side: null, label: null, text: why, note: null });
        else if (!answered) unanswered.addCase(id);
        for (const { kind, rule, gold, predicted, setAside, because, label } of verdicts) {
          if (kind === 'summary') totals.summaries += 1;
          if (!isPaired(kind)) continue;
          if (gold !== null) totals.gold += 1;
          if (predicted !== null) totals.predicted += 1;
          const item = predicted ?? gold;
          if (!setAside || why !== null || item === null) continue;
          const side = predicted === null ? 'gold' : 'predicted';
          let own = rules.get(rule);
          if (own === undefined) rules.set(rule, (own = { gold: 0, predicted: 0, evidence: new Evidence() }));
          own[side] += 1;
          own.evidence.addItem({ case: id, side, label, text: item.text, note: because });
        }
      },
      finish(material) {
        const { total } = material.run.measures.cases;
        return [
          ...cases('failed', failed, total, FAILED),
          ...cases('unanswered', unanswered, total, UNANSWERED),
          ...[...rules].sort(([a], [b]) => compareText(a, b)).map(([rule, own]) => setAsideBy(rule, own, totals)),
          ...notices(material, { ...totals, cases: total }),
        ];
      },
    };
  },
};

function severityOf(part: number, whole: number, { warning, error, fewest }: Limits): Severity {
  if (part < fewest) return 'note';
  return part / whole >= error ? 'error' : part / whole >= warning ? 'warning' : 'note';
}

function cases(what: 'failed' | 'unanswered', evidence: Evidence, total: number, limits: Limits): NewFinding[] {
  const { cases: found, items } = evidence;
  const n = found.total;
  if (n === 0) return [];
  const share = `${count(n)} of ${counted(total, 'case')} (${percent(n, total)})`;
  const severity = severityOf(n, total, limits);
  if (what === 'failed')
    return [
      {
        severity,
        title: `${share} failed and ${n === 1 ? 'is' : 'are'} in no average`,
        why: 'The score is about the cases that went through. Cases that fail are rarely the easy ones, so it may be too good.',
        todo: 'Find out why they failed and run them again. Until then quote the share that failed beside the score; data.missingPrediction: empty counts a missing answer as an empty one.',
        subjects: ['failed'],
        cases: found,
        items,
      },
    ];
  return [
    {
      severity,
      title: `${share} ${n === 1 ? 'has' : 'have'} no prediction: scored as an empty answer`,
      why: 'All gold of these cases counts as missed. Where the ids of two files do not join, that says nothing about the system.',
      todo: 'Check that the ids of the predictions are those of the cases, and that the system was run on all of them.',
      subjects: ['unanswered'],
      cases: found,
      items,
    },
  ];
}

function setAsideBy(
  rule: string,
  { gold, predicted, evidence }: SetAsideCounts,
  totals: Record<Side, number>,
): NewFinding {
  const side = gold > 0 ? 'gold' : 'predicted';
  const shares = [
    ...(gold === 0 ? [] : [`${count(gold)} of ${counted(totals.gold, 'gold item')} (${percent(gold, totals.gold)})`]),
    ...(predicted === 0
      ? []
      : [
          `${count(predicted)} of ${counted(totals.predicted, 'prediction')} (${percent(predicted, totals.predicted)})`,
        ]),
  ];
  return {
    severity: gold > 0 ? severityOf(gold, totals.gold, GOLD) : severityOf(predicted, totals.predicted, PREDICTIONS),
    title: `${shares.join(' and ')} ${gold + predicted === 1 ? 'was' : 'were'} set aside by the rule ${rule} before pairing`,
    why:
      side === 'gold'
        ? 'The system need not find what is set aside, so recall is about the rest only.'
        : 'They are neither right nor wrong. A wrong prediction that is set aside does not lower precision.',
    todo: `Look at the items below. If they should count, switch ${rule} off in the recipe (prepare) and compare the two scores.`,
    subjects: [rule],
    cases: evidence.cases,
    items: evidence.items,
  };
}

function notices({ run }: AuditMaterial, totals: Totals): NewFinding[] {
  return Object.entries(run.manifest.notices).flatMap(([name, n]) => {
    // With union or majority nobody is left out: what is not counted are copies.
    const isMerged = name === 'unusedGold' && mergesAnnotators(run.manifest.recipe.resolved);
    const said = saidNotice(isMerged ? 'mergedGold' : name, n, totals);
    return said === null ? [] : [{ ...said, ...NO_EVIDENCE }];
  });
}
