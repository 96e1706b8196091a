import { z } from 'zod';

import type { Foldable } from '../../data/fold-state.ts';
import { describe } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { Verdict } from '../../judge/verdict.ts';
import { count, plural } from '../../text/figures.ts';
import type { Behind, NewFinding, OpenCheck, OpenContext } from '../check.ts';
import { CASES_SHOWN, entryOf, Evidence, formatList, sum } from '../evidence.ts';
import notices from '../notices.json' with { type: 'json' };
import { mergesAnnotators, recordAt, type ResolvedRecipe, stringsAt } from '../recipe-parts.ts';
import { parseSaved } from '../saved-shape.ts';
import { isPaired } from '../totals.ts';

/** What readers of files count, in words: one and several of it, and the rest of the sentence. */
type Counted = readonly string[];

/** One with a `subject` is a finding of the check `dropped-data`. The others belong to other checks. */
interface NoticeWords {
  /** What a recipe accepts it by: it stays, whatever readers of files call their count. */
  readonly subject?: string;
  readonly title?: Counted;
  /** As the report words it beside the numbers, if not as the finding does. */
  readonly notice?: Counted;
  /** Whether the title ends with the first of the cases: where their ids are what is wrong. */
  readonly namesCases?: boolean;
  readonly why?: string;
  readonly todo?: string;
  /** Measured against what, and from which share on it is a warning; without it, it is a note. */
  readonly warning?: { readonly of: string; readonly share: number };
}

const NOTICES: Readonly<Record<string, NoticeWords>> = notices;

/** Fewer than this is a slip in a few records, whatever the share. */
const FEWEST = 3;
const CASES_NAMED = 3;
/** As many of the last cases are remembered, so that those that come after all others can be named. */
const LAST_CASES = 2000;
/** Notices of which only the cases are known, and these only where all of them are. */
const COUNTED_AS_CASES = new Set(['casesWithoutSummary', 'unclustered']);
/** The lines of a log that notices count, as the ledger shows them. */
const LOGGED: readonly (readonly [name: string, is: (verdict: Verdict) => boolean])[] = [
  ['summariesNotInFaithfulness', ({ kind, verdict }) => kind === 'summary' && verdict === 'spurious'],
  ['failedDecisions', ({ kind, rule }) => kind === 'decision' && rule === 'failed-call'],
  ['unansweredSummaries', ({ kind, rule }) => kind === 'summary' && rule === 'unexpected_error'],
  ['emptyWindows', ({ kind, predicted }) => kind === 'summary' && predicted?.fields['window_deltas'] === 0],
];

/** What is known of a notice. With union or majority nobody's gold is left out: what is not counted are copies. */
function noticeWords(name: string, recipe: ResolvedRecipe): NoticeWords | undefined {
  const key = name === 'unusedGold' && mergesAnnotators(recipe) ? 'mergedGold' : name;
  return Object.hasOwn(NOTICES, key) ? NOTICES[key] : undefined;
}

function sentence(n: number, [one = '', many = '', rest = '']: Counted): string {
  return `${plural(n, one, many)}${rest}`;
}

/** The sentence for a notice beside the numbers; empty if the report shows it elsewhere. */
export function noticeSentence(name: string, n: number, recipe: ResolvedRecipe = {}): string {
  const words = noticeWords(name, recipe);
  // One that a newer reader counts: `strayTagsDropped` as "stray tags dropped".
  if (words === undefined) return `${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}: ${count(n)}`;
  const said = words.notice ?? words.title;
  return said === undefined ? '' : sentence(n, said);
}

/**
 * What reading let pass, with the cases and items behind it. Notices are counts, made before the first rule; here they are
 * looked up in what became of the cases, and nothing is named that may be something else.
 */
