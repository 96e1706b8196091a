import type { ErrorClass, Taxonomy } from '../../figures/run-figures.ts';
import type { ErrorType } from '../../judge/error-type.ts';
import { count, plural, figure } from '../../text/figures.ts';
import { kindName } from '../kind-name.ts';
import { AXIS, COLOURS, PAPER } from './look.ts';
import type { Mark } from './marks.ts';
import { plot, rowAxis, valueAxis } from './plot.ts';
import type { Ends } from './ticks.ts';

/** One for each type, so that a row and its part of the whole bar are seen to belong together. */
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

/** Room for the names of types at the left, and for F1 without them at the right. */
const [NAMES, F1] = [92, 124];

/** What keeps F1 from 1: how much of the gap each type of error makes, the largest first, and F1 without it. */
export function taxonomyFigure(taxonomy: Taxonomy, width?: number): string {
  const { kind, f1, hit, missed, spurious } = taxonomy;
  const [id, title] = [`taxonomy-${kind}`, `Errors of ${kindName(kind)} by type`];
  const items = `${plural(hit, 'hit')}, ${count(missed)} missed, ${count(spurious)} spurious.`;
  const occurred = taxonomy.errors.filter(({ gap }) => gap > 0).toSorted((a, b) => b.gap - a.gap);
  if (f1 === null || occurred.length === 0) {
    const none = taxonomy.undefined ?? 'no reason was given';
    const why = f1 === null ? `F1 is undefined: ${none}.` : `F1 is ${figure(f1)}: there are no errors.`;
    return plot({ width, id, title, about: `${why} ${items}`, parts: [why], notes: [items] });
  }
  const absent = taxonomy.errors.filter(({ gap }) => gap === 0).map(({ type }) => type);
  const short = `F1 is ${figure(f1)}, ${figure(1 - f1)} short of 1`;
  const head = { mark: 'label', y: Infinity, dy: -10 } as const;
  return plot({
    width,
    id,
    title,
    about: `${short}. ${occurred.map(sentence).join(' ')} ${items}`,
    parts: [
      `${short}:`,
      {
        height: 18,
        room: { left: 0, right: 0, top: 2 },
        x: valueAxis([0, 1], 1),
        y: { ends: [0, 1], ticks: [] },
        marks: wholeBar(f1, occurred),
      },
      {
        height: occurred.length * 21,
        room: { left: NAMES, right: F1, top: 20 },
        x: { ends: [0, occurred[0]!.gap], ticks: [] },
        y: { ...rowAxis(occurred.map(({ type }) => type)), ticks: [] },
        marks: [
          { ...head, x: 0, text: 'part of the gap' },
          { ...head, x: Infinity, dx: F1, text: 'F1 if fixed', anchor: 'end' },
          ...occurred.map(rowMark),
          { mark: 'rule', x: 0, colour: AXIS, class: 'axis' },
        ],
      },
    ],
    notes: [
      `${items} Each error has one type; the parts add up to the gap between F1 and 1.`,
      ...(absent.length === 0 ? [] : [`Did not occur: ${absent.join(', ')}.`]),
    ],
  });
}

function sentence({ type, gap, f1IfFixed, cases, ...counts }: ErrorClass): string {
  const lost = counts.lostCredit > 0 ? `, ${count(counts.lostCredit)} of credit` : '';
  const fixed = f1IfFixed === null ? 'nothing would be left without them' : `F1 without them ${figure(f1IfFixed)}`;
  return `${type}: ${count(counts.missed)} missed, ${count(counts.spurious)} spurious${lost}, ${figure(gap)} of F1 in ${plural(cases.total, 'case')}, ${fixed}.`;
}

/** From 0 to 1: F1, and beside it what is lacking. */
function wholeBar(f1: number, errors: readonly ErrorClass[]): Mark[] {
  const edge = { mark: 'bar', stroke: PAPER, width: 0.7 } as const;
  let end = f1;
  const parts = errors.map((error): Mark => {
    const x: Ends = [end, Math.min(1, end + error.gap)];
    end = x[1];
    return { ...edge, x, ...lookOf(error), title: sentence(error), data: { error: error.type } };
  });
  return [{ ...edge, x: [0, f1], fill: COLOURS.blue, class: 'bar-good', title: `F1 ${figure(f1)}` }, ...parts];
}

/** Its part of the gap, and F1 if these were right. */
function rowMark(error: ErrorClass, row: number): Mark {
  const { type, gap, f1IfFixed } = error;
  const fixed = f1IfFixed === null ? '–' : figure(f1IfFixed);
  return {
    mark: 'group',
    title: sentence(error),
    class: 'row',
    data: { error: type },
    marks: [
      // Holds the whole row, so that there is something to point at between its parts.
      { mark: 'bar', y: [row - 0.5, row + 0.5], fill: PAPER, opacity: 0, inset: -NAMES },
      { mark: 'label', x: 0, y: row, dx: -NAMES, text: type, width: NAMES - 5 },
      { mark: 'bar', x: [0, gap], y: [row - 0.3, row + 0.3], least: 1, ...lookOf(error) },
      { mark: 'label', x: gap, y: row, dx: 5, text: figure(gap) },
      { mark: 'label', x: Infinity, y: row, dx: F1, text: fixed, anchor: 'end' },
    ],
  };
}

function lookOf({ type }: ErrorClass): { readonly fill: string; readonly class: string } {
  return { fill: FILLS[type], class: `bar-bad error-${type}` };
}
