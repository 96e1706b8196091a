import type { Sweep, SweepDifference } from '../../compare/sweep/sweep.ts';
import { improvement } from '../../measure/measure.ts';
import { figure, signedFigure } from '../../text/figures.ts';
import { DARKEST } from './confusion-figure.ts';
import { SMALLEST } from './draw-mark.ts';
import { estimateText } from './estimate.ts';
import { COLOURS, GREY, INK, PAPER, TEXT, WIDTH } from './look.ts';
import type { BarMark, Mark, Sign } from './marks.ts';
import { nameAxis, type Panel, type Plot, rowAxis } from './plot.ts';
import { oneLine, textWidth } from './text-width.ts';
import { drawable } from './ticks.ts';

interface HeatCell {
  /** The number in full, and as short as possible. */
  readonly texts: readonly [string, string];
  readonly title: string;
  readonly colour: string;
  /** 0 to 1: how dark it is. */
  readonly share: number;
  readonly sign: (Sign & { readonly key: string }) | null;
}

const BEST = { shape: 'star', colour: COLOURS.vermilion, size: 2.8, key: 'the best' } as const;
const VERDICTS: Readonly<Partial<Record<SweepDifference['verdict'], HeatCell['sign']>>> = {
  better: { shape: 'up', colour: COLOURS.green, size: 2.8, key: 'shown to be better' },
  worse: { shape: 'down', colour: COLOURS.vermilion, size: 2.8, key: 'shown to be worse' },
};

/** A map of the first measure over two parameters; with several systems, of each one's difference from the first. */
export function heatParts(sweep: Sweep, width: number = WIDTH): Plot['parts'] {
  const { systems } = sweep;
  if (systems.length === 1) return [heatPanel(sweep, valueCells(sweep), width)];
  return systems
    .slice(1)
    .flatMap(({ name }, at) => [
      `${oneLine(name)} minus ${oneLine(systems[0]!.name)}`,
      heatPanel(sweep, differenceCells(sweep, at + 1), width),
    ]);
}

function valueCells({ points, systems }: Sweep): HeatCell[] {
  const values = points.map((point) => point.systems[0]![0]!);
  const numbers = values.map(({ value }) => value).filter(drawable);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const best = systems[0]!.best?.ties ?? [];
  return points.map((point, at) => {
    const { value } = values[at]!;
    const title = `${point.set.join(', ')}: ${estimateText(values[at]!)}`;
    if (!drawable(value)) return emptyCell(title);
    const share = high === low ? 0.5 : (value - low) / (high - low);
    const sign = best.includes(at) ? BEST : null;
    return { texts: [figure(value), hundredths(value)], title, colour: COLOURS.blue, share, sign };
  });
}

function differenceCells({ points, measures }: Sweep, system: number): HeatCell[] {
  const { name } = measures[0]!;
  const all = points.map(({ differences }) => differences.find((one) => one.system === system && one.name === name));
  const most = Math.max(...all.map((one) => Math.abs(one?.difference ?? 0)));
  return points.map((point, at) => {
    const one = all[at];
    const result = one === undefined ? 'no value' : `${signedFigure(one.difference)}, ${one.verdict}`;
    const title = `${point.set.join(', ')}: ${result}`;
    if (one === undefined || !drawable(one.difference)) return emptyCell(title);
    const isAhead = improvement(one, one.baseline ?? 0, one.other ?? 0) > 0;
    return {
      texts: [signedFigure(one.difference), `${one.difference > 0 ? '+' : ''}${hundredths(one.difference)}`],
      title,
      colour: isAhead ? COLOURS.blue : COLOURS.vermilion,
      share: most === 0 ? 0 : Math.abs(one.difference) / most,
      sign: VERDICTS[one.verdict] ?? null,
    };
  });
}

function emptyCell(title: string): HeatCell {
  return { texts: ['–', '–'], title, colour: GREY, share: 0, sign: null };
}

const OWN_EDGE = { fill: 'none', stroke: INK, width: 1.5, inset: 1, class: 'own', key: 'the recipe as it is' };

function heatPanel({ axes, own }: Sweep, cells: readonly HeatCell[], width: number): Panel {
  const [across, down] = [axes[0]!, axes[1]!];
  const boxOf = (point: number) => {
    const [column, row] = [point % across.texts.length, Math.floor(point / across.texts.length)];
    return { x: [column - 0.5, column + 0.5], y: [row - 0.5, row + 0.5] } as const;
  };
  // One form for all cells: the longer one if it fits everywhere.
  const cellRoom = (width - 120) / across.texts.length;
  const form = cells.every(({ texts: [whole] }) => textWidth(whole, TEXT) <= cellRoom) ? 0 : 1;
  const isNarrow = cells.some(({ texts: [, short] }) => textWidth(short, SMALLEST) > cellRoom);
  const title = `rows: ${down.path}; columns: ${across.path}${isNarrow ? '; there is no room for the numbers' : ''}`;
  return {
    height: down.texts.length * 32,
    room: { right: 0 },
    x: { ...nameAxis(across.texts), above: 'level' },
    y: { ...rowAxis(down.texts), title },
    marks: [
      ...cells.flatMap((cell, point) => cellMarks(cell, cell.texts[form], boxOf(point), point)),
      ...(own.point === null ? [] : [{ mark: 'bar', ...boxOf(own.point), ...OWN_EDGE } as const]),
    ],
  };
}

function cellMarks({ title, colour, share, sign }: HeatCell, text: string, box: Box, point: number): Mark[] {
  const look = { fill: colour, opacity: 0.06 + (DARKEST - 0.06) * share, stroke: PAPER, width: 0.7 };
  const [x, y] = [(box.x[0] + box.x[1]) / 2, (box.y[0] + box.y[1]) / 2];
  return [
    { mark: 'bar', ...box, ...look, title, class: 'cell', data: { point: String(point) } },
    { mark: 'label', x, y, dy: 5, text, anchor: 'middle', width: { over: box.x } },
    ...(sign === null ? [] : [{ mark: 'point', x, y, dy: -9, ...sign } as const]),
  ];
}

type Box = Required<Pick<BarMark, 'x' | 'y'>>;

/** In hundredths, without the 0 before the point: `.81`. */
function hundredths(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(2).replace(/^(-?)0\./, '$1.') : figure(value);
}
