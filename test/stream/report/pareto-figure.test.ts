import { describe, expect, it } from 'vitest';

import { paretoFigure, type ParetoPolicy } from '../../../src/stream/report/pareto-figure.ts';
import { placesOf, words } from '../../report/svg/made-up-figures.ts';

function policy(
  id: string,
  updates: number,
  latencyMs: number,
  tailMs: number,
  more: Partial<ParetoPolicy> = {},
): ParetoPolicy {
  return { id, updates, latencyMs, tailMs, onFront: true, chosen: false, ...more };
}

const POLICIES = [
  policy('few', 10, 4000, 8000),
  policy('middle', 20, 2000, 6000, { chosen: true }),
  policy('tail', 25, 3000, 4000),
  policy('many', 30, 1000, 5000),
  policy('bad', 30, 4000, 8000, { onFront: false }),
];

describe('paretoFigure', () => {
  // The area runs from 46 to 344 for 10 to 30 updates, and 130 units down from 25: 1 to 4 s in the first panel, 4 to 8 below.
  const svg = paretoFigure({ policies: POLICIES, traces: 8 });

  it('connects the policies of the front that no other of it beats in the two figures of a panel, as a staircase', () => {
    expect(svg).toContain('d="M46,25L195,25L195,111.67L344,111.67L344,155"');
    expect(svg).toContain('d="M46,25L195,25L195,90L269.5,90L269.5,155"');
  });

  it('marks the front, the chosen policy and the rest by shape', () => {
    // Of the four on the front, three are squares twice and one is the star; each sign is in the legend too.
    expect(placesOf(svg, /fill="#0072b2"/)).toHaveLength(2 * 3 + 1);
    expect(placesOf(svg, /fill="#d55e00"/)).toHaveLength(2 + 1);
    expect(placesOf(svg, /stroke="#999999"/).slice(1)).toEqual([
      [344, 25],
      [344, 25],
    ]);
    expect(svg).toContain('<title>middle: 20.0 updates, 2.000 s</title>');
  });

  it('says how many policies and traces there are, why there is no interval, and which policy was chosen', () => {
    const text = words(svg);
    expect(text).toContain('chosen: middle');
    expect(text).toContain('5 policies over n = 8 traces, 4 on the front.');
    expect(text).toContain('No interval: a policy’s replay is exact; other traces would give other figures.');
    expect(text).toContain('time to first flush (lower is better)');
    expect(text).toContain('No clinical outcome is claimed.');
  });

  it('takes the names that it is given', () => {
    const names = { updates: 'flushes a trace', latency: 'first flush, p95', tail: 'wait, p95' };
    const text = words(paretoFigure({ policies: POLICIES, names }));
    expect(text).toContain('wait, p95 (lower is better)');
    expect(text).toContain('flushes a trace (lower is better)');
  });

  it('leaves out what has no value, and counts it', () => {
    const silent = { ...policy('silent', 0, 0, 0), latencyMs: Number.NaN, tailMs: null };
    const text = words(paretoFigure({ policies: [...POLICIES, silent] }));
    expect(text).toContain('Not drawn, no value: 1 of 6 policies.');
  });

  it('says in words that there is nothing', () => {
    expect(words(paretoFigure({ policies: [] }))).toContain('Nothing can be drawn: there are no policies.');
    const none = { ...policy('none', 0, 0, 0), updates: null };
    expect(words(paretoFigure({ policies: [none] }))).toContain('Nothing can be drawn: no policy has values.');
  });
});
