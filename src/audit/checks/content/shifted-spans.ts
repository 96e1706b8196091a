import { offsetFlag } from '../../../data/offset-fits.ts';
import { type Item, type Side, SIDES } from '../../../data/item.ts';
import { END, START } from '../../../data/span-list.ts';
import type { Verdict } from '../../../judge/verdict.ts';
import { compareText } from '../../../text/compare.ts';
import { count, levelText, percent, plural } from '../../../text/figures.ts';
import { stretchesOf } from '../../../text/pieces.ts';
import type { Span } from '../../../text/span.ts';
import { shiftWords } from '../../../text/span-fit.ts';
import type { AuditCheck, NewFinding } from '../../check.ts';
import { addTo, entryOf, Evidence, sum } from '../../evidence.ts';
import type { Severity } from '../../finding.ts';
import { offsetUnit, pairParts, type ResolvedRecipe } from '../../recipe-parts.ts';
import { type Drift, EXACT, endsOf, moveNumber, NearPlaces } from './near-places.ts';
import { gapsPassed, otherUnit, type UnitGap } from './other-unit.ts';
import { isPlaced, isWithinWord } from './spans-within-words.ts';

/** Fewer spans may be off by chance. */
const FEWEST = { spans: 5, cases: 2 };
/** A case is off in a way if so many of its pairs are that are either exact or off in this way. */
const CONSISTENT = 0.8;
/** Both ends move together so many times as often as they would if each moved by itself, or with the other reversed. */
const LIFT = 3;
/** Or the way explains so many of all pairs that are off; one end, of all pairs. */
const DOMINANT = 0.5;
/** One end alone is off in any system now and then: cases with several such spans, most of which are cut words, tell. */
const ONE_END = { pairs: 2, spans: 10, cases: 2, cut: 0.8 };
const SHARE = { warning: 0.01, error: 0.05, everywhere: 0.8 };

/** The pairs of all cases: exact ones, and those that are off, by how far. */
type Pairs = { exact: number; cases: number; readonly moved: Map<number, number>; readonly sizes: Map<number, number> };
/**
 * Spans of cases that are off in one way: how many of them, and of their gold, begin or end within a word; how many are no
 * whole hits; of a drift, how many are off by the number of line breaks before them.
 */
