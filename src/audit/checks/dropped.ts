import { count, counted, percent } from '../../text/figures.ts';
import type { Check, NewFinding } from '../check.ts';
import { CASES_SHOWN, Evidence, NO_EVIDENCE } from '../evidence.ts';
import { isPaired } from '../scores.ts';
import { readNotices } from './read-notices.ts';
import { setAsideItems, severityOf } from './set-aside.ts';

/** Failed cases are in no average: from a twentieth on they may be what the score hides, from a fifth on they are. */
export const FAILED_CASES = { warning: 0.05, error: 0.2, fewest: 2 };
/**
 * Unanswered cases count as misses, so they flatter nobody; but many of them mean that files do not join. Only those with
 * gold do: many systems write no record where they find nothing.
 */
export const UNANSWERED_CASES = { warning: 0.1, error: 0.5, fewest: 3 };

/** Cases that did not fail, by whether there is gold that counts: how many, and those of them without an answer. */
interface Unanswered {
  total: number;
  readonly evidence: Evidence;
}

/** What is not scored does not show in the score. */
export const dropped: Check = {
  name: 'dropped',
  about: 'cases that failed or have no answer, items set aside, and what reading let pass',
  open(context) {
    const failed = new Evidence();
    const withGold: Unanswered = { total: 0, evidence: new Evidence() };
    const withoutGold: Unanswered = { total: 0, evidence: new Evidence() };
    const setAside = setAsideItems(context);
    const notices = readNotices(context);
    let countsAsEmpty = false;
    return {
      case(given) {
        const { id, answered, verdicts } = given;
        const why = given.failed ?? given.failedAsEmpty ?? null;
        if (given.failed === null && why !== null) countsAsEmpty = true;
        if (why !== null) failed.addItem({ case: id, side: null, label: null, text: why, note: null });
        else {
          const hasGold = verdicts.some((own) => own.gold !== null && !own.setAside && isPaired(own.kind));
          const own = hasGold ? withGold : withoutGold;
          own.total += 1;
          if (!answered) own.evidence.addCase(id);
        }
        notices.case(given);
      },
      verdict(verdict, given) {
        setAside.verdict(verdict, given);
        notices.verdict(verdict);
      },
      item(item, side, verdict, given) {
        setAside.item(item, side, verdict, given);
        notices.item(item, side, given);
      },
      find: ({ run }) => [
        failedCases(failed, run.measures.cases.total, countsAsEmpty),
        unansweredCases(withGold, withoutGold),
        ...setAside.findings(),
        ...notices.findings(run),
      ],
    };
  },
};

function failedCases(evidence: Evidence, total: number, countsAsEmpty: boolean): NewFinding | null {
  const n = evidence.cases.total;
  if (n === 0) return null;
  const failed = `${count(n)} of ${counted(total, 'case')} (${percent(n, total)}) failed and`;
  const shared = { subjects: ['failed'], evidence };
  if (countsAsEmpty)
    return {
      severity: 'note',
      title: `${failed} ${n === 1 ? 'counts as an empty answer' : 'count as empty answers'}`,
      why: 'All gold of these cases counts as missed, so a crash costs as much as finding nothing.',
      todo: 'Find out why they failed and run them again. --set data.failed=leave-out scores the other cases alone.',
      ...shared,
    };
  return {
    severity: severityOf(n, total, FAILED_CASES),
    title: `${failed} ${n === 1 ? 'is' : 'are'} in no average`,
    why: 'The score is about the cases that went through. Cases that fail are rarely the easy ones, so it may be too good.',
    todo: 'Find out why they failed and run them again. Until then quote the share that failed beside the score, or count their gold as missed: --set data.failed=empty.',
    ...shared,
  };
}

function unansweredCases(withGold: Unanswered, withoutGold: Unanswered): NewFinding | null {
  const [lost, empty] = [withGold.evidence.cases, withoutGold.evidence.cases];
  const total = lost.total + empty.total;
  if (total === 0) return null;
  return {
    severity: severityOf(lost.total, withGold.total, UNANSWERED_CASES),
    title: `${whoHas(lost.total, withGold.total, empty.total, withoutGold.total)} no prediction: scored as an empty answer`,
    why:
      lost.total === 0
        ? 'There is nothing to be found in these cases, so an empty answer is right. A case that the system was never given looks the same.'
        : 'All gold of these cases counts as missed. Where the ids of two files do not join, that says nothing about the system.',
    todo: 'Check that the ids of the predictions are those of the cases, and that the system was run on all of them.',
    subjects: ['unanswered'],
    // Those with gold first: there something is lost.
    evidence: { ...NO_EVIDENCE, cases: { total, shown: [...lost.shown, ...empty.shown].slice(0, CASES_SHOWN) } },
  };
}

/** "2 of 176 cases with gold (1 %) and 118 of 124 without have"; where all cases have gold, or none has, just the cases. */
function whoHas(lost: number, withGold: number, empty: number, withoutGold: number): string {
  const has = lost + empty === 1 ? 'has' : 'have';
  if (withoutGold === 0) return `${count(lost)} of ${counted(withGold, 'case')} (${percent(lost, withGold)}) ${has}`;
  if (withGold === 0) return `${count(empty)} of ${counted(withoutGold, 'case')} without gold ${has}`;
  if (lost === 0)
    return `${count(empty)} of ${counted(withoutGold, 'case')} without gold and none of ${count(withGold)} with gold have`;
  const rest = empty === 0 ? 'none' : count(empty);
  return `${count(lost)} of ${counted(withGold, 'case')} with gold (${percent(lost, withGold)}) and ${rest} of ${count(withoutGold)} without have`;
}
