import type { Item, ItemKind, Side } from '../../../data/item.ts';
import { END, START } from '../../../data/span-list.ts';
import type { Verdict } from '../../../judge/verdict.ts';
import { count, percent, levelText } from '../../../text/figures.ts';
import type { AuditCheck, OpenCheck, OpenContext } from '../../check.ts';
import { addTo, entryOf, Evidence, sum } from '../../evidence.ts';
import type { Severity } from '../../finding.ts';
import { TELLING_KINDS } from '../../text-index.ts';
import type { AuditCase } from '../../audit-case.ts';

/** Kinds that are a text of the system's own. */
const PLURAL = { answer: 'answers', summary: 'summaries' } as const;
const EMPTY_TEXTS = { warning: { share: 0.1, fewest: 3 }, error: { share: 0.5, fewest: 5 } };
/** A list may be empty by right, or because a weak system found nothing: so many are not ordinary. */
const EMPTY_LISTS = { note: 0.3, warning: 0.5, error: 0.9, fewest: 5, fewestUntold: 20 };
/** Empty lists must be so many times those that the system's ordinary misses would leave. */
const CLEARLY_MORE = 2;
/** A letter, a digit or a sign that means something, such as an emoji. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{S}]/u;
/** Cases with several gold items and a hit among them, from which the rate of misses can be told. */
const LEAST_TELLING = 5;
const STEPS = 40;
/** Few misses are a rough measure of their rate: so many times the square root of their number may have come less. */
const DOUBT = 2;

export const emptyAnswers: AuditCheck = {
  name: 'empty-answers',
  about: 'answers and summaries that are empty, and lists of items that are empty where gold has some',
  severity: `Texts: warning at ${levelText(EMPTY_TEXTS.warning.share)} (${EMPTY_TEXTS.warning.fewest} or more), error at ${levelText(EMPTY_TEXTS.error.share)} (${EMPTY_TEXTS.error.fewest} or more). Lists, of the cases with gold (${EMPTY_LISTS.fewest} or more): note at ${levelText(EMPTY_LISTS.note)}, warning at ${levelText(EMPTY_LISTS.warning)}, error at ${levelText(EMPTY_LISTS.error)}, if that is ${CLEARLY_MORE} times what ordinary misses would leave empty; if fewer than ${LEAST_TELLING} cases with several gold items have a hit, only a warning at ${levelText(EMPTY_LISTS.error)} (${EMPTY_LISTS.fewestUntold} or more)`,
  scoredOnly: true,
  open: (context) => [emptyTexts('answer', context), emptyTexts('summary', context), emptyLists(context)],
};

function emptyTexts(kind: keyof typeof PLURAL, { keep }: OpenContext): OpenCheck {
  const evidence = keep(new Evidence());
  const seen = keep({ all: 0, blank: 0 });
  return {
    kinds: [kind],
    // A summary that failed counts as a failure, which is what it is.
    outcomes: ['hit', 'missed', 'excused'],
    verdict({ predicted }, { case: id }) {
      if (predicted === null) return;
      seen.all += 1;
      const { text, label, fields } = predicted;
      const ctu = fields['summary_ctu'];
      // A summary may have had words when it was counted: logs may be kept without them. An empty one has 1 CTU.
      if (SAYS_SOMETHING.test(text) || (typeof ctu === 'number' && ctu > 1)) return;
      if (text.trim() === '') seen.blank += 1;
      const note = text === '' ? 'no text' : text.trim() === '' ? 'only white space' : 'no letter and no digit';
      evidence.addItem({ case: id, side: 'predicted', label, text, note });
    },
    find() {
      const { all, blank } = seen;
      const empty = evidence.items.total;
      const reaches = ({ share, fewest }: (typeof EMPTY_TEXTS)['error']): boolean =>
        empty >= fewest && empty >= share * all;
      if (!reaches(EMPTY_TEXTS.warning)) return null;
      return {
        severity: reaches(EMPTY_TEXTS.error) ? 'error' : 'warning',
        title: `${count(empty)} of ${count(all)} ${PLURAL[kind]} (${percent(empty, all)}) are empty${blank === empty ? '' : ' or have neither a letter nor a digit'}`,
        words: `empty-answers/${kind}`,
        subjects: [PLURAL[kind]],
        evidence,
      };
    },
  };
}