type Off = { cutPredicted: number; cutGold: number; lost: number; breaks: number; readonly evidence: Evidence };

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
      for (const [n, at] of places.entries()) {
        const shift = shifts[n]!;
        const gold = { start: near.startAt(at) - way * shift, end: near.endAt(at) - way * shift };
        note(off, at, given, gold);
        if (given.text !== null && breaksBefore(given.text, gold.start, way) === shift) off.breaks += 1;
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
        // The system's ordinary errors are off in other ways, so only exact pairs speak against it.
        if (n < CONSISTENT * (exact + n) || n < most) continue;
        if (!isTogether(move) && !(isCutting(move) && n >= ONE_END.pairs)) continue;
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

/** Line breaks before a place that one side may have counted as one character and the other as two. */
function breaksBefore(text: string, place: number, way: Drift['way']): number {
  return text.slice(0, place).match(way > 0 ? /(?<!\r)\n/g : /\r\n/g)?.length ?? 0;
}

function isWholeHit({ verdict, credit }: Verdict): boolean {
  return verdict === 'excused' || (verdict === 'hit' && credit >= 1);
}

/** Whether both ends are off by the same: no system errs so, but counting does. */
function isTogether(move: number): boolean {
  const { start, end } = endsOf(move);
  return start === end && start !== 0;
}

/** Whether the prediction lacks the first or the last character: an end that was counted in another way. */
function isCutting(move: number): boolean {
  return move === moveNumber(0, -1) || move === moveNumber(1, 0);
}

function isFault(move: number, { evidence, cutPredicted }: Off, { exact, moved, sizes }: Pairs): boolean {
  const [spans, cases] = [evidence.items.total, evidence.cases.total];
  const [off, { start, end }] = [sum(moved.values()), endsOf(move)];
  const all = exact + off;
  if (spans < SHARE.warning * all) return false;
  if (!isTogether(move)) {
    const share = (moved.get(move) ?? 0) / all;
    const byChance = sum([...sizes].map(([n, m]) => (n < ONE_END.pairs ? 0 : m * share ** Math.ceil(CONSISTENT * n))));
    const isCutWords = cutPredicted >= ONE_END.cut * spans;
    if (!isCutWords || spans < ONE_END.spans || cases < ONE_END.cases) return false;
    return cases >= LIFT * byChance || spans >= DOMINANT * all;
  }
  if (spans < FEWEST.spans || cases < FEWEST.cases) return false;
  const reversed = [moveNumber(start, -end), moveNumber(-start, end)].map((other) => moved.get(other) ?? 0);
  if (spans < LIFT * Math.min(...reversed)) return false;
  const movedBy = (isEnds: (ends: ReturnType<typeof endsOf>) => boolean): number =>
    sum([...moved].map(([other, n]) => (isEnds(endsOf(other)) ? n : 0)));
  const startOnly = movedBy((ends) => ends.start === start && ends.end !== end);
  const endOnly = movedBy((ends) => ends.end === end && ends.start !== start);
  // If each end moved by itself, both would together this often.
  const neither = all - startOnly - endOnly - (moved.get(move) ?? 0);
  const apart = (startOnly * endOnly) / Math.max(neither, 1);
  return spans >= FEWEST.spans + LIFT * apart || spans >= DOMINANT * off;
}

/** Spans that count as hits although they are off make no number wrong. */
function severityOf({ evidence, lost }: Off, all: number): Severity {
  if (lost < SHARE.warning * all) return 'note';
  return evidence.items.total >= SHARE.error * all ? 'error' : 'warning';
}

function moveFinding(move: number, off: Off, { exact, moved, cases }: Pairs, recipe: ResolvedRecipe): NewFinding {
  const { evidence, cutGold, cutPredicted } = off;
  const [spans, { start, end }] = [evidence.items.total, endsOf(move)];
  const all = exact + sum(moved.values());
  // The side that cuts words is the one that was counted wrongly.
  const side = cutGold > cutPredicted ? 'gold' : 'predicted';
  const when = side === 'gold' ? shiftWords(start, end) : shiftWords(-start, -end);
  const isEverywhere = evidence.cases.total >= SHARE.everywhere * cases;
  const flag = isEverywhere ? offsetFlag(when, offsetUnit(recipe, side)) : null;
  const tolerant = toleranceFlags(recipe, Math.max(Math.abs(start), Math.abs(end)));
  return {
    severity: severityOf(off, all),
    title: `In ${count(evidence.cases.total)} of ${plural(cases, 'case')} predictions are next to gold, all off in the same way: ${count(spans)} of ${count(all)} (${percent(spans, all)}) would be in its place if ${when} (${side})`,
    words: 'shifted-spans/off',
    todo:
      flag !== null
        ? `Read them with --offsets ${side}=${flag}, or fix them where the spans are made, and score again.`
        : `Find what these cases have in common and fix their offsets (${side}).${tolerant === null ? '' : ` To see the score without the fault, let boundaries be off by that much: ${tolerant}.`}`,
    subjects: [side],
    evidence,
  };
}

function driftFinding(way: Drift['way'], off: Off, { exact, moved, cases }: Pairs): NewFinding | null {
  const { evidence, breaks } = off;
  const [spans, all] = [evidence.items.total, exact + sum(moved.values())];
  if (spans < FEWEST.spans || evidence.cases.total < FEWEST.cases || spans < SHARE.warning * all) return null;
  const isBreaks = breaks >= CONSISTENT * spans;
  const why = isBreaks
    ? `line breaks were counted as ${way > 0 ? 'one character' : 'two characters'} (predicted)`
    : `nothing before them were ${way > 0 ? 'counted that is not in the text' : 'left out'} (predicted)`;
  return {
    severity: severityOf(off, Math.max(all, spans)),
    title: `In ${count(evidence.cases.total)} of ${plural(cases, 'case')} predictions are farther ${way > 0 ? 'behind' : 'before'} gold the later they stand: ${plural(spans, 'prediction')} would be in place if ${why}`,
    words: 'shifted-spans/off',
    todo: `Look at what comes before the first of them, such as line breaks (CR LF), markup or entities that one side lacks; count places in the text that is scored, and score again.`,
    subjects: ['predicted'],
    evidence,
  };
}

function unitFinding(key: string, { evidence }: Off, passed: Readonly<Record<UnitGap, number>>): NewFinding | null {
  const [side = '', unit = '', gap = '', ...when] = key.split(' ');
  const [spans, cases] = [evidence.items.total, evidence.cases.total];
  if (spans < FEWEST.spans || cases < FEWEST.cases) return null;
  const right = gap === 'byte' ? passed.byte : passed.utf16;
  const isEverywhere = cases >= SHARE.everywhere * (cases + right);
  return {
    severity: 'error',
    title: `${plural(spans, 'prediction')} in ${plural(cases, 'case')}, behind characters that units count differently, would be in the place of gold if ${when.join(' ')}${isEverywhere ? '' : `; in ${plural(right, 'other case')} such predictions are in their place`}`,
    words: 'shifted-spans/off',
    todo: isEverywhere
      ? `Read them with --offsets ${side}=${unit}, or fix them where the spans are made, and score again.`
      : `Find what these cases have in common, and convert their offsets (${side}): a setting would move those of the others, too.`,
    subjects: [side],
    evidence,
  };
}

/** Settings under which boundaries may be off by some characters; null if the way spans are paired has no place for it. */
function toleranceFlags(recipe: ResolvedRecipe, tolerance: number): string | null {
  const parts = pairParts(recipe);
  const part = parts.find(({ kind }) => kind === 'span');
  const [criterion, ...others] = part?.accept ?? [];
  if (part?.unit !== 'item' || criterion === undefined || others.length > 0) return null;
  const path = parts.length > 1 ? 'pair.span' : 'pair';
  if (criterion.similarity === 'iou') return `--set ${path}.tolerance=${tolerance}`;
  return criterion.similarity === 'exact'
    ? `--set ${path}.similarity=iou --set ${path}.threshold=1 --set ${path}.tolerance=${tolerance}`
    : null;
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
