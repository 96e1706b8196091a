import { expect, it } from 'vitest';

import { historyFigure } from '../../../src/report/svg/history-figure.ts';
import { estimate, noValue, placesOf, words } from './made-up-figures.ts';
import { expectWellFormed } from './well-formed.ts';

const F1 = { name: 'f1', direction: 'higher', range: [0, 1] } as const;
const day = (number: number): number => new Date(2026, 9, number, 8).getTime();
const RUNS = [
  { name: 'night/1', date: day(1), estimate: estimate(0.5) },
  { name: 'night/2', date: day(2), estimate: estimate(0.75) },
  { name: 'night/5', date: day(5), estimate: estimate(0.625) },
];

it('draws each run at its date with its interval, and carries its name as data', () => {
  const svg = historyFigure(F1, RUNS, 600);
  expectWellFormed(svg);
  const places = placesOf(svg);
  expect(places).toHaveLength(3);
  const [first, second, last] = places.map(([x, y]) => ({ x, y }));
  // A day after the first of four, and twice as far up as the last.
  expect((second!.x - first!.x) / (last!.x - first!.x)).toBeCloseTo(1 / 4, 2);
  expect((first!.y - second!.y) / (first!.y - last!.y)).toBeCloseTo(2, 2);
  expect([...svg.matchAll(/data-run="([^"]*)"/g)].map(([, run]) => run)).toEqual(['night/1', 'night/2', 'night/5']);
  expect(svg).toContain('<title>night/2, 2026-10-02: 0.750, 0.700 to 0.800, n = 8</title>');
  expect(words(svg)).toContain('f1 over time');
  expect(words(svg)).toContain('interval over cases, 95 %');
});

it('has ticks of days, of hours with the day below, and none twice', () => {
  const ticks = (...dates: readonly number[]) =>
    words(
      historyFigure(
        F1,
        dates.map((date, at) => ({ name: String(at), date, estimate: estimate(0.5) })),
        600,
      ),
    );
  expect(ticks(day(1), day(9))).toContain('2026-10-03');
  const hours = ticks(day(1), day(1) + 6 * 3_600_000);
  expect(hours).toContain('10:00');
  expect(hours).toContain('2026-10-01');
  expect(ticks(day(1), day(1) + 8000).match(/08:00/g)).toHaveLength(1);
  expect(ticks(day(1))).toContain('2026-10-01');
});

it('says which runs have no value, and shows in words that none has', () => {
  const none = { name: 'night/6', date: day(6), estimate: noValue('nothing was predicted') };
  const svg = historyFigure(F1, [...RUNS, none], 600);
  expect(placesOf(svg)).toHaveLength(3);
  expect(words(svg)).toContain('Not drawn, no value: night/6 (nothing was predicted).');
  expect(words(historyFigure(F1, [none], 600))).toContain('Nothing can be drawn: no run has a value of f1.');
  expectWellFormed(historyFigure(F1, [], 600));
});
