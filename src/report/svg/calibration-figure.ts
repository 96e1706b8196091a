import type { Calibration, CalibrationBin } from '../../figures/run-figures.ts';
import { count, plural, figure } from '../../text/figures.ts';
import { kindName } from '../kind-name.ts';
import { AXIS, COLOURS, GRID } from './look.ts';
import type { Mark } from './marks.ts';
import { emptyPlot, plot, SHARES } from './plot.ts';

/** A reliability diagram: how often predictions of a confidence are right, and how many there are of each. */
export function calibrationFigure(calibration: Calibration, width?: number): string {
  const { kind, field, n, error } = calibration;
  const [id, title] = [`calibration-${kind}`, `Calibration of ${kindName(kind)} by ${field}`];
  const bins = calibration.bins.filter((bin) => bin.n > 0);
  if (bins.length === 0)
    return emptyPlot({ width, id, title, why: 'no prediction has a confidence', notes: calibrationNotes(calibration) });
  const overall =
    error === null
      ? 'There is no calibration error.'
      : `Expected calibration error ${figure(error)} (lower is better), n = ${count(n)}.`;
  const most = bins.reduce((largest, bin) => Math.max(largest, bin.n), 1);
  return plot({
    width,
    id,
    title,
    about: `${overall} ${bins.map(sentence).join(' ')}`,
    parts: [
      {
        height: 190,
        x: { ...SHARES, ticks: [] },
        y: { ...SHARES, title: 'precision: share that are hits', grid: true },
        marks: [
          { mark: 'rule', x: [0, 1], y: [0, 1], colour: AXIS, dashes: '4 3', class: 'axis' },
          ...bins.flatMap((bin) => dot(bin, most)),
        ],
      },
      {
        height: 40,
        room: { left: 38, top: 14 },
        x: { ...SHARES, title: 'confidence' },
        y: { ends: [0, most], ticks: [] },
        marks: [...bins.flatMap(countBar), { mark: 'label', x: -Infinity, y: 0, dx: -30, dy: -7, text: 'n' }],
      },
    ],
    notes: [
      overall,
      'On the dashed line confidence is as high as precision; below it the system is overconfident.',
      'Bars: 95 % interval (Wilson). Dots are at the mean confidence of their tenth; a small dot has few predictions.',
      ...calibrationNotes(calibration),
    ],
  });
}

function sentence({ from, to, n, confidence, precision, interval }: CalibrationBin): string {
  const range = interval === null ? '' : ` (${figure(interval.low)} to ${figure(interval.high)})`;
  return `Confidence ${from.toFixed(1)} to ${to.toFixed(1)}: mean ${figure(confidence ?? 0)}, precision ${figure(precision ?? 0)}${range}, ${plural(n, 'prediction')}.`;
}

function dot(bin: CalibrationBin, most: number): Mark[] {
  const { confidence: x, precision: y, interval: yInterval, n } = bin;
  if (x === null || y === null) return [];
  const look = { shape: 'circle', colour: COLOURS.blue, size: 2.5 + 2.6 * Math.sqrt(n / most) } as const;
  return [{ mark: 'point', x, y, yInterval, ...look, title: sentence(bin) }];
}

function countBar(bin: CalibrationBin): Mark[] {
  const { from, to, n } = bin;
  const look = { fill: GRID, stroke: AXIS, width: 0.5, inset: 1, least: 1, class: 'bar' };
  return [
    { mark: 'bar', x: [from, to], y: [0, n], ...look, title: sentence(bin) },
    {
      mark: 'label',
      x: (from + to) / 2,
      y: n,
      dy: -7,
      text: shortCounts(n),
      anchor: 'middle',
      width: { over: [from, to] },
    },
  ];
}

/** A count in full, and shorter: in thousands or millions. */
export function shortCounts(n: number): string[] {
  if (n < 1000) return [count(n)];
  const [size, unit] = n < 1e6 ? [1000, 'k'] : [1e6, 'M'];
  return [count(n), `${(n / size).toFixed(1)}${unit}`, `${Math.round(n / size)}${unit}`];
}

/** What a figure of confidences leaves out. */
export function calibrationNotes({ leftOut }: Pick<Calibration, 'leftOut'>): string[] {
  const parts = Object.entries(leftOut).map(([reason, n]) => `${count(n)} (${reason})`);
  return parts.length === 0 ? [] : [`Left out: ${parts.join(', ')}.`];
}
