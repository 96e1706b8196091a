import type { Sweep, SweepDifference, SweepPoint, SweepValue } from '../compare/sweep/sweep.ts';
import { plural, levelText, NONE } from '../text/figures.ts';
import { arrow, arrowLegend, betterWord } from './arrows.ts';
import { COMPARISON_LOOKS, COMPARISON_VERDICTS } from './comparison-words.ts';
import type { Block, Document, Medium, Section } from './document.ts';
import { poolingRemarks } from './pooling.ts';
import { type CsvColumn, renderCsv } from './render-csv.ts';
import { sweptCasesText, sweepSentences } from './sweep-sentences.ts';
import { BEST_MARK, differenceGrid, differenceTable, RECIPE_MARK, valueGrid, valueTable } from './sweep-tables.ts';

/** The values of a recipe along one or two parameters and what they come to. It holds no time and no path. */
export function recipeSweepDocument(sweep: Sweep): Document {
  const { recipe, axes, points, systems, measures, set } = sweep;
  const isGrid = axes.length > 1;
  const over = axes.map(({ path, written }) => ({ path, written }));
  const sentences = (on: Medium): Section => ({ on, blocks: [{ list: sweepSentences(sweep), bullets: true }] });
  return {
    title: `${recipe} over ${over.map(({ path, written }) => `${path} ${written}`).join(' and ')}`,
    about: [
      plural(points.length, 'point'),
      ...systems.map((system) => `${system.name}: ${sweptCasesText(system)}`),
    ].join('; '),
    sections: [
      // First on a page, which is read from its top; last on a terminal, which ends at the bottom.
      sentences('page'),
      {
        title: axes.map(({ path }) => path).join(' and '),
        // Beside another system, and in a grid, a terminal shows values in separate tables.
        ...(isGrid || systems.length > 1 ? { on: 'page' } : {}),
        blocks: [valueTable(sweep)],
      },
      {
        title: measureTitle(sweep, measures[0]!.name),
        on: 'terminal',
        blocks: [isGrid && systems.length === 1 ? valueGrid(sweep) : null],
      },
      ...differenceSections(sweep),
      { blocks: legend(sweep) },
      sentences('terminal'),
      {
        title: 'Settings',
        on: 'page',
        blocks: [
          {
            code: [
              ...over.map(({ path, written }) => `--over ${path}=${written}`),
              ...set.map((line) => `--set ${line}`),
            ].join('\n'),
          },
        ],
      },
      { title: 'How to read this', on: 'page', blocks: [{ list: howToRead(sweep) }] },
    ],
  };
}

/** Each system beside the first, by measure. */
function differenceSections(sweep: Sweep): Section[] {
  const { axes, systems, tests } = sweep;
  const others = systems.slice(1).map(({ name }, at) => ({ name, system: at + 1 }));
  return others.flatMap(({ name, system }) =>
    (tests?.measures ?? []).map((measure): Section => {
      const table = differenceTable(sweep, system, measure);
      const grid = (): Block => ({ ...differenceGrid(sweep, system, measure), on: 'terminal' });
      return {
        title: measureTitle(sweep, measure),
        about: `diff. is ${name} minus ${systems[0]!.name}`,
        blocks: axes.length === 1 ? [table] : [grid(), { ...table, on: 'page' }],
      };
    }),
  );
}

function measureTitle({ measures }: Sweep, name: string): string {
  const measure = measures.find((one) => one.name === name);
  return measure === undefined ? name : `${name} ${arrow(measure)}`;
}

function legend({ axes, measures, points, systems }: Sweep): (Block | null)[] {
  const interval = points.flatMap((point) => point.systems.flat()).find((value) => value.interval !== null)?.interval;
  const isGrid = axes.length > 1;
  const own = axes.some((axis) => axis.own !== null) ? [`${RECIPE_MARK} the recipe as it is`] : [];
  const level = interval == null ? [] : [`${levelText(interval.level)} intervals`];
  const best = isGrid && systems.length === 1 ? [`${BEST_MARK} the best`] : [];
  const verdicts = COMPARISON_VERDICTS.map((verdict) => `${COMPARISON_LOOKS[verdict].symbol} ${verdict}`);
  const line = (on: Medium, parts: readonly string[]): Block | null =>
    parts.length === 0 ? null : { on, text: parts.join('; '), tone: 'quiet' };
  return [
    line('page', [...own, ...level]),
    line('terminal', [...own, ...(isGrid ? best : level), ...arrowLegend(measures)]),
    systems.length > 1 ? line('terminal', [verdicts.join(', ')]) : null,
    ...poolingRemarks(measures).map((text): Block => ({ text, tone: 'quiet' })),
  ];
}

function howToRead({ measures }: Sweep): string[] {
  return [
    `Better is: ${measures.map((measure) => `${measure.name} ${betterWord(measure)}`).join(', ')}.`,
    'An interval shows where the value would be if cases like these were drawn again. Neighbouring points share their cases: overlapping intervals do not mean that two points are alike.',
    `${NONE} means undefined, or no interval: the reason is in the JSON.`,
  ];
}

interface CsvRow {
  readonly point: SweepPoint;
  readonly system: string;
  readonly value: SweepValue;
  /** From the first system; undefined if the point was not compared. */
  readonly difference: SweepDifference | undefined;
}

/** A row a point, system and measure. */
export function recipeSweepCsv({ axes, points, systems }: Sweep): string {
  const rows = points.flatMap((point) =>
    point.systems.flatMap((values, at) =>
      values.map((value): CsvRow => {
        const difference = point.differences.find((one) => one.system === at && one.name === value.name);
        return { point, system: systems[at]!.name, value, difference };
      }),
    ),
  );
  return renderCsv(
    [
      ...axes.map(({ path, texts }, axis): CsvColumn<CsvRow> => [path, ({ point }) => texts[point.at[axis]!]]),
      ['own', ({ point }) => point.own],
      ['system', ({ system }) => system],
      ['measure', ({ value }) => value.name],
      ['value', ({ value }) => value.value],
      ['undefined', ({ value }) => value.undefined],
      ['n', ({ value }) => value.n],
      ['low', ({ value }) => value.interval?.low],
      ['high', ({ value }) => value.interval?.high],
      ['level', ({ value }) => value.interval?.level],
      ['difference_from', ({ difference }) => difference && systems[0]!.name],
      ['difference', ({ difference }) => difference?.difference],
      ['difference_low', ({ difference }) => difference?.interval?.low],
      ['difference_high', ({ difference }) => difference?.interval?.high],
      ['p', ({ difference }) => difference?.permutation.pValue],
      ['p_holm', ({ difference }) => difference?.adjusted],
      ['verdict', ({ difference }) => difference?.verdict],
    ],
    rows,
  );
}
