import { count, percent } from '../../text/figures.ts';
import { type ConfusionCell, type ConfusionMatrix, confusionMatrix } from './confusion-matrix.ts';
import { type Block, svgFigure, textBlock } from './frame.ts';
import { label } from './label.ts';
import { element, type Markup } from './markup.ts';
import { AXIS, INK, LINE, MARGIN, PAPER, TEXT, WIDTH } from './paper.ts';
import { COLOURS } from './series-style.ts';
import { fitted, oneLine, textWidth } from './text-width.ts';

export type { ConfusionCell } from './confusion-matrix.ts';

const ROW_NAMES = 82;
const COLUMN_NAMES = 72;
const LARGEST_CELL = 34;
const SMALLEST_TEXT = 6.5;
/** So that the numbers stay readable on the darkest cell, on paper and on a dark screen. */
const DARKEST = 0.6;

/** Which name of gold met which predicted one: rows add up to gold, the darker the larger the share of the row. */
export function confusionFigure(cells: readonly ConfusionCell[], title: string): string {
  const matrix = confusionMatrix(cells);
  if (matrix.rows.length === 0)
    return svgFigure({
      id: 'confusion',
      title,
      desc: 'There is nothing to count.',
      blocks: [textBlock(['Nothing can be drawn: there is nothing to count.'])],
      notes: ['n = 0.'],
    });
  const notes = [
    `n = ${count(matrix.n)}. Rows: gold; columns: predicted. Blue is right, orange is not; the darker, the larger its share of the row.`,
    ...(matrix.left === 0
      ? []
      : [`The ${count(matrix.left)} least frequent names are together in “${matrix.others}”.`]),
  ];
  return svgFigure({
    id: 'confusion',
    title,
    desc: `${notes[0]!} ${matrix.cells.map((cell) => sentence(cell, matrix)).join(' ')}`,
    blocks: [grid(matrix)],
    notes,
  });
}

type Cell = ConfusionMatrix['cells'][number];

function sentence({ row, column, n, right }: Cell, { rows, columns }: ConfusionMatrix): string {
  const [gold, predicted] = [rows[row]!, columns[column]!];
  const share = `${percent(n, gold.n)} of the row`;
  return `Gold ${oneLine(gold.name)}, predicted ${oneLine(predicted.name)}: ${count(n)} (${share}), ${right ? 'right' : 'wrong'}.`;
}

function grid(matrix: ConfusionMatrix): Block {
  const { rows, columns } = matrix;
  const names = Math.min(
    ROW_NAMES,
    rows.reduce((most, { name }) => Math.max(most, textWidth(oneLine(name), TEXT)), 0) + 6,
  );
  const left = MARGIN + LINE + names;
  const size = Math.min(LARGEST_CELL, (WIDTH - MARGIN - left) / columns.length);
  // One size for all of them: a smaller number is not a smaller text.
  const textSize = matrix.cells.reduce((least, { n }) => Math.min(least, numberIn(n, size).fontSize), TEXT);
  const above = Math.min(
    COLUMN_NAMES,
    columns.reduce((most, { name }) => Math.max(most, textWidth(oneLine(name), TEXT)), 0) + 6,
  );
  const top = LINE + above;
  const middle = top + (rows.length * size) / 2;
  const place = (row: number, column: number): readonly [number, number] => [left + column * size, top + row * size];
  return {
    height: top + rows.length * size + 4,
    content: [
      label(left, LINE - 4, 'predicted'),
      upright(MARGIN + 9, middle, 'gold', 'middle'),
      ...columns.map(({ name }, at) => upright(left + at * size + size / 2 + 4, top - 4, name, 'start', above - 6)),
      ...rows.map(({ name }, at) =>
        label(left - 4, top + at * size + size / 2 + 4, name, { anchor: 'end', width: names - 4 }),
      ),
      ...matrix.cells.map((cell) => drawnCell(cell, matrix, place(cell.row, cell.column), size, textSize)),
      element('rect', {
        x: left,
        y: top,
        width: columns.length * size,
        height: rows.length * size,
        fill: 'none',
        stroke: AXIS,
        'stroke-width': 0.7,
        class: 'axis',
      }),
    ],
  };
}

/** Text that reads from below upwards. */
function upright(x: number, y: number, text: string, anchor: 'start' | 'middle', width = Infinity): Markup {
  const line = oneLine(text);
  const shown = fitted(line, width, TEXT);
  return element(
    'text',
    {
      transform: `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(-90)`,
      'font-size': TEXT,
      'text-anchor': anchor,
      fill: INK,
      class: 'ink',
    },
    shown === line ? [shown] : [element('title', {}, [line]), shown],
  );
}

function drawnCell(
  cell: Cell,
  matrix: ConfusionMatrix,
  [x, y]: readonly [number, number],
  size: number,
  fontSize: number,
): Markup {
  const [gold, predicted] = [matrix.rows[cell.row]!, matrix.columns[cell.column]!];
  const { text } = numberIn(cell.n, size);
  return element(
    'g',
    {
      class: cell.right ? 'cell-good' : 'cell-bad',
      ...(gold.value === null ? {} : { 'data-gold': gold.value }),
      ...(predicted.value === null ? {} : { 'data-predicted': predicted.value }),
    },
    [
      element('title', {}, [sentence(cell, matrix)]),
      element('rect', {
        x,
        y,
        width: size,
        height: size,
        fill: cell.right ? COLOURS.blue : COLOURS.vermilion,
        'fill-opacity': 0.06 + (DARKEST - 0.06) * (cell.n / gold.n),
        stroke: PAPER,
        'stroke-width': 0.7,
      }),
      element(
        'text',
        {
          x: x + size / 2,
          y: y + size / 2 + fontSize * 0.35,
          'font-size': fontSize,
          'text-anchor': 'middle',
          fill: INK,
          class: 'ink',
        },
        [text],
      ),
    ],
  );
}

/** A number that fits its cell: smaller, or in thousands where it must be. */
function numberIn(n: number, size: number): { text: string; fontSize: number } {
  const texts = [count(n), `${(n / 1000).toFixed(1)}k`, `${Math.round(n / 1000)}k`, `${Math.round(n / 1e6)}M`];
  for (const text of texts) {
    const fontSize = Math.min(TEXT, ((size - 2) / textWidth(text, TEXT)) * TEXT);
    if (fontSize >= SMALLEST_TEXT) return { text, fontSize };
  }
  return { text: '…', fontSize: TEXT };
}
