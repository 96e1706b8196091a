import { shorten, visible } from '../../data/visible.ts';
import type { Severity } from '../finding.ts';
import { count, counted } from '../../text/figures.ts';
import { listed } from '../words.ts';

/** What the parts of a run add up to, as far as notices are measured against it. */
export interface Totals {
  readonly cases: number;
  readonly predicted: number;
  readonly summaries: number;
}

interface NoticeWords {
  /** What a recipe accepts it by: it stays, whatever readers of files call their count. */
  readonly subject: string;
  readonly title: (n: number) => string;
  /** Whether the title ends with the first of the cases: where their ids are what is wrong. */
  readonly namesCases?: boolean;
  readonly why: string;
  readonly todo: string;
  /** Measured against what, and from which share on it is a warning; without it, it is a note. */
  readonly warning?: { readonly of: keyof Totals; readonly share: number };
}

/** Fewer than this is a slip in a few records, whatever the share. */
const FEWEST = 3;
const CASES_NAMED = 3;

/** What reading and scoring let pass, in words that a reader of the score can use. Others say the rest of the notices. */
const NOTICES: Readonly<Record<string, NoticeWords>> = {
  unknownLabelsKept: {
    subject: 'unknown-labels',
    title: (n) =>
      `${counted(n, 'label or value', 'labels or values')} outside the lists of the recipe kept as predicted`,
    why: 'They can never be right, and a slip in a name looks like a mistake of the system.',
    todo: 'Map the names (prepare: relabel), or add them to data.labels and data.values.',
  },
  unknownCasesAsSpurious: {
    subject: 'unknown-cases',
    title: (n) => `${counted(n, 'prediction record')} for cases that nobody knows, counted as spurious`,
    namesCases: true,
    why: 'Where ids do not join, right answers count as wrong ones.',
    todo: 'Compare the ids of the predictions with those of the cases.',
    warning: { of: 'cases', share: 0.05 },
  },
  badSpansAsSpurious: {
    subject: 'bad-spans',
    title: (n) => `${counted(n, 'predicted span')} with a wrong place or text, counted as spurious`,
    why: 'A span that is counted from another text or in another unit can never be right.',
    todo: 'Check data.offsets and whether the predictions were made from the same texts.',
    warning: { of: 'predicted', share: 0.05 },
  },
  uncheckedSpans: {
    subject: 'unchecked-spans',
    title: (n) => `${counted(n, 'span')} not checked against the text: no text was given`,
    why: 'Spans that are off by one, or counted in another unit, stay unseen.',
    todo: 'Give the texts with --cases.',
  },
  documentsBroken: {
    subject: 'broken-texts',
    title: (n) => `${counted(n, 'text looks', 'texts look')} like UTF-8 that was read as something else (hÃ¸jesteret)`,
    why: 'A system sees other words than people wrote, and quotes and names of the other side no longer match.',
    todo: 'Write the files again with the right encoding, or score with data.mojibake: repair.',
    warning: { of: 'cases', share: 0.05 },
  },
  documentsRepaired: {
    subject: 'repaired-documents',
    title: (n) => `${counted(n, 'text')} of cases repaired from broken UTF-8`,
    why: 'What was scored is not what the files say; places in the ledger are in the repaired text.',
    todo: 'Mend the files where they were written.',
  },
  textsRepaired: {
    subject: 'repaired-texts',
    title: (n) => `${counted(n, 'text')} of spans repaired from broken UTF-8`,
    why: 'What was scored is not what the files say.',
    todo: 'Mend the files where they were written.',
  },
  casesWithoutGold: {
    subject: 'cases-without-gold',
    title: (n) => `${counted(n, 'case')} without gold: every prediction there is spurious`,
    why: 'A case that nobody annotated counts against the system as if it had nothing in it.',
    todo: 'Leave such cases out, or say data.missingGold: error.',
    warning: { of: 'cases', share: 0.05 },
  },
  unusedGold: {
    subject: 'unused-gold',
    title: (n) => `${counted(n, 'gold item')} of annotators whom the recipe does not use`,
    why: 'Another choice of annotator gives another score.',
    todo: 'Score with prepare.annotator: each or majority, and compare.',
  },
  mergedGold: {
    subject: 'merged-gold',
    title: (n) => `${counted(n, 'gold item')} that another annotator had marked too: what several marked counts once`,
    why: 'Everybody’s gold is used, so what all agree on weighs no more than what one of them marked.',
    todo: 'Nothing, unless agreement is to count: then score with prepare.annotator: each, and compare.',
  },
  unclustered: {
    subject: 'unclustered-cases',
    title: (n) => `${counted(n, 'case')} without a value of the cluster column: each resampled for itself`,
    why: 'Intervals are too narrow where cases belong together.',
    todo: 'Fill the column in.',
    warning: { of: 'cases', share: 0.2 },
  },
  summariesNotInFaithfulness: {
    subject: 'broken-summaries',
    title: (n) =>
      `${counted(n, 'summary', 'summaries')} failed the schema and ${n === 1 ? 'is' : 'are'} in no figure of support`,
    why: 'What a system says when it breaks its format is often its worst, and is left out here.',
    todo: 'Quote how many failed beside the figures of support.',
    warning: { of: 'summaries', share: 0.1 },
  },
  failedDecisions: {
    subject: 'failed-decisions',
    title: (n) => `${counted(n, 'decision')} failed: the text stayed in the buffer`,
    why: 'Later summaries then cover more text than they were meant to.',
    todo: 'Look at the log of the calls that failed.',
  },
  casesWithoutSummary: {
    subject: 'cases-without-summary',
    title: (n) => `${counted(n, 'case')} without a summary`,
    why: 'There compression is 1 and nothing is unsupported because nothing was said, which flatters both.',
    todo: 'Quote coverage beside them, or leave these cases out of all three.',
    warning: { of: 'cases', share: 0.1 },
  },
  unansweredSummaries: {
    subject: 'unanswered-summaries',
    title: (n) => `${counted(n, 'summary', 'summaries')} without an answer`,
    why: 'The call failed; the figures of support leave it out.',
    todo: 'Run the cases again.',
  },
  emptyWindows: {
    subject: 'empty-windows',
    title: (n) => `${counted(n, 'summary', 'summaries')} with a window that holds no message`,
    why: 'Everything in such a summary counts as unsupported in its window, whatever it says.',
    todo: 'Look at when the buffer was flushed; read unsupported_in_contract beside it.',
    warning: { of: 'summaries', share: 0.2 },
  },
};

export interface SaidNotice {
  readonly subjects: readonly string[];
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly todo: string;
}

/** A notice in words, with the cases behind it as far as they are known; null where it is said elsewhere, or says nothing bad. */
export function saidNotice(name: string, n: number, totals: Totals, cases: readonly string[]): SaidNotice | null {
  const words = Object.hasOwn(NOTICES, name) ? NOTICES[name] : undefined;
  if (words === undefined || n === 0) return null;
  const { subject, title, namesCases = false, why, todo, warning } = words;
  const many = warning !== undefined && n >= FEWEST && n / Math.max(1, totals[warning.of]) >= warning.share;
  const first = cases.slice(0, CASES_NAMED).map((id) => visible(shorten(id)));
  const more = n > first.length ? [`${count(n - first.length)} more`] : [];
  const named = namesCases && first.length > 0 ? ` (${listed([...first, ...more])})` : '';
  return { subjects: [subject], severity: many ? 'warning' : 'note', title: `${title(n)}${named}`, why, todo };
}
