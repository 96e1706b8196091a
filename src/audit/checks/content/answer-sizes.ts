import type { Item, ItemKind, Side } from '../../../data/item.ts';
import { END, START } from '../../../data/span-list.ts';
import type { Verdict } from '../../../judge/verdict.ts';
import { count, percent, levelText } from '../../../text/figures.ts';
import { stretchesOf } from '../../../text/pieces.ts';
import type { Span } from '../../../text/span.ts';
import type { AuditCheck, OpenCheck, OpenContext } from '../../check.ts';
import { entryOf, Evidence, sum } from '../../evidence.ts';
import type { Severity } from '../../finding.ts';
import { TELLING_KINDS } from '../../text-index.ts';
import type { AuditCase } from '../../audit-case.ts';

/** Kinds that are a text of the system's own. */
const PLURAL = { answer: 'answers', summary: 'summaries' } as const;
const EMPTY_TEXTS = { warning: { share: 0.1, fewest: 3 }, error: { share: 0.5, fewest: 5 } };
/** A list may be empty by right, or because a weak system found nothing: so many are not ordinary. */
const EMPTY_LISTS = { note: 0.3, warning: 0.5, error: 0.9, fewest: 5, fewestUntold: 20 };
/** A system that misses so few items elsewhere does not differ so much from case to case that it empties so many lists. */
const RELIABLE = { misses: 0.3, warning: 0.4 };
/** A letter, a digit or a sign that means something, such as an emoji. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{S}]/u;
/** Cases with several gold items and predictions, from which the rate of items without any can be told; or fewer long ones. */
const TELLING = { cases: 5, longCases: 2, items: 20 };
const STEPS = 40;
/** Few such items are a rough measure of their rate: so many times the square root of their number more may be ordinary. */
const DOUBT = 1;

