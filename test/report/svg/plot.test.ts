import { describe, expect, it } from 'vitest';

import { COLOURS, seriesLook } from '../../../src/report/svg/look.ts';
import type { Mark } from '../../../src/report/svg/marks.ts';
import { type Axis, emptyPlot, nameAxis, type Panel, plot, rowAxis, valueAxis } from '../../../src/report/svg/plot.ts';
import { placesOf, words } from './made-up-figures.ts';
import { expectWellFormed } from './well-formed.ts';

const head = { id: 'a b', title: 'Title', about: 'What it shows.', notes: ['A note.'], width: undefined };
const AXIS: Axis = { ends: [0, 10], ticks: [] };

/** One panel of 100 by 100 units whose area begins at (8, 31): the title takes 18 and 5, the margin is 8. */
function panel(marks: readonly Mark[], more: Partial<Panel> = {}): string {
  const room = { left: 0, right: 0, top: 0 };
  return plot({ ...head, width: 116, parts: [{ x: AXIS, y: AXIS, height: 100, room, marks, ...more }] });
}

const point = (x: number, y: number): Extract<Mark, { mark: 'point' }> => ({
  mark: 'point',
  x,
  y,
  shape: 'circle',
  colour: COLOURS.blue,
});

describe('plot', () => {
  it('is a named, well-formed image with its description, its parts and its notes', () => {
    const svg = plot({ ...head, parts: ['Some words.'] });
    expectWellFormed(svg);
    expect(svg).toMatch(/^<\?xml [^>]*>\n<svg [^>]*width="360" height="80" viewBox="0 0 360 80" role="img"/);
    expect(svg).toContain('aria-labelledby="a-b-title a-b-desc"');
    expect(svg).toContain('<title id="a-b-title">Title</title>\n<desc id="a-b-desc">What it shows.</desc>');
    expect(words(svg)).toBe('Title Some words. A note.');
  });

  it('puts points where their values are, from the lower left', () => {
    const svg = panel([point(0, 0), point(2.5, 10), { ...point(5, 5), dx: 3, dy: 1 }]);
    expect(placesOf(svg)).toEqual([
      [8, 100],
      [33, 0],
      [61, 51],
    ]);
    expect(placesOf(panel([point(4, 5)], { x: { ...AXIS, ends: [1, 16], isLog: true } }))).toEqual([[58, 50]]);
    expect(placesOf(panel([point(0, 5)], { x: { ...AXIS, inset: 20 } }))).toEqual([[28, 50]]);
  });

  it('draws intervals as bars with caps', () => {
    const svg = panel([{ ...point(5, 5), xInterval: { low: 4, high: 6 }, yInterval: null }]);
    expect(svg).toContain('d="M48,47.5L48,52.5M68,47.5L68,52.5M48,50L68,50"');
  });

  it('leaves a gap in lines and areas for what is missing, and steps if asked to', () => {
    const points = [[0, 0], [1, 1], null, [2, 2], [4, 3]] as const; // prettier-ignore
    expect(panel([{ mark: 'line', points, colour: 'red' }])).toContain('d="M8,100L18,90M28,80L48,70"');
    expect(panel([{ mark: 'line', points, colour: 'red', steps: true }])).toContain('d="M8,100L18,100L18,90M28,80');
    const area = panel([{ mark: 'area', points: [[0, 1, 2], [5, 1, 3], null], colour: 'red' }]); // prettier-ignore
    expect(area).toContain('d="M8,80L58,70L58,90L8,90Z"');
  });

  it('draws bars and rules across the whole panel unless told where they end', () => {
    expect(panel([{ mark: 'bar', x: [2, 4], fill: 'red' }])).toContain('<rect x="28" y="0" width="20" height="100"');
    expect(panel([{ mark: 'bar', x: [0, 10], y: [0, 0.01], fill: 'red', least: 1, inset: 2 }])).toContain(
      '<rect x="10" y="99" width="96" height="1"',
    );
    expect(panel([{ mark: 'rule', y: 5, colour: 'red' }])).toContain('x1="8" y1="50" x2="108" y2="50"');
  });

  it('groups marks under a title, with data to pick them by', () => {
    const svg = panel([
      { mark: 'group', title: 'a < b', class: 'row', data: { step: '1', none: null }, marks: [point(1, 1)] },
    ]);
    expect(svg).toContain('<g class="row" data-step="1">\n<title>a &lt; b</title>\n<path class="point"');
  });

  it('cuts a label that is too long, takes the first text that fits, and makes it smaller in a narrow cell', () => {
    const label = { mark: 'label', x: 5, y: 5 } as const;
    expect(panel([{ ...label, text: 'a long name', width: 40 }])).toContain('<title>a long name</title>a …e');
    expect(words(panel([{ ...label, text: ['12,345', '12k'], width: 30 }]))).toContain('12k');
    const cell = panel([{ ...label, text: '7', width: { over: [4, 6] } }]);
    expect(cell).toMatch(/font-size="8.55"[^>]*>7</);
  });

  it('has axes with the numbers that have room, lines and titles', () => {
    const x = { ...valueAxis([0, 3.9], 4), title: 'across', grid: true };
    const y = { ...valueAxis([0.2, 0.5], 3), title: 'upwards', grid: true };
    const svg = plot({ ...head, parts: [{ x, y, height: 100, marks: [point(1, 0.3)] }] });
    expect(words(svg)).toBe('Title upwards 0.2 0.3 0.4 0.5 0 1 2 3 4 across A note.');
    expect(svg.match(/class="grid"/g)).toHaveLength(9);
    const crowded = valueAxis([0, 1_000_000], 20);
    expect(words(panel([point(1, 1)], { x: crowded })).split(' ').length).toBeLessThan(crowded.ticks.length);
  });

  it('names rows from the top and columns above', () => {
    const x = { ...nameAxis(['one', 'two']), above: 'upright', most: 20 } as const;
    const svg = panel([point(1, 2)], {
      x,
      y: rowAxis(['a', 'b', 'c']),
      height: (width) => 3 * width,
      room: { left: 30 },
    });
    // Two columns of 20 units, three rows of 40: the second column, the third row.
    const [[left, top] = [0, 0]] = placesOf(svg);
    expect(left).toBe(8 + 30 + 30);
    expect(words(svg)).toBe('Title a b c one two A note.');
    // Names of columns are as long as 'two': 3 letters of 13 units.
    expect(top).toBeCloseTo(100 + 13 * (0.4 + 0.86 + 0.62) + 6, 1);
  });

  it('has each key once in the legend, a line and its points under one', () => {
    const look = { ...seriesLook(1), key: 'V1' };
    const line = { mark: 'line', points: [[0, 0], [5, 5]], ...look } as const; // prettier-ignore
    const svg = plot({
      ...head,
      legend: 'better →',
      parts: [
        { x: AXIS, y: AXIS, height: 50, marks: [line, { ...point(0, 0), ...look }, { ...point(5, 5), ...look }] },
      ],
    });
    expect(words(svg)).toBe('Title V1 better → A note.');
    // The sample has its line and its sign beside the two points.
    expect(svg.match(/d="M-13,0L13,0"/g)).toHaveLength(1);
    expect(svg.match(/class="point"/g)).toHaveLength(3);
  });

  it('writes names beside points, off the edge and off one another', () => {
    const named = (x: number, y: number, name: string): Mark => ({ ...point(x, y), name });
    const svg = panel([named(5, 5, 'a'), named(9.8, 5, 'b')], { names: 'beside' });
    const at = (name: string): string => new RegExp(`class="ink" (x="[^>]*)>${name}<`).exec(svg)?.[1] ?? '';
    // Upper right of the first; upper left of the second, which is at the edge.
    expect(at('a')).toContain('x="63"');
    expect(at('b')).toMatch(/x="101" .*text-anchor="end"/);
    const twice = panel([named(5, 5, 'a'), named(5, 5, 'b')], { names: 'beside' });
    const [first, second] = [...twice.matchAll(/class="ink" x="([\d.]+)" y="([\d.]+)"[^>]*>[ab]</g)];
    expect(first?.slice(1)).not.toEqual(second?.slice(1));
  });

  it('moves names in a column apart, around where they want to be, in the order of their points', () => {
    const named = [4, 4.2, 4.1].map((y, at): Mark => ({ ...point(2, y), name: `n${at}` }));
    const svg = plot({
      ...head,
      parts: [{ x: AXIS, y: AXIS, height: 100, room: { top: 0 }, marks: named, names: 'column' }],
    });
    const places = [...svg.matchAll(/y="([\d.]+)" font-size="13" fill="#1a1a1a">(n\d)</g)].map(([, y, name]) => [
      name,
      Math.round(Number(y) - 13 * 0.36),
    ]);
    // Wanted at 58, 59 and 60: 13 apart around 59.
    expect(places).toEqual([
      ['n1', 46],
      ['n2', 59],
      ['n0', 72],
    ]);
  });

  it('says in words that there is nothing', () => {
    expect(words(emptyPlot({ ...head, why: 'there is none' }))).toBe(
      'Title Nothing can be drawn: there is none. A note.',
    );
  });
});
