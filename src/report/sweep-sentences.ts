import { leavesOutZero, thresholdOf } from '../compare/compare-verdict.ts';
import type { Sweep, SweepAxis, SweepBest, SweepFlips, SweepStep, SweptSystem } from '../compare/sweep/sweep.ts';
import { count, plural, endFigure, figure, levelText, signedFigure } from '../text/figures.ts';
import { nameList } from './comparison-words.ts';
import { capitalized, rangeText } from './value-text.ts';
import { present } from './document.ts';

const MOST_STRETCHES = 6;

/** What a sweep comes to, one thought each. Holds text from data and from the call: escape it. */
export function sweepSentences(sweep: Sweep): string[] {
  const { systems } = sweep;
  return present([
    ...(systems.length > 1 ? conclusions(sweep) : []),
    ...systems.flatMap((_, at) => systemSentences(sweep, at)),
    ...testSentences(sweep),
    systems.some(({ best }) => best !== null && !isFlat(sweep, best)) &&
      'The best value was chosen after looking at these cases: on others it may do less well.',
    ...constantSentence(sweep),
    ...sweep.notices,
  ]);
}

/** The ranges in which a conclusion between two systems holds or flips; equal rows of a grid are put together. */
function conclusions(sweep: Sweep): string[] {
  const { flips, axes, tests } = sweep;
  const several = (tests?.measures.length ?? 1) > 1;
  const said = Map.groupBy(
    flips,
    (one) => `${several ? `${one.measure}: ` : ''}${conclusion(sweep, one)}${turnText(sweep, one)}`,
  );
  return [...said].map(([text, alike]) => {
    const down = axes[1];
    const rows = alike.flatMap(({ row }) => (row === null ? [] : [row]));
    return down === undefined ? text : `With ${down.path} ${axisPlacesText(down, rows)}: ${text}`;
  });
}

function conclusion({ systems, axes }: Sweep, { system, stretches }: SweepFlips): string {
  const [first, other] = [systems[0]!.name, systems[system]!.name];
  const clauses = stretches.slice(0, MOST_STRETCHES).map(({ verdict, from, to }, at) => {
    const here = axisPlacesText(axes[0]!, between(from, to));
    // The first clause names who is compared with whom.
    switch (verdict) {
      case 'better':
        return `${other} is better${at === 0 ? ` than ${first}` : ''} ${here}`;
      case 'worse':
        return `${first} is better${at === 0 ? ` than ${other}` : ''} ${here}`;
      case 'no difference shown':
        return `${at === 0 ? `No difference between ${first} and ${other}` : 'no difference'} is shown ${here}`;
      case 'too little data':
        return `${at === 0 ? `There is too little data to tell ${first} from ${other}` : 'there is too little data'} ${here}`;
    }
  });
  return `${clauses.join(', ')}${stretches.length > MOST_STRETCHES ? `, and so on: ${stretches.length} stretches in all` : ''}.`;
}

function turnText({ axes, systems }: Sweep, { turns, system }: SweepFlips): string {
  if (turns.length === 0) return '';
  const { texts } = axes[0]!;
  const places = turns
    .slice(0, MOST_STRETCHES)
    .map(({ after, before, to }) => {
      const ahead = systems[to === 'other' ? system : 0]!.name;
      return `between ${texts[after]!} and ${texts[before]!} (then ${ahead} is ahead)`;
    })
    .join(', ');
  return ` The sign of the difference turns ${places}${turns.length > MOST_STRETCHES ? ` and ${turns.length - MOST_STRETCHES} times more` : ''}.`;
}

