import { improvement } from '../../measure/measure.ts';
import type { Sweep, SweepDifference } from '../../compare/sweep/sweep.ts';
import { figure, signedFigure } from '../../text/figures.ts';
import { estimateText } from './estimate.ts';
import { type Block, textBlock } from './frame.ts';
import { label } from './label.ts';
import { type LegendEntry, legendBlock, signEntry } from './legend.ts';
import { marker } from './marker.ts';
import { element, type Markup } from './markup.ts';
import { INK, LINE, MARGIN, PAPER, TEXT, WIDTH } from './paper.ts';
import { COLOURS } from './series-style.ts';
import { fitted, oneLine, textWidth } from './text-width.ts';
import { drawable } from './ticks.ts';

interface HeatCell {
  /** The number in full, and as short as it can be said. */
  readonly texts: readonly [string, string];
  readonly title: string;
  readonly fill: string;
  readonly signs: readonly ('best' | 'better' | 'worse')[];
}

const CELL = 22;
const NAME_ROOM = 70;
/** Figures are narrower in most fonts than is reckoned with elsewhere. */
const SNUG = 0.9;
const NOTHING = '#eeeeee';
const CELL_INK = '#101010';
/** The strongest shades still carry dark text. */
const BLUE = [143, 193, 227] as const;
const ORANGE = [244, 178, 138] as const;

/** A map of the first measure over two parameters; with several systems, of each one's difference from the first. */
export function heatBlocks(sweep: Sweep): Block[] {
  const { systems, measures } = sweep;
  if (systems.length === 1) return [heat(sweep, valueCells(sweep)), legendBlock([...ownEntry(sweep), bestEntry()])];
  return [
    ...systems
      .slice(1)
      .flatMap(({ name }, at) => [
        textBlock([`${oneLine(name)} minus ${oneLine(systems[0]!.name)}`]),
        heat(sweep, differenceCells(sweep, at + 1, measures[0]!.name)),
      ]),
    legendBlock([
      ...ownEntry(sweep),
      signEntry('shown to be better', 'up', { colour: COLOURS.green }),
      signEntry('worse', 'down', { colour: COLOURS.vermilion }),
    ]),
  ];
}

function valueCells({ points, systems }: Sweep): HeatCell[] {
  const values = points.map((point) => point.systems[0]![0]!);
  const numbers = values.map(({ value }) => value).filter(drawable);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const best = systems[0]!.best?.ties ?? [];
  return points.map((point, at) => {
    const { value } = values[at]!;
    const title = `${point.set.join(', ')}: ${estimateText(values[at]!)}`;
    if (!drawable(value)) return { texts: ['–', '–'], title, fill: NOTHING, signs: [] };
    const share = high === low ? 0.5 : (value - low) / (high - low);
    return {
      texts: [figure(value), hundredths(value)],
      title,
      fill: mixed(BLUE, share),
      signs: best.includes(at) ? ['best'] : [],
    };
  });
}

function differenceCells({ points }: Sweep, system: number, name: string): HeatCell[] {
  const found = points.map(({ differences }) => differences.find((one) => one.system === system && one.name === name));
  const most = Math.max(...found.map((one) => Math.abs(one?.difference ?? 0)));
  return points.map((point, at) => {
    const one = found[at];
    const title = `${point.set.join(', ')}: ${one === undefined ? 'no value' : `${signedFigure(one.difference)}, ${one.verdict}`}`;
    if (one === undefined || !drawable(one.difference)) return { texts: ['–', '–'], title, fill: NOTHING, signs: [] };
    const share = most === 0 ? 0 : Math.abs(one.difference) / most;
    const { verdict } = one;
    return {
      texts: [signedFigure(one.difference), `${one.difference > 0 ? '+' : ''}${hundredths(one.difference)}`],
      title,
      fill: mixed(isAhead(one) ? BLUE : ORANGE, share),
      signs: verdict === 'better' || verdict === 'worse' ? [verdict] : [],
    };
  });
}

function isAhead(one: SweepDifference): boolean {
  return improvement(one, one.baseline ?? 0, one.other ?? 0) > 0;
}