export const emptyAnswers: AuditCheck = {
  name: 'empty-answers',
  about: 'empty answers and summaries, and empty lists of items if gold has some',
  severity: `Texts: warning at ${levelText(EMPTY_TEXTS.warning.share)} (${EMPTY_TEXTS.warning.fewest}+), error at ${levelText(EMPTY_TEXTS.error.share)} (${EMPTY_TEXTS.error.fewest}+). Lists, of the cases with gold (${EMPTY_LISTS.fewest}+): note at ${levelText(EMPTY_LISTS.note)}, warning at ${levelText(EMPTY_LISTS.warning)} (${levelText(RELIABLE.warning)} if at most ${levelText(RELIABLE.misses)} of the items elsewhere lack predictions), error at ${levelText(EMPTY_LISTS.error)}, less what ordinary misses leave empty; if fewer than ${TELLING.cases} cases with several gold items have predictions (${TELLING.longCases} with ${TELLING.items}+ items), a warning at ${levelText(EMPTY_LISTS.error)} (${EMPTY_LISTS.fewestUntold}+)`,
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

const noCases = () => ({ cases: 0, empty: 0 });

/** Cases with gold that were answered with an empty list. */
function emptyLists({ keep }: OpenContext): OpenCheck {
  const evidence = keep(new Evidence());
  const sizes = keep(new Map<number, { cases: number; empty: number }>(), noCases);
  /** Cases with predictions by how many gold items they have, and how many of these have no prediction left for them. */
  const answered = keep(new Map<number, { cases: number; without: number }>());
  const add = (id: string, gold: number, predicted: number): void => {
    if (gold === 0) return;
    const own = entryOf(sizes, gold, noCases);
    own.cases += 1;
    if (predicted === 0) {
      own.empty += 1;
      return evidence.addCase(id);
    }
    const known = entryOf(answered, gold, () => ({ cases: 0, without: 0 }));
    known.cases += 1;
    known.without += Math.max(0, gold - predicted);
  };
  return {
    spans: ({ case: id, gold, predicted }) => add(id, gold.count, predicted.count),
    case({ case: id, answered: hasAnswer = true, verdicts }) {
      let [gold, predictions] = [0, 0];
      for (const { kind, verdict, predicted } of verdicts) {
        if (!TELLING_KINDS.has(kind)) continue;
        if (verdict === 'hit' || verdict === 'missed') gold += 1;
        if (predicted !== null) predictions += 1;
      }
      // Without any record of an answer, the check `dropped-data` reports it.
      if (hasAnswer) add(id, gold, predictions);
    },
    find() {
      const [empty, all] = [evidence.cases.total, sum([...sizes.values()].map(({ cases }) => cases))];
      // If all are empty nothing was measured, and another check reports that.
      if (empty < EMPTY_LISTS.fewest || empty === all) return null;
      const chance = emptyRate(answered);
      const share = chance === null ? null : emptiedShare(sizes, chance);
      const severity = severityOf({ share, chance }, empty, all);
      if (severity === null) return null;
      const ordinary = `; at the rate at which the other cases lack predictions, ${percent(share ?? 0, 1)} were emptied by something else`;
      return {
        severity,
        title: `${count(empty)} of ${count(all)} cases with gold (${percent(empty, all)}) were answered with an empty list${share === null ? '' : ordinary}`,
        words: 'empty-answers/lists',
        subjects: ['items'],
        evidence,
      };
    },
  };
}

/** If the rate of ordinary misses is unknown, only nearly all of them are worth a warning. */
function severityOf(
  { share, chance }: Readonly<Record<'share' | 'chance', number | null>>,
  empty: number,
  all: number,
): Severity | null {
  if (share === null || chance === null)
    return empty >= EMPTY_LISTS.error * all && empty >= EMPTY_LISTS.fewestUntold ? 'warning' : null;
  if (share >= EMPTY_LISTS.error) return 'error';
  const warning = chance <= RELIABLE.misses ? RELIABLE.warning : EMPTY_LISTS.warning;
  return share >= warning ? 'warning' : share >= EMPTY_LISTS.note ? 'note' : null;
}

/** Answered cases by how many gold items they have, and how many of them have an empty list. */
type Sizes = ReadonlyMap<number, Readonly<{ cases: number; empty: number }>>;

/**
 * The chance m with which a gold item gets no prediction, whatever case it is in: at most, as it is not known exactly.
 *
 * It comes from the cases that have predictions, which is informative only for a case with several gold items: of g items
 * that are not all without one, g · (m − m^g) / (1 − m^g) are on average. The m at which that is what was without, and
 * √(without + 1) more, is found by halving. null: too few cases to tell.
 *
 * Example: 16 cases of 2 items with predictions, and 3 items without one in them; 3 + √4 = 5, and
 * 16 · 2m / (1 + m) = 5 for m = 5/27.
 */
export function emptyRate(
  answered: ReadonlyMap<number, { readonly cases: number; readonly without: number }>,
): number | null {
  const several = [...answered].filter(([gold]) => gold > 1);
  const [known, items] = [several.map(([, { cases }]) => cases), several.map(([gold, { cases }]) => gold * cases)].map(
    sum,
  );
  if (known! < TELLING.cases && (known! < TELLING.longCases || items! < TELLING.items)) return null;
  const counted = sum(several.map(([, own]) => own.without));
  const without = counted + DOUBT * Math.sqrt(counted + 1);
  const withoutAt = (m: number): number =>
    sum(several.map(([gold, { cases }]) => (cases * gold * (m - m ** gold)) / (1 - m ** gold)));
  let [low, high] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (withoutAt(middle) < without) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The share e of the cases that something else than ordinary misses emptied. A case of g items has no prediction with the
 * chance m^g, so of n cases e · n + (1 − e) · Σ m^g are empty; Σ m^g in whole cases. Cases of one item may be harder than others: what they
 * show must show in those of several items, too, so the smaller share of the two counts.
 *
 * Example: 100 cases of 2 items, 64 of them empty, and m = 0.3: 9 would be by chance, and e = (64 − 9) / (100 − 9) = 0.60.
 */
export function emptiedShare(sizes: Sizes, m: number): number {
  const shareOf = (some: readonly [gold: number, own: Readonly<{ cases: number; empty: number }>][]) => {
    const [cases, empty] = [sum(some.map(([, own]) => own.cases)), sum(some.map(([, own]) => own.empty))];
    const byChance = Math.floor(sum(some.map(([gold, own]) => own.cases * m ** gold)));
    return byChance < cases ? Math.max(0, (empty - byChance) / (cases - byChance)) : 0;
  };
  const all = [...sizes];
  return Math.min(shareOf(all), shareOf(all.filter(([gold]) => gold > 1)));
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
  about: 'predictions that mark or quote nearly the whole text',
  severity: `Warning: predictions cover ${levelText(WHOLE)} of the text and gold less than ${levelText(GOLD_PART)} of that, in ${levelText(LEAST_SHARE)} of the cases with ${LONG_TEXT}+ characters (${LEAST_CASES}+)`,
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
    pieces += predicted.start < 0 ? 1 : stretchesOf(predicted).length;
    covered += lengthOf(predicted);
  }
  return { pieces, covered };
}

function lengthOf(item: Item): number {
  if (item.start < 0) return item.text.length;
  return stretchesOf(item).reduce((length, { start, end }) => length + end - start, 0);
}

/** Characters of the text that are in one of the pieces. Places may overlap, and quotes say no place: the first is taken. */
function coveredBy(items: readonly Item[], text: string): number {
  const places = items
    .flatMap((item): readonly Span[] => {
      if (item.start >= 0) return stretchesOf(item);
      const start = text.indexOf(item.text);
      return [{ start, end: start + item.text.length }];
    })
    .filter(({ start }) => start >= 0)
    .sort((a, b) => a.start - b.start);
  let [covered, reached] = [0, -Infinity];
  for (const { start, end } of places) {
    if (end <= reached) continue;
    covered += Math.min(end, text.length) - (start - reached <= GAP ? reached : start);
    reached = end;
  }
  return covered;
}
