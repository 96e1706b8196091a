import { type Item, type Side, SIDES } from '../../../data/item.ts';
import { END, START } from '../../../data/span-list.ts';
import type { Verdict } from '../../../judge/verdict.ts';
import { compareText } from '../../../text/compare.ts';
import { levelText } from '../../../text/figures.ts';
import { stretchesOf } from '../../../text/pieces.ts';
import type { Span } from '../../../text/span.ts';
import type { AuditCheck } from '../../check.ts';
import { addTo, entryOf, Evidence, sum } from '../../evidence.ts';
import { offsetUnit, pairParts } from '../../recipe-parts.ts';
import { type Drift, EXACT, NearPlaces } from './near-places.ts';
import { gapsPassed, otherUnit } from './other-unit.ts';
import {
  CONSISTENT,
  driftFinding,
  FEWEST,
  isCutting,
  isFault,
  isTogether,
  LIFT,
  moveFinding,
  type Off,
  LONE_END,
  type Pairs,
  SHARE,
  unitFinding,
} from './shift-findings.ts';
import { isPlaced, isWithinWord } from './spans-within-words.ts';

const none = (): Off => ({ cutPredicted: 0, cutGold: 0, lost: 0, breaks: 0, evidence: new Evidence() });
/** The predictions of a case: their labels, those of gold, and which are worth a whole hit. */
type PlacedCase = Readonly<{
  id: string;
  text: string | null;
  labelAt: (at: number) => string;
  goldLabelAt: (at: number) => string;
  isWhole: (at: number) => boolean;
}>;

