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
import { offsetUnit, pairParts, type ResolvedRecipe } from '../../recipe-parts.ts';
import { EXACT, endsOf, moveNumber, NearPlaces } from './near-places.ts';
import { otherUnit } from './other-unit.ts';
import { isPlaced, isWithinWord } from './spans-within-words.ts';

/** Fewer spans may be off by chance. */
const FEWEST = { spans: 5, cases: 2 };
/** A case is off in a way if so many of its pairs are that are either exact or off in this way. */
const CONSISTENT = 0.8;
/** Both ends move together so many times as often as they would if each moved by itself, or with the other reversed. */
const LIFT = 3;
/** Or the way explains so many of all pairs that are off. */
const DOMINANT = 0.5;
/** One end alone is off in any system now and then: cases with several such spans, most of which are cut words, tell. */
const ONE_END = { pairs: 2, spans: 10, cases: 2, cut: 0.8 };
const SHARE = { warning: 0.01, error: 0.05, everywhere: 0.8 };

/** The pairs of all cases: exact ones, and those that are off, by how far. */
type Pairs = { exact: number; cases: number; readonly moved: Map<number, number>; readonly sizes: Map<number, number> };
/** Spans of cases that are off in one way: how many of them, and of their gold, begin or end within a word. */
type Off = { cutPredicted: number; cutGold: number; readonly evidence: Evidence };

const none = (): Off => ({ cutPredicted: 0, cutGold: 0, evidence: new Evidence() });

