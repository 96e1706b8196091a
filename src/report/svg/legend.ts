import { INK } from './look.ts';
import type { Mark } from './marks.ts';

/** How a mark looks in the legend: around (0, 0), up to half of `wide` to both sides. */
interface LegendSample {
  readonly wide: number;
  readonly mark: Mark;
}

/** The keys of marks with their samples, in the order in which they occur; a line and a point may share one. */
export function legendKeys(marks: readonly Mark[]): Map<string, LegendSample[]> {
  const keys = new Map<string, Map<Mark['mark'], LegendSample>>();
  const collect = (mark: Mark): void => {
    if (mark.mark === 'group') mark.marks.forEach(collect);
    if (!('key' in mark) || mark.key === undefined) return;
    const samples = keys.get(mark.key) ?? new Map<Mark['mark'], LegendSample>();
    if (!samples.has(mark.mark)) keys.set(mark.key, samples.set(mark.mark, sampleOf(mark)));
  };
  marks.forEach(collect);
  return new Map([...keys].map(([name, samples]) => [name, [...samples.values()]]));
}

function sampleOf(mark: Extract<Mark, { key?: string }>): LegendSample {
  switch (mark.mark) {
    case 'point': {
      const { title, name, ...look } = mark;
      const { size = 3.4 } = look;
      const place = { x: 0, y: 0, dx: 0, dy: 0, xInterval: null, yInterval: null };
      return { wide: Math.max(10, 3 * size), mark: { ...look, ...place } };
    }
    case 'line': {
      const [left, right] = [[-13, 0] as const, [13, 0] as const];
      return { wide: 26, mark: { ...mark, points: [left, right], steps: false, dx: 0 } };
    }
    case 'rule':
      return { wide: 8, mark: { ...mark, x: 0, y: [-6, 6] } };
    case 'bar': {
      const { title, data, ...look } = mark;
      return { wide: 13, mark: { stroke: INK, width: 0.3, ...look, x: [-6, 6], y: [-5, 5], inset: 0 } };
    }
  }
}
