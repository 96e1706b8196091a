import type { Ceiling } from '../../figures/run-figures.ts';
import { count, plural } from '../../text/figures.ts';
import { CEILING_MEANINGS } from '../figure-tables.ts';
import { drawn, type Estimate, estimateText, intervalNote } from './estimate.ts';
import { AXIS, COLOURS } from './look.ts';
import type { Mark, Sign } from './marks.ts';
import { extent, plot, rowAxis, valueAxis } from './plot.ts';
import { singleLine } from './text-width.ts';
import { present } from '../document.ts';

const MOST_ANNOTATORS = 12;

interface CeilingRow {
  readonly name: string;
  readonly estimate: Estimate;
  readonly sign: Sign;
}

/** The system among the annotators who made the gold, each against the gold of the others. */
export function ceilingFigure(ceiling: Ceiling, width?: number): string {
  const { measure, human, system, cases, people } = ceiling;
  const [id, title] = ['ceiling', `The system among people: ${measure}`];
  const rows: CeilingRow[] = [
    { name: 'the system', estimate: { ...system, n: cases }, sign: sign('diamond', COLOURS.vermilion) },
    { name: 'people', estimate: { ...human, n: cases }, sign: sign('square', COLOURS.blue) },
    ...people.slice(0, MOST_ANNOTATORS).map(({ name, ...one }) => ({
      name: singleLine(name),
      estimate: { ...one, undefined: one.value === null ? 'nothing to compare' : null },
      sign: sign('circle', AXIS, 3.2),
    })),
  ];
  const estimates = rows.map(({ estimate }) => estimate);
  const left = Math.max(0, people.length - MOST_ANNOTATORS);
  const notes = present([
    CEILING_MEANINGS[ceiling.verdict],
    ceiling.about,
    estimates.some(({ interval }) => interval !== null) && intervalNote(estimates),
    left !== 0 && `${plural(left, 'more person is', 'more people are')} not drawn.`,
    `n = ${plural(cases, 'case')}; ${count(people.length)} people. The axis need not begin at 0.`,
  ]);
  const about = [notes[0]!, ...rows.map(({ name, estimate }) => `${name}: ${estimateText(estimate)}.`)].join(' ');
  const marks = rows.map(rowMark);
  if (!marks.some(({ mark }) => mark === 'point')) {
    const why = human.undefined ?? system.undefined ?? 'there are no values';
    return plot({ width, id, title, about, parts: [`Nothing can be drawn: ${why}.`], notes });
  }
  const together = drawn(estimates[1]!);
  return plot({
    width,
    id,
    title,
    about,
    parts: [
      {
        height: rows.length * 20,
        room: { right: 14 },
        x: { ...valueAxis(extent(marks, 'x'), 4, [0, 1]), title: `${measure} (higher is better)`, grid: true },
        y: rowAxis(rows.map(({ name }) => name)),
        marks: present([
          together !== null && ({ mark: 'rule', x: together.value, colour: COLOURS.blue, dashes: '4 3' } as const),
          ...marks,
        ]),
      },
    ],
    notes,
  });
}

function sign(shape: Sign['shape'], colour: string, size = 4.5): Sign {
  return { shape, colour, size };
}

function rowMark({ name, estimate, sign: look }: CeilingRow, y: number): Mark {
  const shown = drawn(estimate);
  if (shown === null) return { mark: 'label', x: -Infinity, y, dx: 5, text: 'no value' };
  const title = `${name}: ${estimateText(estimate)}`;
  return { mark: 'point', x: shown.value, y, xInterval: shown.interval, ...look, title };
}
