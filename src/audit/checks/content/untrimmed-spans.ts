import { type Item, type Side, SIDES } from '../../../data/item.ts';
import { END, type SpanList, START } from '../../../data/span-list.ts';
import type { Verdict } from '../../../judge/verdict.ts';
import { isWhiteSpace } from '../../../text/characters.ts';
import { count, levelText, percent, plural } from '../../../text/figures.ts';
import { haveSamePieces, placeKey, stretchesOf, trimmedPlace } from '../../../text/pieces.ts';
import type { AuditCase, AuditSpans } from '../../audit-case.ts';
import type { AuditCheck, NewFinding, OpenContext } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { namedRules, pairParts, stringAt } from '../../recipe-parts.ts';
import { isPlaced } from './spans-within-words.ts';

/** White space that costs fewer hits is a slip here and there, not a habit of what wrote the file. */
const FEWEST = 5;
const SHARE = { warning: 0.02, error: 0.1 };

/** In a case with more, each with white space is looked at as an item. */
const MOST_COMPARED = 64;

/** Spans of one side: all, those with white space at an end, and of these the ones that would be hits without it. */
type SideCounts = { spans: number; blank: number; readonly lost: Evidence };

/** A span of a case and the place it would have without white space at its ends. */
type Trimmed = Readonly<{ item: Item; key: string; isBlank: boolean }>;

export const untrimmedSpans: AuditCheck = {
  name: 'untrimmed-spans',
  about: 'spans with white space at an end that would be hits without it',
  severity: `Error: ${levelText(SHARE.error)} of the spans of a side (${FEWEST}+); warning: ${levelText(SHARE.warning)}`,
  needs: ['texts'],
  scoredOnly: true,
  open({ recipe, index, keep }) {
    const counts: Readonly<Record<Side, SideCounts>> = {
      gold: keep({ spans: 0, blank: 0, lost: new Evidence() }),
      predicted: keep({ spans: 0, blank: 0, lost: new Evidence() }),
    };
    const parts = pairParts(recipe).filter(({ unit }) => unit === 'item');
    const labelled = new Set(parts.flatMap(({ kind, comparesLabels }) => (comparesLabels ? [kind] : [])));
    const addLost = (given: AuditCase, text: string): void => {
      const keyOf = trimmer(text, labelled);
      const [gold, predicted] = SIDES.map((side) => uncredited(given.verdicts, side).map(keyOf));
      const waiting = Map.groupBy(gold!, ({ key }) => key);
      for (const own of predicted!) {
        const other = waiting.get(own.key)?.shift();
        if (other === undefined) continue;
        const pair = { gold: other, predicted: own };
        for (const side of SIDES) {
          const { item, isBlank } = pair[side];
          const note = JSON.stringify(text.slice(item.start, item.end));
          if (isBlank)
            counts[side].lost.addItem({ case: given.case, side, label: item.label, text: item.text.trim(), note });
        }
      }
    };
    return {
      spans(given) {
        const { units } = index.scanned;
        let mayBeLost = false;
        for (const side of SIDES) {
          const spans = given[side];
          counts[side].spans += spans.count;
          for (let at = 0; at < spans.count; at += 1) {
            if (!hasBlankEnd(units, spans.get(at, START), spans.get(at, END))) continue;
            counts[side].blank += 1;
            mayBeLost ||= isLost(given, side, at, units);
          }
        }
        if (mayBeLost) addLost(given.whole, given.text);
      },
      case(given) {
        const { text } = given;
        if (text === null) return;
        let isBlank = false;
        for (const side of SIDES)
          for (const item of placedItems(given.verdicts, side)) {
            counts[side].spans += 1;
            if (!stretchesOf(item).some(({ start, end }) => hasBlankEnd(text, start, end))) continue;
            counts[side].blank += 1;
            isBlank = true;
          }
        if (isBlank) addLost(given, text);
      },
      find() {
        if (parts.length === 0) return { skipped: 'spans are compared piece by piece' };
        const trimming = trimmingSides(recipe, counts);
        return SIDES.map((side) => findingOf(side, counts[side], trimming));
      },
    };
  },
};