/** The range in which one system is at its best, its width, and the position of the recipe's own value. */
function systemSentences(sweep: Sweep, system: number): string[] {
  const { systems, measures, points } = sweep;
  const { best, name } = systems[system]!;
  const measure = measures[0]!.name;
  const lead = systems.length > 1 ? `${name}: ` : '';
  if (best === null) return [`${lead}${measure} has no value anywhere: ${whyNone(sweep, system)}.`];
  const value = points[best.point]!.systems[system]![0]!;
  const sure =
    value.interval === null
      ? ''
      : ` (${levelText(value.interval.level)} interval ${rangeText(value.interval, endFigure)})`;
  const undefinedAt = points.filter((point) => point.systems[system]![0]!.value === null).length;
  if (isFlat(sweep, best))
    return [
      `${lead}${measure} is ${figure(best.value)}${sure}: every value gives the same.`,
      ownSentence(sweep, system),
      ...stepSentence(sweep, system),
    ];
  return present([
    `${lead}${measure} is best ${atPoints(sweep, best.ties)}: ${figure(best.value)}${sure}. ${plateau(sweep, system)}`,
    undefinedAt !== 0 &&
      `${lead}${measure} has no value at ${plural(undefinedAt, 'point')}: ${whyNone(sweep, system)}.`,
    ownSentence(sweep, system),
    ...stepSentence(sweep, system),
  ]);
}

/** Whether the parameter changes nothing: then no value is the best. */
function isFlat({ points }: Sweep, { ties }: SweepBest): boolean {
  return points.length > 1 && ties.length === points.length;
}

/** Of several systems only what must not be missed. */
function stepSentence(sweep: Sweep, system: number): string[] {
  const { cliff, steepest, name } = sweep.systems[system]!;
  const several = sweep.systems.length > 1;
  if (cliff !== null)
    return [`${several ? `${name}: ` : ''}The recipe’s own value is on a cliff: ${stepText(sweep, cliff)}.`];
  return several || steepest === null ? [] : [`The steepest step: ${stepText(sweep, steepest)}.`];
}

function plateau(sweep: Sweep, system: number): string {
  const { best } = sweep.systems[system]!;
  if (best === null) return '';
  const { alike, ties, notAlike } = best;
  if (alike === null)
    return `Which values are indistinguishable from it is not known: ${notAlike ?? 'no reason given'}.`;
  const held = 'the interval of the paired difference holds 0';
  if (alike.length === sweep.points.length) return `Every other value is indistinguishable from that: ${held} at each.`;
  if (alike.every((at) => ties.includes(at)))
    return 'Every other value is worse, by paired intervals that leave out 0.';
  return `${capitalized(atPoints(sweep, alike))} it is indistinguishable from that: ${held}.`;
}

/** Points in words; of a grid only how many there are. */
function atPoints(sweep: Sweep, places: readonly number[]): string {
  const { axes, points } = sweep;
  if (axes.length === 1) return axisPlacesText(axes[0]!, places);
  if (places.length === 1) return `at ${pointText(sweep, places[0]!)}`;
  if (places.length <= 3) return `at ${places.map((at) => pointText(sweep, at)).join('; ')}`;
  return `at ${count(places.length)} of ${count(points.length)} points`;
}

function ownSentence(sweep: Sweep, system: number): string {
  const { own, systems, measures } = sweep;
  const lead = systems.length > 1 ? `${systems[system]!.name}: ` : '';
  const value = own.systems[system]![0]!;
  const given = value.value === null ? `no ${measures[0]!.name}` : `${measures[0]!.name} ${figure(value.value)}`;
  const text = `${lead}The recipe’s own ${ownText(sweep)} gives ${given}`;
  const { best } = systems[system]!;
  if (own.point === null) return `${text}; it is none of the values of the sweep.`;
  if (best === null || value.value === null || isFlat(sweep, best)) return `${text}.`;
  if (best.ties.includes(own.point)) return `${text}, which is the best.`;
  if (best.alike === null) return `${text}.`;
  return best.alike.includes(own.point)
    ? `${text}, which is indistinguishable from the best.`
    : `${text}, which is worse than the best by more than chance.`;
}

