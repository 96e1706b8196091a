import { count, figure } from '../../plugin.ts';
import {
  COLOURS,
  drawable,
  emptyPlot,
  extent,
  INK,
  type LineMark,
  NO_CLAIM,
  singleLine,
  type Panel,
  plot,
  type PointMark,
  valueAxis,
} from '../../report.ts';

interface ParetoData {
  readonly policies: readonly ParetoPolicy[];
  /** What exactly the three figures are, such as `95th percentile of the waits`. */
  readonly names?: { readonly updates?: string; readonly latency?: string; readonly tail?: string };
  readonly traces?: number;
  readonly notes?: readonly string[];
}

export interface ParetoPolicy {
  readonly id: string;
  readonly updates: number | null;
  readonly latencyMs: number | null;
  /** The longest waits: what the slow end of the distribution is. */
  readonly tailMs: number | null;
  /** No other policy is as good in all three and better in one. */
  readonly onFront: boolean;
  readonly chosen: boolean;
}

const HEAD = { id: 'pareto', title: 'Gate policies: updates against waiting' };
const SIGNS = {
  beaten: { shape: 'circle', size: 2, colour: '#999999', hollow: true, key: 'beaten by another' },
  front: { shape: 'square', size: 3, colour: COLOURS.blue, key: 'on the front' },
  chosen: { shape: 'star', size: 5, colour: COLOURS.vermilion, rim: INK },
} as const;

const FRONT_LINE = { colour: COLOURS.blue, width: 1.2, dashes: '4 2', key: 'best of these two alone' };

/** Which gate policies are worth a look: few updates against short waits; those that no other beats are the front. */
export function paretoFigure(data: ParetoData, width?: number): string {
  const { policies, traces } = data;
  const names = {
    updates: 'updates: flushes',
    latency: 'time to first flush',
    tail: 'tail of the waits',
    ...data.names,
  };
  const panels = [
    { name: singleLine(names.latency), points: pointsOf(policies, 'latencyMs') },
    { name: singleLine(names.tail), points: pointsOf(policies, 'tailMs') },
  ];
  const lost = policies.length - Math.max(...panels.map(({ points }) => points.length));
  const notes = [
    ...(lost === 0 ? [] : [`Not drawn, no value: ${lost} of ${policies.length} policies.`]),
    ...(data.notes ?? []),
    NO_CLAIM,
  ];
  if (panels.every(({ points }) => points.length === 0)) {
    const why = policies.length === 0 ? 'there are no policies' : 'no policy has values';
    return emptyPlot({ width, ...HEAD, why, notes: ['No interval, n = 0.', ...notes] });
  }
  const front = policies.filter(({ onFront }) => onFront);
  const chosen = policies.filter((policy) => policy.chosen).map(({ id }) => singleLine(id));
  const over = traces === undefined ? '' : ` over n = ${count(traces)} traces`;
  const counts = `${count(policies.length)} policies${over}, ${count(front.length)} on the front.`;
  return plot({
    width,
    ...HEAD,
    about: `${counts} Chosen: ${chosen.length === 0 ? 'none' : chosen.join(', ')}. ${NO_CLAIM}`,
    parts: panels.map(({ name, points }) =>
      points.length === 0 ? `No policy has a value for the ${name}.` : panelOf(points, name, singleLine(names.updates)),
    ),
    legend: '↙ better',
    notes: [
      counts,
      'The front counts updates, first flush and tail together. No interval: a policy’s replay is exact; other traces would give other figures.',
      ...notes,
    ],
  });
}

interface ParetoPoint {
  readonly policy: ParetoPolicy;
  readonly x: number;
  readonly y: number;
}

function pointsOf(policies: readonly ParetoPolicy[], field: 'latencyMs' | 'tailMs'): ParetoPoint[] {
  return policies.flatMap((policy) => {
    const [x, ms] = [policy.updates, policy[field]];
    return drawable(x) && drawable(ms) ? [{ policy, x, y: ms / 1000 }] : [];
  });
}

/** Updates to the right, waiting upwards: the better corner is below on the left. */
function panelOf(points: readonly ParetoPoint[], name: string, updates: string): Panel {
  const steps: LineMark['points'] = envelope(points).map(({ x, y }) => [x, y]);
  const line = { mark: 'line', points: steps, steps: true, ...FRONT_LINE } as const;
  const signs = (standing: keyof typeof SIGNS): PointMark[] =>
    points
      .filter(({ policy }) => standing === (policy.chosen ? 'chosen' : policy.onFront ? 'front' : 'beaten'))
      .map(({ policy, x, y }) => {
        const point = { mark: 'point', x, y, ...SIGNS[standing] } as const;
        // Hundreds of beaten policies need no names.
        if (standing === 'beaten') return point;
        const id = singleLine(policy.id);
        const title = `${id}: ${figure(x)} updates, ${figure(y)} s`;
        return standing === 'front' ? { ...point, title } : { ...point, title, key: `chosen: ${id}` };
      });
  // Of hundreds of policies many do the same: their signs would be on top of one another.
  const beaten = new Map(signs('beaten').map((sign) => [`${sign.x} ${sign.y}`, sign]));
  const marks = [...beaten.values(), line, ...signs('front'), ...signs('chosen')];
  return {
    height: 130,
    x: { ...valueAxis(extent(marks, 'x'), 5, [0, Infinity]), title: `${updates} (lower is better)` },
    y: { ...valueAxis(extent(marks, 'y'), 4, [0, Infinity], ' s'), title: `${name} (lower is better)`, grid: true },
    marks,
  };
}

/**
 * The policies of the front that no other of it beats in the two figures of a panel, by rising updates. The front itself
 * has a third figure, so that a line through all of it would run to and fro.
 */
function envelope(points: readonly ParetoPoint[]): ParetoPoint[] {
  const front = points.filter(({ policy }) => policy.onFront).sort((a, b) => a.x - b.x || a.y - b.y);
  const kept: ParetoPoint[] = [];
  for (const point of front) if (kept.length === 0 || point.y < kept.at(-1)!.y) kept.push(point);
  return kept;
}
