import type { Sweep } from '../../compare/sweep/sweep.ts';
import { counted, levelText } from '../../text/figures.ts';
import { arrowLegend } from '../arrows.ts';
import { sweepSentences } from '../sweep-sentences.ts';
import { leftOutNote, NO_CLAIM, rangeOf } from './estimate.ts';
import { MOST_SERIES } from './look.ts';
import { emptyPlot, plot } from './plot.ts';
import { curvePanel } from './sweep-curves.ts';
import { heatParts } from './sweep-heat.ts';
import { drawable } from './ticks.ts';

/** Sentences below the figure; all of them are in its description. */
const SENTENCES = 3;

/** The first measure over one parameter as curves with their intervals, over two as a map of numbers. */
export function recipeSweepFigure(sweep: Sweep, width?: number): string {
  const { axes, measures, points, systems } = sweep;
  const measure = measures[0]!;
  const title = `${measure.name} over ${axes.map(({ path }) => path).join(' and ')}`;
  if (!points.some((point) => point.systems.some(([value]) => drawable(value!.value)))) {
    const notes = ['No interval, n = 0.', NO_CLAIM];
    const why = `${measure.name} has no value at any point`;
    return emptyPlot({ width, id: 'sweep', title, why, notes });
  }
  const sentences = sweepSentences(sweep);
  const [better = '↑ higher is better'] = arrowLegend([measure]);
  const shown = Math.min(systems.length, MOST_SERIES);
  return plot({
    width,
    id: 'sweep',
    title,
    about: `${sweep.recipe}, ${counted(points.length, 'point')}. ${sentences.join(' ')}`,
    parts: [
      ...(axes.length === 1 ? [curvePanel(sweep, shown)] : heatParts(sweep, width)),
      `${sweep.recipe}. ${better}.`,
    ],
    notes: [
      ...sentences.slice(0, SENTENCES),
      ...(axes.length === 1 ? [bandNote(sweep)] : []),
      ...leftOutNote(systems.length, shown, 'systems'),
    ],
  });
}

function bandNote({ points }: Sweep): string {
  const values = points.flatMap((point) => point.systems.map(([value]) => value!));
  const interval = values.find((value) => value.interval !== null)?.interval ?? null;
  if (interval === null) return 'No intervals.';
  return `Bands: ${levelText(interval.level)} intervals; n = ${rangeOf(values.map(({ n }) => n))}.`;
}
