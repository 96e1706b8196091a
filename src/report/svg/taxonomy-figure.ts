import type { ErrorType } from '../../judge/error-type.ts';
import type { ErrorClass, Taxonomy } from '../../figures/run-figures.ts';
import { count, counted, figure } from '../../text/figures.ts';
import { kindName } from '../kind-name.ts';
import { type Block, svgFigure, textBlock } from './frame.ts';
import { label } from './label.ts';
import { element, type Markup } from './markup.ts';
import { AXIS, LINE, MARGIN, PAPER, WIDTH } from './paper.ts';
import { COLOURS } from './series-style.ts';

/** One for each type, so that a row and its part of the whole bar can be told to belong together. */
const FILLS: Readonly<Record<ErrorType, string>> = {
  boundary: COLOURS.vermilion,
  type: COLOURS.orange,
  both: COLOURS.purple,
  split: COLOURS.sky,
  merged: '#6a51a3',
  duplicate: '#999999',
  missed: '#b2182b',
  spurious: '#44aa99',
  ungrounded: '#7f5539',
};
const RIGHT = COLOURS.blue;

const NAMES = 76;
const BARS = { left: MARGIN + NAMES, right: 206 } as const;
const ROW = 19;
const BAR = 11;

/** What keeps F1 from 1: how much of the gap each type of error makes, the largest first, and F1 without it. */
export function taxonomyFigure(taxonomy: Taxonomy): string {
  const { kind, f1, hit, missed, spurious } = taxonomy;
  const title = `Errors of ${kindName(kind)} by type`;
  const items = `${counted(hit, 'hit')}, ${count(missed)} missed, ${count(spurious)} spurious.`;
  const occurred = taxonomy.errors.filter(({ gap }) => gap > 0).toSorted((a, b) => b.gap - a.gap);
  if (f1 === null || occurred.length === 0) {
    const why =
      f1 === null
        ? `F1 is undefined: ${taxonomy.undefined ?? 'no reason was given'}.`
        : `F1 is ${figure(f1)}: there are no errors.`;
    return svgFigure({
      id: `taxonomy-${kind}`,
      title,
      desc: `${why} ${items}`,
      blocks: [textBlock([why])],
      notes: [items],
    });
  }
  const absent = taxonomy.errors.filter(({ gap }) => gap === 0).map(({ type }) => type);
  return svgFigure({
    id: `taxonomy-${kind}`,
    title,
    desc: `F1 is ${figure(f1)}, ${figure(1 - f1)} short of 1. ${occurred.map(sentence).join(' ')} ${items}`,
    blocks: [textBlock([`F1 is ${figure(f1)}, ${figure(1 - f1)} short of 1:`]), wholeBar(f1, occurred), rows(occurred)],
    notes: [
      `${items} Each error has one type; the parts add up to the gap between F1 and 1.`,
      ...(absent.length === 0 ? [] : [`Did not occur: ${absent.join(', ')}.`]),
    ],
  });
}

function sentence({ type, gap, f1IfFixed, cases, ...counts }: ErrorClass): string {
  const lost = counts.lostCredit > 0 ? `, ${count(counts.lostCredit)} of credit` : '';
  const fixed = f1IfFixed === null ? 'nothing would be left without them' : `F1 without them ${figure(f1IfFixed)}`;
  return `${type}: ${count(counts.missed)} missed, ${count(counts.spurious)} spurious${lost}, ${figure(gap)} of F1 in ${counted(cases.total, 'case')}, ${fixed}.`;
}

/** From 0 to 1: F1, and beside it what is lacking. */
function wholeBar(f1: number, errors: readonly ErrorClass[]): Block {
  const wide = WIDTH - 2 * MARGIN;
  const end = (share: number): number => MARGIN + wide * Math.min(1, share);
  const bar = (from: number, to: number, fill: string, more: Readonly<Record<string, string>>, name: string): Markup =>
    element(
      'rect',
      {
        x: end(from),
        y: 2,
        width: Math.max(0, end(to) - end(from)),
        height: 16,
        fill,
        stroke: PAPER,
        'stroke-width': 0.7,
        ...more,
      },
      [element('title', {}, [name])],
    );
  let at = f1;
  const parts = errors.map((one) => {
    const from = at;
    at += one.gap;
    return bar(
      from,
      at,
      FILLS[one.type],
      { class: `bar-bad error-${one.type}`, 'data-error': one.type },
      sentence(one),
    );
  });
  return {
    height: 18 + LINE + 2,
    content: [
      bar(0, f1, RIGHT, { class: 'bar-good' }, `F1 ${figure(f1)}`),
      ...parts,
      label(MARGIN, 18 + LINE - 2, '0'),
      label(WIDTH - MARGIN, 18 + LINE - 2, '1', { anchor: 'end' }),
    ],
  };
}

/** One row a type: its part of the gap, and F1 if these were right. */
function rows(errors: readonly ErrorClass[]): Block {
  const most = errors[0]!.gap;
  const right = WIDTH - MARGIN;
  const head = LINE + 2;
  return {
    height: head + errors.length * ROW + 2,
    content: [
      label(BARS.left, LINE - 3, 'part of the gap'),
      label(right, LINE - 3, 'F1 if fixed', { anchor: 'end' }),
      ...errors.map((one, at) => {
        const y = head + at * ROW;
        const width = Math.max(1, ((BARS.right - BARS.left) * one.gap) / most);
        return element('g', { class: 'row', 'data-error': one.type }, [
          element('title', {}, [sentence(one)]),
          // Holds the whole row, so that there is something to point at between its parts.
          element('rect', { x: 0, y, width: WIDTH, height: ROW, fill: PAPER, 'fill-opacity': 0 }),
          label(MARGIN, y + 13, one.type, { width: NAMES - 4 }),
          element('rect', {
            x: BARS.left,
            y: y + (ROW - BAR) / 2,
            width,
            height: BAR,
            fill: FILLS[one.type],
            class: `bar-bad error-${one.type}`,
          }),
          label(BARS.left + width + 4, y + 13, figure(one.gap)),
          label(right, y + 13, one.f1IfFixed === null ? '–' : figure(one.f1IfFixed), { anchor: 'end' }),
        ]);
      }),
      element('line', {
        x1: BARS.left,
        y1: head,
        x2: BARS.left,
        y2: head + errors.length * ROW,
        stroke: AXIS,
        'stroke-width': 1,
        class: 'axis',
      }),
    ],
  };
}
