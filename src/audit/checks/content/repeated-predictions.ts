import { type Item, type Side, SIDES } from '../../../data/item.ts';
import { END, LABEL, type SpanList, START } from '../../../data/span-list.ts';
import { itemKey } from '../../../prepare/step.ts';
import type { Verdict } from '../../../judge/verdict.ts';
import { compareText } from '../../../text/compare.ts';
import { count, levelText, percent, plural } from '../../../text/figures.ts';
import type { AuditSpans } from '../../audit-case.ts';
import type { AuditCheck, NewFinding } from '../../check.ts';
import { entryOf, Evidence } from '../../evidence.ts';
import { namedRules, type ResolvedRecipe, stringAt } from '../../recipe-parts.ts';
import { TELLING_KINDS } from '../../text-index.ts';

/** A case is doubled if so many of its different items are there more than once. */
const DOUBLED = 0.8;
/** A model that repeats itself does so in a few cases; a file that was joined twice is doubled throughout. */
const FEWEST = { cases: 3, items: 5 };
const SHARE = { warning: 0.05, error: 0.5 };

/** What there is of a side: cases with items, items, and the copies in doubled cases that cost something. */
type SideCounts = { cases: number; items: number; readonly copies: Evidence };

/** Items of a case that are equal in kind, place, label and text. */
type Equals = { readonly items: Item[]; lost: number };

/** The verdict of a copy that has no partner left. */
const LOST = { gold: 'missed', predicted: 'spurious' } as const;

export const repeatedPredictions: AuditCheck = {
  name: 'repeated-items',
  about: 'cases in which a side has every item more than once and copies count as errors',
  severity: `Error: ${levelText(SHARE.error)} of the cases with items (${FEWEST.cases}+, with ${FEWEST.items}+ items); warning: ${levelText(SHARE.warning)}`,
  scoredOnly: true,
  open({ recipe, keep }) {
    const none = (): SideCounts => ({ cases: 0, items: 0, copies: new Evidence() });
    const counts: Readonly<Record<Side, SideCounts>> = { gold: keep(none()), predicted: keep(none()) };
    return {
      spans(given) {
        for (const side of SIDES) addSpans(side, given, counts[side]);
      },
      case({ case: id, verdicts }) {
        for (const side of SIDES) {
          const met = itemsOf(verdicts, side);
          if (met.size === 0) continue;
          const own = counts[side];
          own.cases += 1;
          own.items += met.size;
          if (!mayRepeat(met.keys())) continue;
          const groups = new Map<string, Equals>();
          for (const [item, isLost] of met) {
            const group = entryOf(groups, itemKey(item), () => ({ items: [], lost: 0 }));
            group.items.push(item);
            if (isLost) group.lost += 1;
          }
          const repeated = [...groups.values()].filter(({ items }) => items.length > 1);
          if (repeated.length === 0 || repeated.length < DOUBLED * groups.size) continue;
          const copies = repeated.flatMap(({ items, lost }) => items.slice(0, Math.min(lost, items.length - 1)));
          for (const { label, text } of copies.sort(byContent))
            own.copies.addItem({ case: id, side, label, text, note: null });
        }
      },
      find: () => SIDES.map((side) => findingOf(side, counts[side], recipe)),
    };
  },
};

/** The items of one side that were not set aside, each once, and whether it counts as an error. */
function itemsOf(verdicts: readonly Verdict[], side: Side): Map<Item, boolean> {
  const items = new Map<Item, boolean>();
  for (const { kind, verdict, setAside, [side]: item } of verdicts)
    if (item !== null && !setAside && item.index >= 0 && TELLING_KINDS.has(kind) && !items.has(item))
      items.set(item, verdict === LOST[side]);
  return items;
}

/** Whether two items have one place, or one text: mostly none have, and their keys need not be made. */
function mayRepeat(items: Iterable<Item>): boolean {
  const seen = new Set<number | string>();
  let n = 0;
  for (const { start, end, text } of items) {
    n += 1;
    seen.add(start >= 0 ? start * 0x200000 + end : text);
    if (seen.size < n) return true;
  }
  return false;
}

/** The same for plain spans, which are in content order. */
function addSpans(side: Side, given: AuditSpans, counts: SideCounts): void {
  const [spans, partners] = [given[side], given.own.pairing[side]];
  if (spans.count === 0) return;
  counts.cases += 1;
  counts.items += spans.count;
  let [different, repeated] = [0, 0];
  const copies: number[] = [];
  for (let from = 0, to = 0; from < spans.count; from = to) {
    let lost = 0;
    for (to = from; to < spans.count && isEqual(spans, from, to); to += 1) if (partners[to]! < 0) lost += 1;
    different += 1;
    if (to - from === 1) continue;
    repeated += 1;
    for (let n = Math.min(lost, to - from - 1); n > 0; n -= 1) copies.push(from);
  }
  if (repeated === 0 || repeated < DOUBLED * different) return;
  const { case: id } = given;
  counts.copies.addItems(id, copies.length, (n) => {
    const at = copies[n]!;
    return { case: id, side, label: given.labelOf(spans, at), text: given.slice(spans, at), note: null };
  });
}

function isEqual(spans: SpanList, one: number, other: number): boolean {
  if (one === other) return true;
  return (
    spans.get(one, START) === spans.get(other, START) &&
    spans.get(one, END) === spans.get(other, END) &&
    spans.get(one, LABEL) === spans.get(other, LABEL)
  );
}

function byContent(a: Item, b: Item): number {
  return a.start - b.start || a.end - b.end || compareText(a.label, b.label) || compareText(a.text, b.text);
}

function findingOf(side: Side, { cases, items, copies }: SideCounts, recipe: ResolvedRecipe): NewFinding | null {
  const [doubled, n] = [copies.cases.total, copies.items.total];
  if (doubled < FEWEST.cases || n < FEWEST.items || doubled < SHARE.warning * cases) return null;
  const what = side === 'gold' ? 'gold items' : 'predictions';
  return {
    severity: doubled >= SHARE.error * cases ? 'error' : 'warning',
    title: `In ${count(doubled)} of ${plural(cases, 'case')} (${percent(doubled, cases)}) all ${what} are there more than once; ${count(n)} of ${count(items)} ${what} are copies that count as ${LOST[side]}`,
    words: 'repeated-items/copies',
    todo: `Score again with --set prepare.dedupe.side=${dedupeSide(side, recipe)}, or write each item once: was a file joined with itself, or a system asked twice?`,
    subjects: [side],
    evidence: copies,
  };
}

/** One that the recipe sets for the other side stays. */
function dedupeSide(side: Side, recipe: ResolvedRecipe): string {
  const [dedupe] = namedRules(recipe, 'prepare', 'dedupe');
  const known = dedupe === undefined ? side : (stringAt(dedupe.params, 'side') ?? 'gold');
  return known === side ? side : 'both';
}