function findingOf(side: Side, { spans, blank, lost }: SideCounts, trimming: string): NewFinding | null {
  const n = lost.items.total;
  if (n < FEWEST || n < SHARE.warning * spans) return null;
  return {
    severity: n >= SHARE.error * spans ? 'error' : 'warning',
    title: `${count(blank)} of ${plural(spans, `${side} span`)} (${percent(blank, spans)}) begin or end with white space; ${count(n)} more would be right without it`,
    words: 'untrimmed-spans/lost',
    todo: `Score again with --set prepare.trim.side=${trimming}, or write the places without white space where the spans are made.`,
    subjects: [side],
    evidence: lost,
  };
}

/** The sides that `trim` has to be set to: those that it cures, and those that the recipe trims anyway. */
function trimmingSides(recipe: OpenContext['recipe'], counts: Readonly<Record<Side, SideCounts>>): string {
  const [trim] = namedRules(recipe, 'prepare', 'trim');
  const known = trim === undefined ? null : (stringAt(trim.params, 'side') ?? 'predicted');
  const sides = SIDES.filter((side) => side === known || counts[side].lost.items.total >= FEWEST);
  return sides.length > 1 || known === 'both' ? 'both' : (sides[0] ?? 'predicted');
}

/** The placed items of one side that were not set aside, each once. */
function placedItems(verdicts: readonly Verdict[], side: Side): Set<Item> {
  const items = new Set<Item>();
  for (const { setAside, [side]: item } of verdicts) if (item !== null && !setAside && isPlaced(item)) items.add(item);
  return items;
}

/** Those that count and are not worth a whole hit. */
function uncredited(verdicts: readonly Verdict[], side: Side): Item[] {
  const worth = new Map<Item, boolean>();
  for (const { setAside, verdict, credit, [side]: item } of verdicts) {
    if (item === null || setAside || !isPlaced(item)) continue;
    const isWhole = verdict === 'excused' || (verdict === 'hit' && credit >= 1);
    worth.set(item, isWhole || worth.get(item) === true);
  }
  return [...worth].flatMap(([item, isWhole]) => (isWhole ? [] : [item])).sort(byPlace);
}

function byPlace(a: Item, b: Item): number {
  return a.start - b.start || a.end - b.end || a.index - b.index;
}

function hasBlankEnd(units: Units, start: number, end: number): boolean {
  return end > start && (isWhiteSpace(unitAt(units, start)) || isWhiteSpace(unitAt(units, end - 1)));
}

/** A text, or its UTF-16 units. */
type Units = string | Uint16Array;

function unitAt(units: Units, at: number): number {
  return typeof units === 'string' ? units.charCodeAt(at) : units[at]!;
}

/** Whether a span that is worth no whole hit has a span of the other side at its place without white space. */
function isLost({ own, gold, predicted }: AuditSpans, side: Side, at: number, units: Units): boolean {
  if (own.pairing[side][at]! >= 0 && own.scheme.partial >= 1) return false;
  const [spans, others] = side === 'gold' ? [gold, predicted] : [predicted, gold];
  if (others.count > MOST_COMPARED) return true;
  const [start, end] = trimmedEnds(units, spans, at);
  for (let other = 0; other < others.count; other += 1) {
    const [otherStart, otherEnd] = trimmedEnds(units, others, other);
    if (otherStart === start && otherEnd === end) return true;
  }
  return false;
}

function trimmedEnds(units: Units, spans: SpanList, at: number): [number, number] {
  let [start, end] = [spans.get(at, START), spans.get(at, END)];
  while (start < end && isWhiteSpace(unitAt(units, start))) start += 1;
  while (end > start && isWhiteSpace(unitAt(units, end - 1))) end -= 1;
  return [start, end];
}

function trimmer(text: string, labelled: ReadonlySet<string>): (item: Item) => Trimmed {
  return (item) => {
    const { kind, label } = item;
    // White space and nothing else stays as it is.
    const place = trimmedPlace(text, item);
    const isBlank = place !== null && !haveSamePieces(item, place);
    return { item, key: `${kind} ${placeKey(place ?? item)} ${labelled.has(kind) ? label : ''}`, isBlank };
  };
}