/** Cases with gold that were answered with an empty list. */
function emptyLists({ keep }: OpenContext): OpenCheck {
  const evidence = keep(new Evidence());
  /** By how many gold items they have: all answered cases, and what cases with a hit miss of them. */
  const sizes = keep(new Map<number, number>());
  const met = keep(new Map<number, { cases: number; missed: number }>());
  const add = (id: string, hits: number, missed: number, isEmpty: boolean): void => {
    const gold = hits + missed;
    if (gold === 0) return;
    addTo(sizes, gold);
    if (hits > 0) {
      const known = entryOf(met, gold, () => ({ cases: 0, missed: 0 }));
      known.cases += 1;
      known.missed += missed;
    }
    if (isEmpty) evidence.addCase(id);
  };
  return {
    spans: ({ case: id, hits, missed, predicted }) => add(id, hits, missed, predicted.count === 0),
    case({ case: id, answered = true, verdicts }) {
      let [hits, missed, isEmpty] = [0, 0, true];
      for (const { kind, verdict, predicted } of verdicts) {
        if (!TELLING_KINDS.has(kind)) continue;
        if (verdict === 'hit') hits += 1;
        else if (verdict === 'missed') missed += 1;
        if (predicted !== null) isEmpty = false;
      }
      // Without any record of an answer, the check `dropped-data` reports it.
      if (answered) add(id, hits, missed, isEmpty);
    },
    find() {
      const [empty, all] = [evidence.cases.total, sum(sizes.values())];
      // If all are empty nothing was measured, and another check reports that.
      if (empty < EMPTY_LISTS.fewest || empty === all || empty < EMPTY_LISTS.note * all) return null;
      const expected = expectedEmpty(sizes, met);
      const severity = severityOf(empty, all, expected);
      if (severity === null) return null;
      return {
        severity,
        title: `${count(empty)} of ${count(all)} cases with gold (${percent(empty, all)}) were answered with an empty list${expected === null ? '' : `; at the rate at which items are missed in the other cases there would be ${count(Math.ceil(expected))} at most`}`,
        words: 'empty-answers/lists',
        subjects: ['items'],
        evidence,
      };
    },
  };
}

/** If the number expected from ordinary misses is unknown, only nearly all of them are worth a warning. */
function severityOf(empty: number, all: number, expected: number | null): Severity | null {
  const share = empty / all;
  if (expected === null) return share >= EMPTY_LISTS.error && empty >= EMPTY_LISTS.fewestUntold ? 'warning' : null;
  if (empty < CLEARLY_MORE * expected) return null;
  return share >= EMPTY_LISTS.error ? 'error' : share >= EMPTY_LISTS.warning ? 'warning' : 'note';
}

/**
 * How many cases would have no hit if every gold item were missed with the same chance, whatever case it is in: at most,
 * as the chance is not known exactly.
 *
 * The chance m comes from the cases that have a hit, which is informative only for a case with several gold items: of g
 * items that are not all missed, g · (m − m^g) / (1 − m^g) are missed on average. The m at which that is what was missed,
 * and 2 · √(missed + 1) more, is found by halving. Then a case of g items is missed whole with the chance m^g. null: too
 * few cases to tell.
 *
 * Example: 16 cases of 2 items with a hit, and 3 items missed in them; 3 + 2 · √4 = 7, and 16 · 2m / (1 + m) = 7 for
 * m = 7/25. Of 100 cases of 2 items, 100 · (7/25)² = 7.84 would have no hit.
 */
export function expectedEmpty(
  sizes: ReadonlyMap<number, number>,
  met: ReadonlyMap<number, { readonly cases: number; readonly missed: number }>,
): number | null {
  const several = [...met].filter(([gold]) => gold > 1);
  if (sum(several.map(([, { cases }]) => cases)) < LEAST_TELLING) return null;
  const counted = sum(several.map(([, own]) => own.missed));
  const missed = counted + DOUBT * Math.sqrt(counted + 1);
  const missedAt = (m: number): number =>
    sum(several.map(([gold, { cases }]) => (cases * gold * (m - m ** gold)) / (1 - m ** gold)));
  let [low, high] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (missedAt(middle) < missed) low = middle;
    else high = middle;
  }
  const m = (low + high) / 2;
  return sum([...sizes].map(([gold, cases]) => cases * m ** gold));
}

/** Kinds that mark or quote a piece of the text; a name, a class or an answer is none. */
const QUOTING: ReadonlySet<ItemKind> = new Set<ItemKind>(['span', 'object']);
/** A short text may be one name, or one complaint, from end to end. */
const LONG_TEXT = 200;
const WHOLE = 0.8;
/** If gold covers half as much, the text is of that kind, and a long mark is no fault. */
const GOLD_PART = 0.5;
const LEAST_CASES = 5;
const LEAST_SHARE = 0.3;
/** What stands between two words that are marked one by one. */
const GAP = 2;

