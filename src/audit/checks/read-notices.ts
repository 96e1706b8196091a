import type { Item, Side } from '../../data/item.ts';
import { describe } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { Run } from '../../score/run.ts';
import { count, counted } from '../../text/figures.ts';
import type { CheckContext, NewFinding } from '../check.ts';
import type { AuditCase } from '../totals.ts';
import { type Behind, CASES_SHOWN, entryOf, Evidence, listed, NO_EVIDENCE } from '../evidence.ts';
import { declaredLabels, mergesAnnotators, recordAt, stringsAt } from '../recipe-parts.ts';
import { isPaired } from '../scores.ts';

interface NoticeWords {
  /** What a recipe accepts it by: it stays, whatever readers of files call their count. */
  readonly subject: string;
  readonly title: (n: number) => string;
  /** Whether the title ends with the first of the cases: where their ids are what is wrong. */
  readonly namesCases?: boolean;
  readonly why: string;
  readonly todo: string;
  /** Measured against what, and from which share on it is a warning; without it, it is a note. */
  readonly warning?: { readonly of: 'cases' | 'predicted' | 'summaries'; readonly share: number };
  /** The lines of a log that it counts, as the ledger shows them. */
  readonly logged?: (verdict: Verdict) => boolean;
}

/** Fewer than this is a slip in a few records, whatever the share. */
const FEWEST = 3;
const CASES_NAMED = 3;
/** As many of the last cases are remembered, so that those that come after all others can be named. */
const LAST_CASES = 1000;

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
    logged: ({ kind, verdict }) => kind === 'summary' && verdict === 'spurious',
  },
  failedDecisions: {
    subject: 'failed-decisions',
    title: (n) => `${counted(n, 'decision')} failed: the text stayed in the buffer`,
    why: 'Later summaries then cover more text than they were meant to.',
    todo: 'Look at the log of the calls that failed.',
    logged: ({ kind, rule }) => kind === 'decision' && rule === 'failed-call',
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
    logged: ({ kind, rule }) => kind === 'summary' && rule === 'unexpected_error',
  },
  emptyWindows: {
    subject: 'empty-windows',
    title: (n) => `${counted(n, 'summary', 'summaries')} with a window that holds no message`,
    why: 'Everything in such a summary counts as unsupported in its window, whatever it says.',
    todo: 'Look at when the buffer was flushed; read unsupported_in_contract beside it.',
    warning: { of: 'summaries', share: 0.2 },
    logged: ({ kind, predicted }) => kind === 'summary' && predicted?.fields['window_deltas'] === 0,
  },
};

/**
 * What reading let pass, with the cases and items behind it. Notices are counts, made before the first rule; here they are
 * looked up in what became of the cases, and nothing is named that may be something else.
 */