export const shiftedSpans: AuditCheck = {
  name: 'shifted-spans',
  about: 'cases in which predicted and gold places differ by the same characters or are in different units',
  severity: `Error: ${levelText(SHARE.error)} of the pairs (${FEWEST.spans}+ in ${FEWEST.cases}+ cases), or another unit; warning: ${levelText(SHARE.warning)}`,
  scoredOnly: true,
  open({ recipe, keep }) {
    const pairs: Pairs = keep({ exact: 0, cases: 0, moved: new Map(), sizes: new Map() });
    const ways = keep(new Map<number, Off>(), none);
    const units = keep(new Map<string, Off>(), none);
    const unitOf = { gold: offsetUnit(recipe, 'gold'), predicted: offsetUnit(recipe, 'predicted') };
    const near = new NearPlaces();

    const note = (off: Off, at: number, id: string, text: string | null, label: string): void => {
      const [start, end] = [near.startAt(at), near.endAt(at)];
      const gold = near.moveAt(at) < 0 ? null : near.goldAt(at);
      if (text !== null && isCut(text, start, end)) off.cutPredicted += 1;
      if (text !== null && gold !== null && isCut(text, gold.start, gold.end)) off.cutGold += 1;
      const inGold =
        gold === null || text === null ? '' : `: ${JSON.stringify(text.slice(gold.start, gold.end))} in gold`;
      off.evidence.addItem({
        case: id,
        side: 'predicted',
        label,
        text: text?.slice(start, end) ?? '',
        note: `at ${start} to ${end}${inGold}`,
      });
    };
    const add = (id: string, text: string | null, labelAt: (at: number) => string): void => {
      const exact = near.pair();
      const moved = new Map<number, number>();
      for (let at = 0; exact < near.predictions && at < near.predictions; at += 1) {
        const move = near.moveAt(at);
        if (move >= 0 && move !== EXACT) addTo(moved, move);
      }
      const other = exact === near.predictions || text === null ? null : otherUnit(text, unitOf, near);
      if (other !== null) {
        const off = entryOf(units, `${other.side} ${other.unit} ${other.when}`, none);
        for (const at of other.places) note(off, at, id, text, labelAt(at));
      }
      const all = exact + sum(moved.values());
      if (all === 0) return;
      pairs.exact += exact;
      pairs.cases += 1;
      addTo(pairs.sizes, all);
      if (moved.size === 0) return;
      const most = Math.max(...moved.values());
      for (const [move, n] of moved) {
        addTo(pairs.moved, move, n);
        // The system's ordinary errors are off in other ways, so only exact pairs speak against it.
        if (n < CONSISTENT * (exact + n) || n < most) continue;
        if (!isTogether(move) && !(isCutting(move) && n >= ONE_END.pairs)) continue;
        const off = entryOf(ways, move, none);
        for (let at = 0; at < near.predictions; at += 1)
          if (near.moveAt(at) === move) note(off, at, id, text, labelAt(at));
      }
    };
    return {
      spans(given) {
        const { gold, predicted } = given;
        if (gold.count === 0 || predicted.count === 0) return;
        near.clear();
        for (let at = 0; at < gold.count; at += 1) near.addGold(gold.get(at, START), gold.get(at, END));
        for (let at = 0; at < predicted.count; at += 1)
          near.addPredicted(predicted.get(at, START), predicted.get(at, END));
        add(given.case, given.text, (at) => given.labelOf(predicted, at));
      },
      case({ case: id, text, verdicts }) {
        const [gold, predicted] = SIDES.map((side) => placedPieces(verdicts, side));
        if (gold!.length === 0 || predicted!.length === 0) return;
        near.clear();
        for (const { start, end } of gold!) near.addGold(start, end);
        for (const { start, end } of predicted!) near.addPredicted(start, end);
        add(id, text, (at) => predicted![at]!.label);
      },
      find: () => {
        const size = ({ evidence }: Off): number => evidence.items.total;
        const moves = [...ways]
          .filter(([move, off]) => isFault(move, off, pairs))
          .toSorted(([a, one], [b, other]) => size(other) - size(one) || a - b);
        const [unit] = [...units].toSorted(([, one], [, other]) => size(other) - size(one));
        // Behind one such character another unit looks like a shift, and a shift like another unit: what explains more.
        const most = moves.length === 0 ? 0 : size(moves[0]![1]);
        if (unit !== undefined && size(unit[1]) >= most) return unitFinding(...unit);
        return moves.map(([move, off]) => moveFinding(move, off, pairs, recipe));
      },
    };
  },
};

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
    return isCutWords && spans >= ONE_END.spans && cases >= ONE_END.cases && cases >= LIFT * byChance;
  }
  if (spans < FEWEST.spans || cases < FEWEST.cases) return false;
  const reversed = [moveNumber(start, -end), moveNumber(-start, end)].map((other) => moved.get(other) ?? 0);
  if (spans < LIFT * Math.min(...reversed)) return false;
  const movedBy = (isEnd: (ends: ReturnType<typeof endsOf>) => boolean): number =>
    sum([...moved].map(([other, n]) => (isEnd(endsOf(other)) ? n : 0)));
  const apart = (movedBy((ends) => ends.start === start) * movedBy((ends) => ends.end === end)) / all;
  return spans >= FEWEST.spans + LIFT * apart || spans >= DOMINANT * off;
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
    severity: spans >= SHARE.error * all ? 'error' : 'warning',
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

function unitFinding(key: string, { evidence }: Off): NewFinding | null {
  const [side = '', unit = '', ...when] = key.split(' ');
  const spans = evidence.items.total;
  if (spans < FEWEST.spans || evidence.cases.total < FEWEST.cases) return null;
  return {
    severity: 'error',
    title: `${plural(spans, 'prediction')} in ${plural(evidence.cases.total, 'case')}, behind characters that units count differently, would be in the place of gold if ${when.join(' ')}`,
    words: 'shifted-spans/off',
    todo: `Read them with --offsets ${side}=${unit}, or fix them where the spans are made, and score again.`,
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
function placedPieces(verdicts: readonly Verdict[], side: Side): (Span & Pick<Item, 'label'>)[] {
  const items = new Set<Item>();
  for (const { setAside, kind, [side]: item } of verdicts)
    if (item !== null && !setAside && kind === 'span' && item.index >= 0 && isPlaced(item)) items.add(item);
  return [...items]
    .flatMap((item) => stretchesOf(item).map(({ start, end }) => ({ start, end, label: item.label })))
    .sort((a, b) => a.start - b.start || a.end - b.end || compareText(a.label, b.label));
}

function isCut(text: string, start: number, end: number): boolean {
  return isWithinWord(text, start) || isWithinWord(text, end);
}
