import type { Item, ItemKind, Side } from '../../../data/item.ts';
import type { AuditCase, Check, Found, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { count, percent } from '../../../text/figures.ts';

/** Kinds that mark or quote a piece of the text; a name, a class or an answer is none. */
const QUOTING: ReadonlySet<ItemKind> = new Set<ItemKind>(['span', 'object']);
/** A short text may be one name, or one complaint, from end to end. */
const LONG_TEXT = 200;
const WHOLE = 0.8;
/** Where gold covers half as much, the text is of that kind, and a long mark is no fault. */
const GOLD_PART = 0.5;
const LEAST_CASES = 5;
const LEAST_SHARE = 0.3;
/** What stands between two words that are marked one by one. */
const GAP = 2;

/** Who marks everything misses nothing: some ways of scoring count that as the best there is. */
export const wholeText: Check = {
  name: 'whole-text',
  about: 'predictions that mark or quote nearly the whole text, where gold marks little of it',
  needs: ['texts'],
  open() {
    const looked = { items: 0, long: 0, whole: 0, characters: 0, predicted: 0, gold: 0 };
    const evidence = new Evidence();
    return {
      add(given) {
        const { text, failed } = given;
        if (text === null || failed !== null) return;
        const predicted = piecesOf(given, text, 'predicted');
        looked.items += predicted.items;
        if (text.length < LONG_TEXT) return;
        looked.long += 1;
        if (predicted.covered < WHOLE * text.length) return;
        const gold = piecesOf(given, text, 'gold');
        if (gold.covered >= GOLD_PART * predicted.covered) return;
        looked.whole += 1;
        looked.characters += text.length;
        looked.predicted += predicted.covered;
        looked.gold += gold.covered;
        const { longest } = predicted;
        if (longest === null) return;
        evidence.addItem({
          case: given.id,
          side: 'predicted',
          label: longest.label,
          text: longest.text,
          note: `predictions cover ${percent(predicted.covered, text.length)} of the text, gold ${percent(gold.covered, text.length)}`,
        });
      },
      finish(): Found {
        const { items, long, whole } = looked;
        if (items === 0) return { skipped: 'no prediction marks or quotes a piece of a text' };
        if (long === 0) return { skipped: `no text has ${LONG_TEXT} characters` };
        return whole < LEAST_CASES || whole < LEAST_SHARE * long ? [] : [finding(looked, evidence)];
      },
    };
  },
};

interface Looked {
  readonly long: number;
  readonly whole: number;
  readonly characters: number;
  readonly predicted: number;
  readonly gold: number;
}

function finding({ long, whole, characters, predicted, gold }: Looked, evidence: Evidence): NewFinding {
  return {
    severity: 'warning',
    title: `In ${count(whole)} of ${count(long)} cases with a text of ${LONG_TEXT} characters or more (${percent(whole, long)}) predictions cover 80 % or more of it: ${percent(predicted, characters)} of all these texts, where gold covers ${percent(gold, characters)}`,
    why: 'Who marks everything misses nothing. Recall is at its best then, though nothing is left of the text to read.',
    todo: 'Look at what the system gave: a fallback that marks the whole text, or a quote of all of it. Beside a score of covered mentions, one by tokens or characters (pii/token, pii/character) shows what was marked for nothing.',
    subjects: [],
    cases: evidence.cases,
    items: evidence.items,
  };
}

interface Pieces {
  readonly items: number;
  /** Characters of the text that are in one of them at least. */
  readonly covered: number;
  readonly longest: Item | null;
}

/** What one side marks in a text. What was set aside does not count, so it covers nothing. */
function piecesOf({ verdicts }: AuditCase, text: string, side: Side): Pieces {
  const items: Item[] = [];
  let [length, longest]: [number, Item | null] = [0, null];
  for (const verdict of verdicts) {
    const item = verdict[side];
    if (item === null || verdict.setAside || !QUOTING.has(item.kind) || item.text === '') continue;
    items.push(item);
    length += lengthOf(item) + GAP;
    if (longest === null || lengthOf(item) > lengthOf(longest)) longest = item;
  }
  // Most cases end here: their pieces are too short, whatever their places.
  if (side === 'predicted' && length < WHOLE * text.length) return { items: items.length, covered: 0, longest };
  return { items: items.length, covered: coveredBy(items, text), longest };
}

function lengthOf({ start, end, text }: Item): number {
  return start < 0 ? text.length : end - start;
}

/** Places may overlap, and quotes say no place: the first that holds them is taken. */
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
