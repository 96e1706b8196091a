import type { Calibration, CalibrationBin } from '../../figures/run-figures.ts';
import { count, counted, figure } from '../../text/figures.ts';
import { kindName } from '../kind-name.ts';
import { type Area, BELOW, bottomAxis, leftAxis } from './axes.ts';
import { calibrationNotes } from './calibration-notes.ts';
import { type Block, svgFigure, textBlock } from './frame.ts';
import { intervalBar } from './interval-bar.ts';
import { label } from './label.ts';
import { marker } from './marker.ts';
import { element, type Markup } from './markup.ts';
import { AXIS, GRID, LINE, MARGIN, TEXT, WIDTH } from './paper.ts';
import { linearScale, type Scale } from './scale.ts';
import { COLOURS } from './series-style.ts';
import { textWidth } from './text-width.ts';

const LEFT = MARGIN + 34;
const RIGHT = WIDTH - MARGIN - 8;
const HEIGHT = 190;
const BARS = 36;
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => ({ value, text: value.toFixed(1) }));
const X = linearScale([0, 1], [LEFT, RIGHT]);

/** A reliability diagram: how often predictions of a confidence are right, and how many there are of each. */
export function calibrationFigure(calibration: Calibration): string {
  const { kind, field, n, error } = calibration;
  const title = `Calibration of ${kindName(kind)} by ${field}`;
  const bins = calibration.bins.filter((bin) => bin.n > 0);
  const sure =
    error === null
      ? 'There is no calibration error.'
      : `Expected calibration error ${figure(error)} (lower is better), n = ${count(n)}.`;
  if (bins.length === 0)
    return svgFigure({
      id: `calibration-${kind}`,
      title,
      desc: 'No prediction has a confidence.',
      blocks: [textBlock(['Nothing can be drawn: no prediction has a confidence.'])],
      notes: calibrationNotes(calibration),
    });
  return svgFigure({
    id: `calibration-${kind}`,
    title,
    desc: `${sure} ${bins.map(sentence).join(' ')}`,
    blocks: [textBlock(['precision: share that are hits']), diagram(bins), histogram(calibration.bins)],
    notes: [
      sure,
      'On the dashed line confidence is as high as precision; below it the system is too sure of itself.',
      'Bars: 95 % interval (Wilson). Dots stand at the mean confidence of their tenth; one with few predictions is small.',
      ...calibrationNotes(calibration),
    ],
  });
}

function sentence({ from, to, n, confidence, precision, interval }: CalibrationBin): string {
  const sure = interval === null ? '' : ` (${figure(interval.low)} to ${figure(interval.high)})`;
  return `Confidence ${from.toFixed(1)} to ${to.toFixed(1)}: mean ${figure(confidence ?? 0)}, precision ${figure(precision ?? 0)}${sure}, ${counted(n, 'prediction')}.`;
}

function diagram(bins: readonly CalibrationBin[]): Block {
  const area: Area = { left: LEFT, right: RIGHT, top: 6, bottom: HEIGHT };
  const y = linearScale([0, 1], [area.bottom, area.top]);
  const most = bins.reduce((largest, { n }) => Math.max(largest, n), 1);
  return {
    height: HEIGHT + 2,
    content: [
      ...leftAxis(area, y, TICKS),
      element('line', {
        x1: X(0),
        y1: y(0),
        x2: X(1),
        y2: y(1),
        stroke: AXIS,
        'stroke-width': 1,
        'stroke-dasharray': '4 3',
        class: 'axis',
      }),
      ...bins.flatMap((bin) => dot(bin, y, most)),
    ],
  };
}

function dot(bin: CalibrationBin, y: Scale, most: number): Markup[] {
  const { confidence, precision, interval, n } = bin;
  if (confidence === null || precision === null) return [];
  const x = X(confidence);
  const colour = COLOURS.blue;
  return [
    ...(interval === null ? [] : [intervalBar(x, y(interval.low), x, y(interval.high), colour)]),
    marker('circle', x, y(precision), 2.2 + 2.3 * Math.sqrt(n / most), { colour }, sentence(bin)),
  ];
}

/** How many predictions there are of each confidence, upon the same axis. */
function histogram(bins: readonly CalibrationBin[]): Block {
  const top = LINE + 2;
  const area: Area = { left: LEFT, right: RIGHT, top, bottom: top + BARS };
  const most = bins.reduce((largest, { n }) => Math.max(largest, n), 1);
  const y = linearScale([0, most], [area.bottom, area.top]);
  return {
    height: top + BARS + BELOW,
    content: [
      ...bins.flatMap((bin): Markup[] => {
        if (bin.n === 0) return [];
        const [from, to] = [X(bin.from) + 1, X(bin.to) - 1];
        const height = Math.max(1, area.bottom - y(bin.n));
        return [
          element(
            'rect',
            {
              x: from,
              y: area.bottom - height,
              width: to - from,
              height,
              fill: GRID,
              stroke: AXIS,
              'stroke-width': 0.5,
              class: 'bar',
            },
            [element('title', {}, [sentence(bin)])],
          ),
          label((from + to) / 2, area.bottom - height - 2, shortCount(bin.n, to - from + 2), { anchor: 'middle' }),
        ];
      }),
      label(MARGIN, area.bottom - 2, 'n'),
      ...bottomAxis(area, X, TICKS, 'confidence'),
    ],
  };
}

/** A number that fits: in thousands or millions where it must be. */
function shortCount(n: number, width: number): string {
  const texts = [count(n), `${(n / 1000).toFixed(1)}k`, `${Math.round(n / 1000)}k`, `${(n / 1e6).toFixed(1)}M`];
  return texts.find((text) => textWidth(text, TEXT) <= width) ?? `${Math.round(n / 1e6)}M`;
}
