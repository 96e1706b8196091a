import { scaleTime } from 'd3-scale';

import { plural } from '../../text/figures.ts';
import { arrowLegend } from '../arrows.ts';
import {
  drawn,
  type Estimate,
  estimateText,
  intervalNote,
  missingNote,
  type NamedEstimate,
  withoutValue,
} from './estimate.ts';
import { COLOURS } from './look.ts';
import type { Mark } from './marks.ts';
import { type Axis, emptyPlot, plot, valueAxis } from './plot.ts';

export interface DatedEstimate extends NamedEstimate {
  /** In ms. */
  readonly date: number;
}

export interface HistoryMeasure {
  readonly name: string;
  readonly direction: 'higher' | 'lower';
  readonly best?: number;
  readonly range: readonly [number | null, number | null];
}

const DAY = 24 * 60 * 60 * 1000;
const TICKS_APART = 110;
const HEIGHT = 220;

/** A measure of one recipe over one dataset, run by run, with its intervals. Points carry the names of their runs as data. */
export function historyFigure(measure: HistoryMeasure, runs: readonly DatedEstimate[], width?: number): string {
  const title = `${measure.name} over time`;
  const shown = runs.flatMap((run) => {
    const estimate = drawn(run.estimate);
    return estimate === null ? [] : [{ ...run, drawn: estimate }];
  });
  const missing = missingNote(withoutValue(runs));
  if (shown.length === 0)
    return emptyPlot({ width, id: 'history', title, why: `no run has a value of ${measure.name}`, notes: missing });
  const ends = shown.flatMap(({ drawn: { value, interval } }) => [
    value,
    interval?.low ?? value,
    interval?.high ?? value,
  ]);
  const [least, most] = measure.range;
  const estimates: readonly Estimate[] = shown.map(({ estimate }) => estimate);
  const line = { colour: COLOURS.blue, class: 'curve' };
  return plot({
    width,
    id: 'history',
    title,
    about: `${plural(shown.length, 'run')}. ${shown.map(({ name, date, estimate }) => `${dayText(date)} ${name}: ${estimateText(estimate)}`).join('; ')}.`,
    parts: [
      {
        height: HEIGHT,
        x: timeAxis(
          shown.map(({ date }) => date),
          width ?? 0,
        ),
        y: { ...valueAxis(ends, 5, [least ?? -Infinity, most ?? Infinity]), grid: true },
        marks: [
          { mark: 'line', points: shown.map(({ date, drawn: { value } }) => [date, value]), ...line },
          ...shown.map(({ name, date, estimate, drawn: { value, interval } }): Mark => ({
            mark: 'group',
            title: `${name}, ${dayText(date)}: ${estimateText(estimate)}`,
            data: { run: name },
            marks: [
              {
                mark: 'point',
                x: date,
                y: value,
                yInterval: interval,
                shape: 'circle',
                colour: COLOURS.blue,
                size: 4.5,
              },
            ],
          })),
        ],
      },
      ...arrowLegend([measure]),
    ],
    notes: [intervalNote(estimates), ...missing],
  });
}

/** As far as the dates go, with ticks at whole days, hours or minutes of the reader's own time. */
function timeAxis(dates: readonly number[], width: number): Axis {
  const [first, last] = [Math.min(...dates), Math.max(...dates)];
  const around = first === last ? DAY / 2 : 0;
  const ends = [first - around, last + around] as const;
  const ticks = scaleTime(ends, [0, 1]).ticks(Math.max(2, Math.floor(width / TICKS_APART)));
  const isLong = ends[1] - ends[0] > 2 * DAY;
  const texts = (ticks.length === 0 ? [new Date(first)] : ticks).map((tick) => {
    return { value: tick.getTime(), text: isLong ? dayText(tick.getTime()) : hourText(tick.getTime()) };
  });
  return {
    ends,
    // Within a minute all are the same.
    ticks: texts.filter(({ text }, at) => text !== texts[at - 1]?.text),
    inset: 12,
    ...(isLong ? {} : { title: dayText(first) }),
  };
}

/** @example dayText(0) // '1970-01-01' east of Greenwich */
function dayText(time: number): string {
  const date = new Date(time);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function hourText(time: number): string {
  const date = new Date(time);
  const hour = `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
  return hour === '00:00' ? dayText(time) : hour;
}
