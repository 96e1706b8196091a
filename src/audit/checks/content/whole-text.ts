import type { Item, ItemKind, Side } from '../../../data/item.ts';
import { count, percent } from '../../../text/figures.ts';
import type { Check } from '../../check.ts';
import type { AuditCase } from '../../totals.ts';
import { Evidence } from '../../evidence.ts';

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

export const wholeText: Check = {
  name: 'whole-text',
  about: 'predictions that mark or quote nearly the whole text, where gold marks little of it',
  needs: ['texts'],
  scoredOnly: true,
  open() {
    const looked = { items: 0, long: 0, whole: 0, characters: 0, predicted: 0, gold: 0 };
    const evidence = new Evidence();
    return {
      case(given) {
        const { case: id, text } = given;
        if (text === null) return;
        const items = piecesOf(given, 'predicted');
        looked.items += items.length;
        if (text.length < LONG_TEXT) return;
        looked.long += 1;
        // Most cases end here: their pieces are too short, whatever their places.
        if (items.reduce((all, item) => all + lengthOf(item) + GAP, 0) < WHOLE * text.length) return;
        const [predicted, gold] = [coveredBy(items, text), coveredBy(piecesOf(given, 'gold'), text)];
        if (predicted < WHOLE * text.length || gold >= GOLD_PART * predicted) return;
        looked.whole += 1;
        looked.characters += text.length;
        looked.predicted += predicted;
        looked.gold += gold;
        const longest = items.reduce((most, item) => (lengthOf(item) > lengthOf(most) ? item : most));
        const note = `predictions cover ${percent(predicted, text.length)} of the text, gold ${percent(gold, text.length)}`;
        evidence.addItem({ case: id, side: 'predicted', label: longest.label, text: longest.text, note });
      },
      find() {
        const { items, long, whole, characters, predicted, gold } = looked;
        if (items === 0) return { skipped: 'no prediction marks or quotes a piece of a text' };
        if (long === 0) return { skipped: `no text has ${LONG_TEXT} characters` };
        if (whole < LEAST_CASES || whole < LEAST_SHARE * long) return null;
        return {
          severity: 'warning',
          title: `In ${count(whole)} of ${count(long)} cases with a text of ${LONG_TEXT} characters or more (${percent(whole, long)}) predictions cover 80 % or more of it: ${percent(predicted, characters)} of all these texts, where gold covers ${percent(gold, characters)}`,
          words: 'whole-text/found',
          evidence,
        };
      },
    };
  },
};

/** What one side marks in a text. What was set aside does not count, so it covers nothing. */
function piecesOf({ verdicts }: AuditCase, side: Side): Item[] {
  return verdicts.flatMap((verdict) => {
    const item = verdict[side];
    return item === null || verdict.setAside || !QUOTING.has(item.kind) || item.text === '' ? [] : [item];
  });
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
