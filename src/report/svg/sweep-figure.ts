import type { Sweep } from '../../compare/sweep/sweep.ts';
import { counted, levelText } from '../../text/figures.ts';
import { sweepSentences } from '../sweep-sentences.ts';
import { arrowLegend } from '../arrows.ts';
import { emptyFigure } from './empty-figure.ts';
import { svgFigure, textBlock } from './frame.ts';
import { heatBlocks } from './sweep-heat.ts';
import { curveBlocks } from './sweep-curves.ts';
import { MOST_SERIES } from './series-style.ts';
import { leftOutNote } from './small-print.ts';
import { drawable } from './ticks.ts';

const ID = 'sweep';
/** Sentences below the figure; all of them are in its description. */
const SENTENCES = 3;

/** The first measure over one parameter as curves with their intervals, over two as a map of numbers. */
export function recipeSweepFigure(sweep: Sweep): string {
  const { axes, measures, points, systems } = sweep;
  const measure = measures[0]!;
  const title = `${measure.name} over ${axes.map(({ path }) => path).join(' and ')}`;
  const sentences = sweepSentences(sweep);
  if (!points.some((point) => point.systems.some(([value]) => drawable(value!.value))))
    return emptyFigure(ID, title, `${measure.name} has no value at any point`);
  const [better] = arrowLegend([measure]);
  const shown = Math.min(systems.length, MOST_SERIES);
  return svgFigure({
    id: ID,
    title,
    desc: `${sweep.recipe}, ${counted(points.length, 'point')}. ${sentences.join(' ')}`,
    blocks: [
      ...(axes.length === 1 ? curveBlocks(sweep, shown) : heatBlocks(sweep)),
      textBlock([`${sweep.recipe}. ${better ?? '↑ higher is better'}.`]),
    ],
    notes: [
      ...sentences.slice(0, SENTENCES),
      ...intervalWords(sweep),
      ...leftOutNote(systems.length, shown, 'systems'),
    ],
  });
}

function intervalWords({ axes, points }: Sweep): string[] {
  if (axes.length > 1) return [];
  const values = points.flatMap((point) => point.systems.map(([value]) => value!));
  const found = values.find(({ interval }) => interval !== null)?.interval;
  if (found === null || found === undefined) return ['No intervals.'];
  const n = values.map((value) => value.n);
  const [least, most] = [Math.min(...n), Math.max(...n)];
  return [`Bands: ${levelText(found.level)} intervals; n = ${least === most ? least : `${least} to ${most}`}.`];
}