export const shiftedSpans: AuditCheck = {
  name: 'shifted-spans',
  about: 'cases in which predicted and gold places differ alike, more and more, or in unit',
  severity: `Error: ${levelText(SHARE.error)} of the pairs (${FEWEST.spans}+ in ${FEWEST.cases}+ cases), or another unit; warning: ${levelText(SHARE.warning)}; note if less than ${levelText(SHARE.warning)} of the pairs lose a hit by it`,
  scoredOnly: true,
  open({ recipe, keep }) {
    const pairs: Pairs = keep({ exact: 0, cases: 0, moved: new Map(), sizes: new Map() });
    const ways = keep(new Map<number, Off>(), none);
    const drifts = keep(new Map<Drift['way'], Off>(), none);
    const units = keep(new Map<string, Off>(), none);
    const passed = keep({ byte: 0, utf16: 0 });
    const unitOf = { gold: offsetUnit(recipe, 'gold'), predicted: offsetUnit(recipe, 'predicted') };
    const isLabelled = pairParts(recipe).some(({ kind, comparesLabels }) => kind === 'span' && comparesLabels);
    const near = new NearPlaces();

    const note = (off: Off, at: number, given: PlacedCase, gold: Span | null): void => {
      const { id, text, labelAt, goldLabelAt, isWhole } = given;
      const [start, end] = [near.startAt(at), near.endAt(at)];
      const isWrong = isLabelled && near.moveAt(at) >= 0 && labelAt(at) !== goldLabelAt(near.partnerAt(at));
      // One with a wrong label would be no hit in its place.
      if (!isWrong && !isWhole(at)) off.lost += 1;
      if (text !== null && isCut(text, start, end)) off.cutPredicted += 1;
      if (text !== null && gold !== null && isCut(text, gold.start, gold.end)) off.cutGold += 1;
      const inGold =
        gold === null || text === null ? '' : `: ${JSON.stringify(text.slice(gold.start, gold.end))} in gold`;
      off.evidence.addItem({
        case: id,
        side: 'predicted',
        label: labelAt(at),
        text: text?.slice(start, end) ?? '',
        note: `at ${start} to ${end}${inGold}`,
      });
    };
    const addDrift = ({ way, places, shifts }: Drift, given: PlacedCase): void => {
      const off = entryOf(drifts, way, none);
      const breaks = given.text === null ? [] : lineBreaks(given.text, way);
      let before = 0;
      for (const [n, at] of places.entries()) {
        const shift = shifts[n]!;
        const gold = { start: near.startAt(at) - way * shift, end: near.endAt(at) - way * shift };
        note(off, at, given, gold);
        while (before < breaks.length && breaks[before]! < gold.start) before += 1;
        if (before === shift) off.breaks += 1;
      }
    };
    const add = (given: PlacedCase): void => {
      const { text } = given;
      const exact = near.pair();
      const moved = new Map<number, number>();
      for (let at = 0; exact < near.predictions && at < near.predictions; at += 1) {
        const move = near.moveAt(at);
        if (move >= 0 && move !== EXACT) addTo(moved, move);
      }
      if (text !== null) for (const gap of gapsPassed(text, near)) passed[gap] += 1;
      const other = exact === near.predictions || text === null ? null : otherUnit(text, unitOf, near);
      if (other !== null) {
        const off = entryOf(units, `${other.side} ${other.unit} ${other.gap} ${other.when}`, none);
        for (const at of other.places) note(off, at, given, near.moveAt(at) < 0 ? null : near.goldAt(at));
      }
      const drift = 2 * exact > near.predictions ? null : near.drift(exact);
      const all = exact + sum(moved.values());
      if (all === 0 && drift === null) return;
      pairs.exact += exact;
      pairs.cases += 1;
      addTo(pairs.sizes, all);
      const most = moved.size === 0 ? 0 : Math.max(...moved.values());
      for (const [move, n] of moved) addTo(pairs.moved, move, n);
      if (drift !== null && drift.places.length > most) return addDrift(drift, given);
      for (const [move, n] of moved) {
        // One end alone is off in ordinary cases, too: there only cases that are off throughout tell.
        const isThroughout = n >= CONSISTENT * (exact + n) && n >= most;
        if (!isTogether(move) && !(isCutting(move) && n >= LONE_END.pairs && isThroughout)) continue;
        const off = entryOf(ways, move, none);
        for (let at = 0; at < near.predictions; at += 1)
          if (near.moveAt(at) === move) note(off, at, given, near.goldAt(at));
      }
    };
    return {
      spans(given) {
        const { gold, predicted, own } = given;
        if (gold.count === 0 || predicted.count === 0) return;
        near.clear();
        for (let at = 0; at < gold.count; at += 1) near.addGold(gold.get(at, START), gold.get(at, END));
        for (let at = 0; at < predicted.count; at += 1)
          near.addPredicted(predicted.get(at, START), predicted.get(at, END));
        const labelAt = (at: number): string => given.labelOf(predicted, at);
        const goldLabelAt = (at: number): string => given.labelOf(gold, at);
        const isWhole = (at: number): boolean => own.pairing.predicted[at]! >= 0 && own.scheme.partial >= 1;
        add({ id: given.case, text: given.text, labelAt, goldLabelAt, isWhole });
      },
      case({ case: id, text, verdicts }) {
        const [gold, predicted] = SIDES.map((side) => placedPieces(verdicts, side));
        if (gold!.length === 0 || predicted!.length === 0) return;
        near.clear();
        for (const { start, end } of gold!) near.addGold(start, end);
        for (const { start, end } of predicted!) near.addPredicted(start, end);
        const hits = new Set(
          verdicts.flatMap((own) => (isWholeHit(own) && own.predicted !== null ? [own.predicted] : [])),
        );
        const [goldLabelAt, labelAt] = [gold!, predicted!].map((items) => (at: number) => items[at]!.label);
        const isWhole = (at: number): boolean => hits.has(predicted![at]!.item);
        add({ id, text, labelAt: labelAt!, goldLabelAt: goldLabelAt!, isWhole });
      },
      find: () => {
        const size = ({ evidence }: Off): number => evidence.items.total;
        const bySize = ([, one]: [unknown, Off], [, other]: [unknown, Off]): number => size(other) - size(one);
        const moves = [...ways]
          .filter(([move, off]) => isFault(move, off, pairs))
          .toSorted((one, other) => bySize(one, other) || one[0] - other[0]);
        const [unit] = [...units].toSorted(bySize);
        const [drift, reverse] = [...drifts].toSorted(bySize);
        // Behind one such character another unit looks like a shift, and a shift like another unit: what explains more.
        const most = moves.length === 0 ? 0 : size(moves[0]![1]);
        if (unit !== undefined && size(unit[1]) >= Math.max(most, drift === undefined ? 0 : size(drift[1])))
          return unitFinding(...unit, passed);
        if (drift !== undefined && size(drift[1]) > most && size(drift[1]) >= LIFT * (reverse ? size(reverse[1]) : 0))
          return driftFinding(...drift, pairs);
        return moves.map(([move, off]) => moveFinding(move, off, pairs, recipe));
      },
    };
  },
};

/** Line breaks that one side may have counted as one character and the other as two. */
function lineBreaks(text: string, way: Drift['way']): number[] {
  return Array.from(text.matchAll(way > 0 ? /(?<!\r)\n/g : /\r\n/g), ({ index }) => index);
}

function isWholeHit({ verdict, credit }: Verdict): boolean {
  return verdict === 'excused' || (verdict === 'hit' && credit >= 1);
}

/** The places of one side in text order; of a span in pieces, each of them. */
function placedPieces(
  verdicts: readonly Verdict[],
  side: Side,
): (Span & Pick<Item, 'label'> & { readonly item: Item })[] {
  const items = new Set<Item>();
  for (const { setAside, kind, [side]: item } of verdicts)
    if (item !== null && !setAside && kind === 'span' && item.index >= 0 && isPlaced(item)) items.add(item);
  return [...items]
    .flatMap((item) => stretchesOf(item).map(({ start, end }) => ({ start, end, label: item.label, item })))
    .sort((a, b) => a.start - b.start || a.end - b.end || compareText(a.label, b.label));
}

function isCut(text: string, start: number, end: number): boolean {
  return isWithinWord(text, start) || isWithinWord(text, end);
}
