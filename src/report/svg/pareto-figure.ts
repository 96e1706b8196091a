import { count } from '../../text/figures.ts';
import { emptyFigure } from './empty-figure.ts';
import { type Block, svgFigure, textBlock } from './frame.ts';
import { betterEntry, legendBlock } from './legend.ts';
import { frontEntry, paretoPanel, policyEntry } from './pareto-panel.ts';
import { NO_CLAIM } from './small-print.ts';
import { oneLine } from './text-width.ts';
import { drawable } from './ticks.ts';

export interface ParetoData {
  readonly policies: readonly ParetoPolicy[];
  /** What exactly the three figures are, such as `95th percentile of the waits`. */
  readonly names?: { readonly updates?: string; readonly latency?: string; readonly tail?: string };
  /** How many traces each policy was replayed over. */
  readonly traces?: number;
  /** What else the reader must know, one sentence each. */
  readonly notes?: readonly string[];
}

export interface ParetoPolicy {
  readonly id: string;
  /** Flushes. */
  readonly updates: number | null;
  /** Time to the first flush. */
  readonly latencyMs: number | null;
  /** The longest waits: what the slow end of the distribution is. */
  readonly tailMs: number | null;
  /** No other policy is as good in all three and better in one. */
  readonly onFront: boolean;
  readonly chosen: boolean;
}

const ID = 'pareto';
const TITLE = 'Gate policies: updates against waiting';

/** Which gate policies are worth a look: few updates against short waits; those that no other beats are the front. */
export function paretoFigure(data: ParetoData): string {
  const { policies } = data;
  const {
    updates: across = 'updates: flushes',
    latency = 'time to first flush',
    tail = 'tail of the waits',
  } = data.names ?? {};
  const fields = [
    { field: 'latencyMs', name: oneLine(latency) },
    { field: 'tailMs', name: oneLine(tail) },
  ] as const;
  const panels = fields.map(({ field, name }) => ({
    name,
    points: policies.flatMap((policy) => {
      const [updates, ms] = [policy.updates, policy[field]];
      return drawable(updates) && drawable(ms) ? [{ ...policy, id: oneLine(policy.id), x: updates, y: ms }] : [];
    }),
  }));
  const lost = policies.length - Math.max(...panels.map(({ points }) => points.length));
  const notes = [
    ...(lost === 0 ? [] : [`Not drawn, no value: ${lost} of ${policies.length} policies.`]),
    ...(data.notes ?? []),
  ];
  if (panels.every(({ points }) => points.length === 0))
    return emptyFigure(ID, TITLE, policies.length === 0 ? 'there are no policies' : 'no policy has values', notes);

  const front = policies.filter(({ onFront }) => onFront);
  const chosen = policies.filter((policy) => policy.chosen).map(({ id }) => oneLine(id));
  const traces = data.traces === undefined ? '' : ` over n = ${count(data.traces)} traces`;
  const counts = `${count(policies.length)} policies${traces}, ${count(front.length)} on the front.`;
  return svgFigure({
    id: ID,
    title: TITLE,
    desc: `${counts} Chosen: ${chosen.length === 0 ? 'none' : chosen.join(', ')}. ${NO_CLAIM}`,
    blocks: [
      legendBlock([
        policyEntry('beaten by another', 'beaten'),
        policyEntry('on the front', 'front'),
        ...chosen.map((id) => policyEntry(`chosen: ${id}`, 'chosen')),
        frontEntry('best of these two alone'),
        betterEntry('left'),
      ]),
      ...panels.flatMap(({ name, points }): Block[] => [
        textBlock([`${name} (lower is better)`]),
        points.length === 0
          ? textBlock([`No policy has a value for the ${name}.`])
          : paretoPanel(points, oneLine(across)),
      ]),
    ],
    notes: [
      counts,
      'The front counts updates, first flush and tail together. No interval: a policy’s replay is exact; other traces would give other figures.',
      ...notes,
      NO_CLAIM,
    ],
  });
}