function heat(sweep: Sweep, cells: readonly HeatCell[]): Block {
  const [across, down] = [sweep.axes[0]!, sweep.axes[1]!];
  const names = down.texts.map((text) => fitted(oneLine(text), NAME_ROOM, TEXT));
  const left = MARGIN + Math.max(20, ...names.map((name) => textWidth(name, TEXT))) + 6;
  const width = (WIDTH - MARGIN - left) / across.texts.length;
  const top = 2 * LINE;
  const fits = [0, 1].findIndex((form) =>
    cells.every(({ texts }) => textWidth(texts[form]!, TEXT) * SNUG <= width - 1),
  );
  const content: Markup[] = [
    label((left + WIDTH - MARGIN) / 2, LINE - 3, across.path, { anchor: 'middle', width: WIDTH - left - MARGIN }),
    ...columnNames(across.texts, left, width, top),
    ...names.map((name, row) => label(left - 4, top + row * CELL + CELL / 2 + 4, name, { anchor: 'end' })),
  ];
  for (const [point, cell] of cells.entries()) {
    const [column, row] = [point % across.texts.length, Math.floor(point / across.texts.length)];
    const [x, y] = [left + column * width, top + row * CELL];
    const box = { x, y, width, height: CELL, fill: cell.fill, stroke: PAPER, 'stroke-width': 0.7, class: 'cell' };
    content.push(
      element('rect', { ...box, 'data-point': String(point) }, [element('title', {}, [cell.title])]),
      ...(fits === -1 ? [] : [cellText(x + width / 2, y + CELL - 4, cell.texts[fits]!)]),
      ...cell.signs.map((sign) => signOf(sign, x + width / 2, y + 4)),
    );
  }
  const { point } = sweep.own;
  if (point !== null) {
    const [column, row] = [point % across.texts.length, Math.floor(point / across.texts.length)];
    const box = { x: left + column * width + 0.8, y: top + row * CELL + 0.8, width: width - 1.6, height: CELL - 1.6 };
    content.push(element('rect', { ...box, fill: 'none', stroke: INK, 'stroke-width': 1.4, class: 'own' }));
  }
  const bottom = top + down.texts.length * CELL;
  content.push(
    label(MARGIN, bottom + LINE, `rows: ${down.path}${fits === -1 ? '; there is no room for the numbers' : ''}`, {
      width: WIDTH - 2 * MARGIN,
    }),
  );
  return { height: bottom + LINE + 4, content };
}

/** Cells keep their pale colours in a dark page, so their text stays dark: it has no class that a theme would colour. */
function cellText(x: number, y: number, text: string): Markup {
  const place = { x, y, 'font-size': TEXT, 'text-anchor': 'middle' };
  return element('text', { class: 'cell-text', ...place, fill: CELL_INK }, [text]);
}

/** As many of the names as have room. */
function columnNames(texts: readonly string[], left: number, width: number, top: number): Markup[] {
  let free = -Infinity;
  return texts.flatMap((text, at) => {
    const name = fitted(oneLine(text), NAME_ROOM, TEXT);
    const middle = left + (at + 0.5) * width;
    const half = textWidth(name, TEXT) / 2;
    if (middle - half < free) return [];
    free = middle + half + 3;
    return [label(middle, top - 4, name, { anchor: 'middle' })];
  });
}

function signOf(sign: HeatCell['signs'][number], x: number, y: number): Markup {
  if (sign === 'best') return marker('star', x, y, 2.6, { colour: COLOURS.vermilion });
  return sign === 'better'
    ? marker('up', x, y, 2.2, { colour: COLOURS.green })
    : marker('down', x, y, 2.2, { colour: COLOURS.vermilion });
}

/** In hundredths, without the 0 before the point: `.81`. */
function hundredths(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(2).replace(/^(-?)0\./, '$1.') : figure(value);
}

/** From nearly paper to a colour. */
function mixed(colour: readonly [number, number, number], share: number): string {
  const part = (value: number): string =>
    Math.round(255 + (value - 255) * (0.12 + 0.88 * share))
      .toString(16)
      .padStart(2, '0');
  return `#${part(colour[0])}${part(colour[1])}${part(colour[2])}`;
}

function ownEntry({ own }: Sweep): LegendEntry[] {
  if (own.point === null) return [];
  const box = { x: -5, y: -5, width: 10, height: 10, fill: 'none', stroke: INK, 'stroke-width': 1.4, class: 'own' };
  return [{ name: 'the recipe as it stands', wide: 12, sample: element('rect', box) }];
}

function bestEntry(): LegendEntry {
  return signEntry('the best', 'star', { colour: COLOURS.vermilion });
}
