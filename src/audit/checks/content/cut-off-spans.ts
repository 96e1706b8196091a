import type { Item, ItemKind } from '../../../data/item.ts';
import { END, LABEL, START } from '../../../data/span-list.ts';
import { compareText } from '../../../text/compare.ts';
import { count, plural } from '../../../text/figures.ts';
import type { AuditSpans } from '../../audit-case.ts';
import type { NewFinding, OpenCheck, OpenContext } from '../../check.ts';
import { entryOf, SubjectEvidence, sum } from '../../evidence.ts';
import { LargestByStep, SIZE_STEPS, SizeCounts, sizeStep } from '../../size-counts.ts';

/** Limits of a place behind which nothing is predicted. */
export const CUT_OFF = {
  /** Hits that are expected behind the place: with so many, no system misses all of them by chance. */
  expected: 10,
  /** Predictions that may still be there, for each hit that is expected. */
  left: 0.02,
  /** One text may end in a list that a system cannot read. */
  fewestCases: 3,
  /** How probably the cases behind the place are all empty, if as many are as elsewhere. */
  chance: 0.001,
};
const PLACED: ReadonlySet<ItemKind> = new Set<ItemKind>(['span', 'object', 'entity']);

/** Gold of one label by place, what of it is in cases with predictions, and what is hit. */
const none = () => ({ gold: new SizeCounts(), answered: new SizeCounts(), hits: new SizeCounts() });
type OfLabel = ReturnType<typeof none>;

/**
 * A place in the texts behind which nothing is predicted, although gold goes on: the input or the output was cut off.
 * Labels count each for itself, so that one that a system never finds, and that stands late, proves nothing.
 */
export function cutOffSpans({ keep }: OpenContext): OpenCheck {
  const labels = keep(new Map<string, OfLabel>(), none);
  const predictions = keep(new SizeCounts());
  /** Cases by the place of their last gold item, and those of them without predictions. */
  const [lasts, emptyLasts] = [keep(new SizeCounts()), keep(new SizeCounts())];
  const ends = keep(new LargestByStep());
  /** The last gold item of cases in which nothing is predicted from there on, by the step of its place. */
  const late = keep(new SubjectEvidence(Number));
  const ofLabels: OfLabel[] = [];
  const labelAt = ({ labels: names }: AuditSpans, label: number): OfLabel =>
    (ofLabels[label] ??= entryOf(labels, names[label]!, none));
  const addPredicted = (start: number, end: number): void => {
    predictions.add(start);
    ends.add(sizeStep(start), end);
  };
  const addGold = ({ gold, answered, hits }: OfLabel, start: number, isAnswered: boolean, isHit: boolean): void => {
    gold.add(start);
    if (isAnswered) answered.add(start);
    if (isHit) hits.add(start);
  };
  const addLast = (start: number, isAnswered: boolean): void => {
    lasts.add(start);
    if (!isAnswered) emptyLasts.add(start);
  };
  const addLate = (id: string, start: number, itemOf: () => { label: string; text: string }): void =>
    late.add(`${sizeStep(start)}`, id, () => ({ case: id, side: 'gold', ...itemOf(), note: `at ${start}` }));
  return {
    spans(given) {
      const { gold, predicted, own } = given;
      let reached = 0;
      for (let at = 0; at < predicted.count; at += 1) {
        const end = predicted.get(at, END);
        addPredicted(predicted.get(at, START), end);
        reached = Math.max(reached, end);
      }
      for (let at = 0; at < gold.count; at += 1) {
        const counts = labelAt(given, gold.get(at, LABEL));
        const start = gold.get(at, START);
        addGold(counts, start, predicted.count > 0, own.pairing.gold[at]! >= 0);
      }
      const last = gold.count - 1;
      if (last < 0) return;
      addLast(gold.get(last, START), predicted.count > 0);
      if (gold.get(last, START) < reached) return;
      addLate(given.case, gold.get(last, START), () => {
        return { label: given.labelOf(gold, last), text: given.slice(gold, last) };
      });
    },
    case({ case: id, verdicts }) {
      const isAnswered = verdicts.some(
        ({ kind, setAside, predicted }) => !setAside && PLACED.has(kind) && predicted !== null,
      );
      let reached = 0;
      let last: Item | null = null;
      for (const { kind, verdict, setAside, gold, predicted } of verdicts) {
        if (setAside || !PLACED.has(kind)) continue;
        if (predicted !== null && predicted.start >= 0) {
          addPredicted(predicted.start, predicted.end);
          reached = Math.max(reached, predicted.end);
        }
        if (gold === null || gold.start < 0 || verdict === 'excused') continue;
        addGold(entryOf(labels, gold.label, none), gold.start, isAnswered, verdict === 'hit');
        if (last === null || byPlace(last, gold) < 0) last = gold;
      }
      if (last === null) return;
      const { start, label, text } = last;
      addLast(start, isAnswered);
      if (start >= reached) addLate(id, start, () => ({ label, text }));
    },
    find: () => {
      const all = [...labels.values()];
      let best: { step: number; expected: number; left: number } | null = null;
      for (let step = 1; step < SIZE_STEPS; step += 1) {
        const [expected, left] = [expectedFrom(step, all, 'gold'), predictions.between(step)];
        if (
          expected < CUT_OFF.expected ||
          left > CUT_OFF.left * expected ||
          late.of(stepsFrom(step)).cases.total < CUT_OFF.fewestCases ||
          (expectedFrom(step, all, 'answered') < CUT_OFF.expected && chanceOfEmpty(step) > CUT_OFF.chance)
        )
          continue;
        if (left < (best?.left ?? Infinity)) best = { step, expected, left };
      }
      return best === null ? null : finding(best.step, best.expected, best.left, all);
    },
  };

  /** That all cases without predictions whose gold goes on behind a place have none for another reason. */
  function chanceOfEmpty(step: number): number {
    const [before, empty] = [lasts.between(0, step), emptyLasts.between(0, step)];
    return ((empty + 1) / (before + 1)) ** emptyLasts.between(step);
  }

  function finding(step: number, expected: number, left: number, all: readonly OfLabel[]): NewFinding {
    const evidence = late.of(stepsFrom(step));
    const gold = sum(all.map((one) => one.gold.between(step)));
    const before = ends.before(step);
    const which = left === 0 ? 'No prediction is' : `Only ${plural(left, 'prediction')} ${left === 1 ? 'is' : 'are'}`;
    return {
      severity: 'error',
      title: `${which} behind character ${count(before)}, where ${plural(gold, 'gold item')} of ${plural(evidence.cases.total, 'case')} are; at the recall before it, about ${count(Math.round(expected))} of them would be found`,
      words: 'cut-off/spans',
      subjects: ['places'],
      evidence,
    };
  }
}

function stepsFrom(step: number): string[] {
  return Array.from({ length: SIZE_STEPS - step }, (_, at) => `${step + at}`);
}

/** Hits that there would be from a step on if each label were found there as often as before. */
function expectedFrom(step: number, labels: readonly OfLabel[], of: 'gold' | 'answered'): number {
  return sum(
    labels.map(({ hits, ...items }) => {
      const before = items[of].between(0, step);
      return before === 0 ? 0 : (items[of].between(step) * hits.between(0, step)) / before;
    }),
  );
}

/** As the last of a list of spans in content order. */
function byPlace(a: Item, b: Item): number {
  return a.start - b.start || a.end - b.end || compareText(a.label, b.label);
}