export const wholeText: AuditCheck = {
  name: 'whole-text-predictions',
  about: 'predictions that mark or quote nearly the whole text, where gold marks little of it',
  severity: `Warning: predictions cover ${levelText(WHOLE)} of the text and gold less than ${levelText(GOLD_PART)} of that, in ${levelText(LEAST_SHARE)} of the cases with ${LONG_TEXT} characters or more (${LEAST_CASES} or more)`,
  needs: ['texts'],
  scoredOnly: true,
  open({ keep }) {
    const looked = keep({ items: 0, long: 0, whole: 0, characters: 0, predicted: 0, gold: 0 });
    const evidence = keep(new Evidence());
    /** Most cases end here: their pieces are too short, whatever their places. */
    const mayBeWhole = (length: number, pieces: number, covered: number): boolean => {
      looked.items += pieces;
      if (length < LONG_TEXT) return false;
      looked.long += 1;
      return covered + GAP * pieces >= WHOLE * length;
    };
    const addWhole = (given: AuditCase, text: string): void => {
      const items = piecesOf(given, 'predicted');
      const [predicted, gold] = [coveredBy(items, text), coveredBy(piecesOf(given, 'gold'), text)];
      if (predicted < WHOLE * text.length || gold >= GOLD_PART * predicted) return;
      looked.whole += 1;
      looked.characters += text.length;
      looked.predicted += predicted;
      looked.gold += gold;
      const longest = items.reduce((most, item) => (lengthOf(item) > lengthOf(most) ? item : most));
      const note = `predictions cover ${percent(predicted, text.length)} of the text, gold ${percent(gold, text.length)}`;
      evidence.addItem({ case: given.case, side: 'predicted', label: longest.label, text: longest.text, note });
    };
    return {
      spans(given) {
        const { predicted, text } = given;
        let covered = 0;
        for (let at = 0; at < predicted.count; at += 1) covered += predicted.get(at, END) - predicted.get(at, START);
        if (mayBeWhole(text.length, predicted.count, covered)) addWhole(given.whole, text);
      },
      case(given) {
        if (given.text === null) return;
        const { pieces, covered } = sizeOfPieces(given);
        if (mayBeWhole(given.text.length, pieces, covered)) addWhole(given, given.text);
      },
      find() {
        const { items, long, whole, characters, predicted, gold } = looked;
        if (items === 0) return { skipped: 'no prediction marks or quotes a piece of a text' };
        if (long === 0) return { skipped: `no text has ${LONG_TEXT} characters` };
        if (whole < LEAST_CASES || whole < LEAST_SHARE * long) return null;
        return {
          severity: 'warning',
          title: `In ${count(whole)} of ${count(long)} cases with a text of ${LONG_TEXT} characters or more (${percent(whole, long)}) predictions cover ${levelText(WHOLE)} or more of it: ${percent(predicted, characters)} of all these texts, where gold covers ${percent(gold, characters)}`,
          words: 'whole-text/found',
          evidence,
        };
      },
    };
  },
};

/** What one side marks in a text. What was set aside does not count, so it covers nothing. */
function piecesOf({ verdicts }: AuditCase, side: Side): Item[] {
  return verdicts.flatMap((verdict) => (isPiece(verdict[side], verdict) ? [verdict[side]] : []));
}

function isPiece(item: Item | null, { setAside }: Verdict): item is Item {
  return item !== null && !setAside && QUOTING.has(item.kind) && item.text !== '';
}

/** How many pieces are predicted, and how long they are together. */
function sizeOfPieces({ verdicts }: AuditCase): { readonly pieces: number; readonly covered: number } {
  let [pieces, covered] = [0, 0];
  for (const verdict of verdicts) {
    const { predicted } = verdict;
    if (!isPiece(predicted, verdict)) continue;
    pieces += 1;
    covered += lengthOf(predicted);
  }
  return { pieces, covered };
}

function lengthOf({ start, end, text }: Item): number {
  return start < 0 ? text.length : end - start;
}

/** Characters of the text that are in one of the pieces. Places may overlap, and quotes say no place: the first is taken. */
function coveredBy(items: readonly Item[], text: string): number {
  const places = items
    .map((item) => {
      const start = item.start < 0 ? text.indexOf(item.text) : item.start;
      return { start, end: Math.min(start + lengthOf(item), text.length) };
    })
    .filter(({ start }) => start >= 0)
    .sort((a, b) => a.start - b.start);
  let [covered, reached] = [0, -Infinity];
  for (const { start, end } of places) {
    if (end <= reached) continue;
    covered += end - (start - reached <= GAP ? reached : start);
    reached = end;
  }
  return covered;
}