export function readNotices({ recipe, totals, index, keep }: OpenContext): OpenCheck {
  const labels = new Set(stringsAt(recipe['data'], 'labels'));
  const values = recordAt(recipe['data'], 'values');
  const allowed = Object.keys(values).map((field) => [field, new Set<unknown>(stringsAt(values, field))] as const);
  const found = keep(new Map<string, Evidence>(), () => new Evidence());
  const evidence = (name: string): Evidence => entryOf(found, name, () => new Evidence());
  const tail = keep(new GoldlessTail());

  const behind = (name: string, given: Readonly<Record<string, number>>): Behind => {
    const [n, unknown] = [given[name] ?? 0, given['unknownCasesAsSpurious'] ?? 0];
    const { cases, items } = evidence(name);
    const some = (ids: readonly string[]) => ({ cases: { total: n, shown: ids.slice(0, CASES_SHOWN) } });
    // They are read after all others and have no gold.
    if (name === 'unknownCasesAsSpurious')
      return tail.last.length < Math.min(n, LAST_CASES) ? {} : some(tail.last.slice(-n));
    // A case whose gold is an empty list looks the same: where there are any, nobody can tell which are meant.
    if (name === 'casesWithoutGold') return cases.total - unknown === n ? some(cases.shown.slice(0, n)) : {};
    // If there are more than were noticed, some of them are there for another reason.
    if (COUNTED_AS_CASES.has(name)) return cases.total === n ? { cases } : {};
    return { cases, items };
  };
  const addCase = (id: string, hasGold: boolean): void => {
    if (!hasGold) evidence('casesWithoutGold').addCase(id);
    tail.add(id, hasGold);
  };
  return {
    case({ case: id, failed, cluster, verdicts }) {
      if (cluster === undefined) evidence('unclustered').addCase(id);
      addCase(
        id,
        verdicts.some(({ gold }) => gold !== null),
      );
      if (failed === undefined && !index.kinds.has('summary')) evidence('casesWithoutSummary').addCase(id);
    },
    kinds: ['summary', 'decision'],
    verdict(own) {
      for (const [name, isOne] of LOGGED) {
        if (!isOne(own)) continue;
        const { text = '', fields = {} } = own.predicted ?? {};
        const where = `seq ${describe(fields['start_seq'])} to ${describe(fields['end_seq'])}`;
        const note = own.because === null ? where : `${where}: ${own.because}`;
        evidence(name).addItem({ case: own.case, side: 'predicted', label: own.label, text, note });
      }
    },
    item({ label, was = label, text, fields, refused }, side, _, { case: id }) {
      if (refused === undefined && allowed.length === 0 && (labels.size === 0 || labels.has(was))) return;
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
    // Reading plain spans leaves those alone whose labels are listed.
    spans({ case: id, gold }) {
      evidence('unclustered').addCase(id);
      addCase(id, gold.count > 0);
      evidence('casesWithoutSummary').addCase(id);
    },
    find({ run: { manifest, measures } }) {
      const rows = (pick: Parameters<typeof totals.rows>[0]): number => sum(totals.rows(pick).map(({ n }) => n));
      const whole: Readonly<Record<string, number>> = {
        cases: measures.cases.total,
        predicted: rows(({ kind, predicted }) => predicted !== null && isPaired(kind)),
        summaries: rows(({ kind }) => kind === 'summary'),
      };
      return Object.entries(manifest.notices).flatMap(([name, n]): NewFinding[] => {
        const words = noticeWords(name, manifest.recipe.resolved);
        if (words?.subject === undefined || n === 0) return [];
        const { subject, title = [], namesCases = false, why = '', todo = '', warning } = words;
        const own = behind(name, manifest.notices);
        const isMany = warning !== undefined && n >= FEWEST && n / Math.max(1, whole[warning.of]!) >= warning.share;
        const first = (own.cases?.shown ?? []).slice(0, CASES_NAMED).map((id) => visible(shorten(id)));
        const more = n > first.length ? [`${count(n - first.length)} more`] : [];
        const named = namesCases && first.length > 0 ? ` (${formatList([...first, ...more])})` : '';
        const severity = isMany ? 'warning' : 'note';
        return [{ severity, title: `${sentence(n, title)}${named}`, why, todo, subjects: [subject], evidence: own }];
      });
    },
  };
}

const savedTail = z.object({ hasGold: z.boolean(), last: z.array(z.string()) });

/** The last of the cases without gold since the one before them that has some. */
class GoldlessTail implements Foldable {
  #hasGold = false;
  #ids: string[] = [];

  add(id: string, hasGold: boolean): void {
    if (hasGold) {
      this.#hasGold = true;
      if (this.#ids.length > 0) this.#ids = [];
      return;
    }
    this.#ids.push(id);
    if (this.#ids.length > 2 * LAST_CASES) this.#ids = this.last;
  }

  get last(): string[] {
    return this.#ids.slice(-LAST_CASES);
  }

  save(): z.infer<typeof savedTail> {
    return { hasGold: this.#hasGold, last: this.last };
  }

  merge(saved: unknown): void {
    const { hasGold, last } = parseSaved(savedTail, saved);
    this.#ids = hasGold ? last : [...this.last, ...last];
    this.#hasGold ||= hasGold;
  }
}
