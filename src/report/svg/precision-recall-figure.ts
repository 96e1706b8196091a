import type { Calibration } from '../../figures/run-figures.ts';
import { count, figure, significant } from '../../text/figures.ts';
import { kindName } from '../kind-name.ts';
import { type Area, BELOW, bottomAxis, leftAxis } from './axes.ts';
import { calibrationNotes } from './calibration-notes.ts';
import { coordinate } from './coordinate.ts';
import { type Block, svgFigure, textBlock } from './frame.ts';
import { label } from './label.ts';
import { marker } from './marker.ts';
import { element, type Markup } from './markup.ts';
import { AXIS, INK, MARGIN, TEXT, WIDTH } from './paper.ts';
import { linearScale, type Scale } from './scale.ts';
import { COLOURS } from './series-style.ts';
import { textWidth } from './text-width.ts';

const HEIGHT = 220;
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => ({ value, text: value.toFixed(1) }));
const LEVELS = [0.2, 0.4, 0.6, 0.8];

interface Point {
  readonly confidence: number;
  readonly kept: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** What keeping only predictions of a confidence would give: precision against recall, from the surest down. */
export function precisionRecallFigure(calibration: Calibration): string {
  const { kind, field, n } = calibration;
  const id = `precision-recall-${kind}`;
  const title = `Precision and recall of ${kindName(kind)} by ${field}`;
  const points = calibration.curve.flatMap((one): Point[] =>
    one.recall === null || one.f1 === null ? [] : [{ ...one, recall: one.recall, f1: one.f1 }],
  );
  const [first] = points;
  if (first === undefined)
    return svgFigure({
      id,
      title,
      desc: 'There is no gold to recall.',
      blocks: [textBlock(['Nothing can be drawn: there is no gold to recall.'])],
      notes: [`n = ${count(n)}.`, ...calibrationNotes(calibration)],
    });
  const best = points.reduce((most, one) => (one.f1 > most.f1 ? one : most), first);
  const last = points.at(-1) ?? first;
  const sentences = [
    `Highest F1 ${figure(best.f1)} with ${field} from ${significant(best.confidence)}: precision ${figure(best.precision)}, recall ${figure(best.recall)}, ${count(best.kept)} kept.`,
    `All ${count(last.kept)} kept: precision ${figure(last.precision)}, recall ${figure(last.recall)}, F1 ${figure(last.f1)}.`,
  ];
  return svgFigure({
    id,
    title,
    desc: sentences.join(' '),
    blocks: [textBlock(['precision']), panel(points, best, last)],
    notes: [
      ...sentences,
      'Dashed lines: equal F1. A threshold chosen here fits these very cases, and will do less well on others.',
      ...calibrationNotes(calibration),
    ],
  });
}

function panel(points: readonly Point[], best: Point, last: Point): Block {
  const area: Area = { left: MARGIN + 34, right: WIDTH - MARGIN - 8, top: 6, bottom: HEIGHT - BELOW };
  const x = linearScale([0, 1], [area.left, area.right]);
  const y = linearScale([0, 1], [area.bottom, area.top]);
  const path = points
    .map(({ recall, precision }, at) => `${at === 0 ? 'M' : 'L'}${coordinate(x(recall))} ${coordinate(y(precision))}`)
    .join('');
  const told = labelOf(best, x, y, area);
  return {
    height: HEIGHT,
    content: [
      ...leftAxis(area, y, TICKS),
      ...LEVELS.flatMap((f1) => equalF1(f1, x, y, told)),
      ...bottomAxis(area, x, TICKS, 'recall'),
      element('path', { d: path, fill: 'none', stroke: COLOURS.blue, 'stroke-width': 1.6, class: 'curve' }),
      marker('square', x(last.recall), y(last.precision), 3, { colour: INK, hollow: true }, words('all', last)),
      marker('circle', x(best.recall), y(best.precision), 3.6, { colour: COLOURS.vermilion }, words('best', best)),
      label(told.x, told.y, told.text, { anchor: 'middle', halo: true }),
    ],
  };
}

function words(what: string, { confidence, precision, recall, f1, kept }: Point): string {
  return `${what}: confidence from ${significant(confidence)}, precision ${figure(precision)}, recall ${figure(recall)}, F1 ${figure(f1)}, ${count(kept)} kept`;
}

interface PlacedText {
  /** The middle of the line. */
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly wide: number;
}

/** Below the point, where the curve mostly is not; above it where there is no room. */
function labelOf(best: Point, x: Scale, y: Scale, area: Area): PlacedText {
  const text = `F1 ${figure(best.f1)} from ${significant(best.confidence)}`;
  const wide = textWidth(text, TEXT);
  const below = y(best.precision) + 18;
  return {
    text,
    wide,
    x: Math.min(area.right - wide / 2, Math.max(area.left + wide / 2 + 2, x(best.recall))),
    y: below < area.bottom - 3 ? below : y(best.precision) - 8,
  };
}

/** precision = f1 · recall / (2 recall − f1); its name at the right, unless something is written there. */
function equalF1(f1: number, x: Scale, y: Scale, taken: PlacedText): Markup[] {
  const least = f1 / (2 - f1);
  const steps = Array.from({ length: 25 }, (_, at) => least + ((1 - least) * at) / 24);
  const d = steps
    .map((recall, at) => {
      const precision = (f1 * recall) / (2 * recall - f1);
      return `${at === 0 ? 'M' : 'L'}${coordinate(x(recall))} ${coordinate(y(precision))}`;
    })
    .join('');
  const [text, baseline] = [`F1 ${f1}`, y(least) - 2];
  const crosses =
    Math.abs(baseline - taken.y) < TEXT + 2 && taken.x + taken.wide / 2 > x(1) - textWidth(text, TEXT) - 4;
  return [
    element('path', { d, fill: 'none', stroke: AXIS, 'stroke-width': 0.5, 'stroke-dasharray': '2 3', class: 'axis' }),
    ...(crosses ? [] : [label(x(1) - 2, baseline, text, { anchor: 'end', halo: true })]),
  ];
}