export function readNotices({ recipe, totals }: CheckContext) {
  const labels = new Set(declaredLabels(recipe));
  const values = recordAt(recipe['data'], 'values');
  const allowed = Object.keys(values).map((field) => [field, new Set<unknown>(stringsAt(values, field))] as const);
  const logged = new Map(
    Object.entries(NOTICES).flatMap(([name, { logged: is }]) => (is ? [[name, is] as const] : [])),
  );
  const found = new Map<string, Evidence>();
  const evidence = (name: string): Evidence => entryOf(found, name, () => new Evidence());
  /** The cases without gold since the last one with some. */
  let tail: string[] = [];

  const behind = (name: string, notices: Readonly<Record<string, number>>): Behind => {
    const n = notices[name] ?? 0;
    const own = found.get(name) ?? NO_EVIDENCE;
    if (name === 'unknownCasesAsSpurious') {
      // They are read after all others and have no gold.
      const last = tail.length < Math.min(n, LAST_CASES) ? [] : tail.slice(-n);
      return casesOnly(last.length === 0 ? 0 : n, last);
    }
    const unknown = notices['unknownCasesAsSpurious'] ?? 0;
    // A case whose gold is an empty list looks the same: where there are any, nobody can tell which are meant.
    if (name === 'casesWithoutGold')
      return own.cases.total - unknown === n ? casesOnly(n, own.cases.shown) : NO_EVIDENCE;
    // If there are more than were noticed, some of them are there for another reason.
    if (COUNTED_AS_CASES.has(name)) return own.cases.total === n ? { ...NO_EVIDENCE, cases: own.cases } : NO_EVIDENCE;
    return own;
  };
  return {
    case({ id, failed, cluster, verdicts }: AuditCase): void {
      if (cluster === null) evidence('unclustered').addCase(id);
      if (verdicts.some(({ gold }) => gold !== null)) tail = [];
      else {
        evidence('casesWithoutGold').addCase(id);
        tail.push(id);
        if (tail.length > 2 * LAST_CASES) tail = tail.slice(-LAST_CASES);
      }
      if (failed === null && !verdicts.some(({ kind }) => kind === 'summary'))
        evidence('casesWithoutSummary').addCase(id);
    },
    verdict(own: Verdict): void {
      for (const [name, isOne] of logged) {
        if (!isOne(own)) continue;
        const { text = '', fields = {} } = own.predicted ?? {};
        const where = `seq ${describe(fields['start_seq'])} to ${describe(fields['end_seq'])}`;
        const note = own.because === null ? where : `${where}: ${own.because}`;
        evidence(name).addItem({ case: own.case, side: 'predicted', label: own.label, text, note });
      }
    },
    item({ label, was = label, text, fields, refused }: Item, side: Side, { id }: AuditCase): void {
      const unknown = [
        ...(labels.size === 0 || labels.has(was) ? [] : [`label ${describe(was)}`]),
        ...allowed.flatMap(([field, some]) => {
          const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
          return value === undefined || value === null || some.has(value) ? [] : [`${field} ${describe(value)}`];
        }),
      ];
      const told = { case: id, side, label, text };
      if (unknown.length > 0) evidence('unknownLabelsKept').addItem({ ...told, note: unknown.join(', ') });
      if (refused !== undefined) evidence('badSpansAsSpurious').addItem({ ...told, note: refused.because });
    },
    findings({ manifest, measures }: Run): NewFinding[] {
      const rows = (pick: Parameters<typeof totals.rows>[0]): number =>
        totals.rows(pick).reduce((all, { n }) => all + n, 0);
      const whole = {
        cases: measures.cases.total,
        predicted: rows(({ kind, predicted }) => predicted !== null && isPaired(kind)),
        summaries: rows(({ kind }) => kind === 'summary'),
      };
      return Object.entries(manifest.notices).flatMap(([name, n]) => {
        // With union or majority nobody is left out: what is not counted are copies.
        const isMerged = name === 'unusedGold' && mergesAnnotators(manifest.recipe.resolved);
        const words = Object.hasOwn(NOTICES, name) ? NOTICES[isMerged ? 'mergedGold' : name] : undefined;
        if (words === undefined || n === 0) return [];
        const { subject, title, namesCases = false, why, todo, warning } = words;
        const own = behind(name, manifest.notices);
        const many = warning !== undefined && n >= FEWEST && n / Math.max(1, whole[warning.of]) >= warning.share;
        const first = own.cases.shown.slice(0, CASES_NAMED).map((id) => visible(shorten(id)));
        const more = n > first.length ? [`${count(n - first.length)} more`] : [];
        const named = namesCases && first.length > 0 ? ` (${listed([...first, ...more])})` : '';
        const severity = many ? 'warning' : 'note';
        return [{ severity, title: `${title(n)}${named}`, why, todo, subjects: [subject], evidence: own }];
      });
    },
  };
}

/** Notices of which only the cases are known, and these only where all of them are. */
const COUNTED_AS_CASES = new Set(['casesWithoutSummary', 'unclustered']);

function casesOnly(total: number, ids: readonly string[]): Behind {
  return { ...NO_EVIDENCE, cases: { total, shown: ids.slice(0, Math.min(CASES_SHOWN, total)) } };
}