function stepText(sweep: Sweep, { from, to, difference, interval }: SweepStep): string {
  const start = from === null ? ownText(sweep) : pointText(sweep, from);
  const sure = interval === null ? 'no interval' : rangeText(interval, endFigure);
  return `from ${start} to ${pointText(sweep, to)} ${sweep.measures[0]!.name} changes by ${signedFigure(difference)} (${sure})`;
}

function whyNone({ points }: Sweep, system: number): string {
  const reasons = new Set(points.flatMap((point) => point.systems[system]![0]!.undefined ?? []));
  return [...reasons].slice(0, 3).join('; ');
}

function testSentences({ tests, flips, points }: Sweep): string[] {
  if (tests === null) return [];
  const alpha = thresholdOf(tests.level);
  const unshown = flips.some(({ stretches }) => stretches.some(({ verdict }) => verdict === 'no difference shown'));
  return present([
    `p is of the paired permutation test, after Holm’s correction over the ${plural(tests.family, 'different test')} of this sweep (points where nothing changes are one); a system is better if p is below ${alpha} and the interval of the difference leaves out 0.`,
    ...onlyBefore(points, alpha),
    unshown && 'No difference shown does not mean equal.',
  ]);
}

/** A sweep is many looks at the same cases: what one look alone would have shown. */
function onlyBefore(points: Sweep['points'], alpha: number): string[] {
  const lost = points.filter(({ differences }) =>
    differences.some(
      (one) => (one.permutation.pValue ?? 1) < alpha && (one.adjusted ?? 1) >= alpha && leavesOutZero(one),
    ),
  ).length;
  return lost === 0
    ? []
    : [
        `At ${plural(lost, 'point')} a difference is lost to the correction: it would be shown if that value alone had been chosen before looking.`,
      ];
}

function constantSentence({ constant, measures }: Sweep): string[] {
  const same = constant.filter((name) => !measures.some((measure) => measure.name === name));
  if (constant.length > 0 && same.length === 0) return [`The same at every point: ${constant.join(', ')}.`];
  return same.length === 0 ? [] : [`The same at every point, so not shown: ${same.join(', ')}.`];
}

/** How many cases stand behind a system's values. */
export function sweptCasesText({ cases: { total, failed, unanswered } }: SweptSystem): string {
  const more = present([
    failed > 0 && `${count(failed)} failed`,
    unanswered > 0 && `${count(unanswered)} without an answer`,
  ]);
  return `${plural(total, 'case')}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

/** The values of a point: `0.5`, or `0.5 and greedy`. Holds text from the call: escape it. */
function pointText({ axes, points }: Pick<Sweep, 'axes' | 'points'>, point: number): string {
  return points[point]!.at.map((place, axis) => axes[axis]!.texts[place]!).join(' and ');
}

/** The recipe's own values. */
function ownText({ axes }: Pick<Sweep, 'axes'>): string {
  return axes.map(({ own }) => own?.text ?? 'its own').join(' and ');
}

/**
 * Some places of an axis in words, beginning with a preposition.
 *
 * @example axisPlacesText(thresholds, [0, 1, 2]) // 'up to 0.3'
 */
export function axisPlacesText(axis: SweepAxis, places: readonly number[]): string {
  const { texts, numeric } = axis;
  if (places.length === texts.length) return 'at every value';
  if (!numeric) return `at ${nameList(places.map((at) => texts[at]!))}`;
  return nameList(runsOf(places).map(([from, to]) => runText(texts, from, to)));
}

function runText(texts: readonly string[], from: number, to: number): string {
  if (from === to) return `at ${texts[from]!}`;
  if (from === 0) return `up to ${texts[to]!}`;
  return to === texts.length - 1 ? `from ${texts[from]!}` : `from ${texts[from]!} to ${texts[to]!}`;
}

/** Neighbours put together. */
function runsOf(places: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const at of places) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === at - 1) last[1] = at;
    else runs.push([at, at]);
  }
  return runs;
}

/** A range of places. */
function between(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
