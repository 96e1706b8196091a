import { coordinate } from './coordinate.ts';
import { element, type Markup } from './markup.ts';
import type { Area } from './axes.ts';
import type { Ends, Scale } from './scale.ts';
import { COLOURS } from './series-style.ts';
import type { TimelineAgent } from './timeline-data.ts';
import { niceStep } from './ticks.ts';

/** CTU per second of each agent, in even steps. */
export interface Rates {
  readonly stepMs: number;
  /** A multiple of the step, at or before the first record. */
  readonly startMs: number;
  readonly most: number;
  readonly byAgent: readonly (readonly number[])[];
}

/** Narrowest step of a curve, in units of the figure. */
const NARROWEST = 2.2;

export function ratesOf(agents: readonly TimelineAgent[], [low, endMs]: Ends, width: number): Rates {
  const stepMs = niceStep(((endMs - low) * NARROWEST) / width);
  const startMs = Math.floor(low / stepMs) * stepMs;
  const steps = Math.floor((endMs - startMs) / stepMs) + 1;
  const byAgent = agents.map(({ pieces }) => {
    const sums = Array.from({ length: steps }, () => 0);
    for (const { atMs, ctu } of pieces) {
      const at = Math.max(0, Math.min(steps - 1, Math.floor((atMs - startMs) / stepMs)));
      sums[at] = sums[at]! + ctu;
    }
    return sums.map((sum) => (sum / stepMs) * 1000);
  });
  return { stepMs, startMs, byAgent, most: byAgent.flat().reduce((a, b) => Math.max(a, b), 0) };
}

/** The curve of one agent on its turns. */
export function agentLane(agent: TimelineAgent, rates: readonly number[], all: Rates, x: Scale, area: Area): Markup[] {
  const floor = area.bottom - 5;
  const y = (rate: number): number => floor - (rate / Math.max(all.most, 1e-9)) * (floor - area.top);
  let path = '';
  for (const [at, rate] of rates.entries()) {
    if (rate === 0) continue;
    const from = Math.max(area.left, x(all.startMs + at * all.stepMs));
    const to = Math.min(area.right, x(all.startMs + (at + 1) * all.stepMs));
    path += `M${coordinate(from)} ${coordinate(floor)}V${coordinate(y(rate))}H${coordinate(to)}V${coordinate(floor)}Z`;
  }
  return [
    ...(path === '' ? [] : [element('path', { d: path, fill: COLOURS.sky })]),
    ...mergedTurns(agent.turns, x).map(([from, to]) =>
      element('rect', {
        x: from,
        y: floor + 1,
        width: Math.max(0.8, to - from),
        height: 3,
        fill: '#444444',
        class: 'ink',
      }),
    ),
  ];
}

/** Turns as stretches of the axis; those that would touch are drawn as one, so that a long case stays small. */
function mergedTurns(turns: TimelineAgent['turns'], x: Scale): [number, number][] {
  const merged: [number, number][] = [];
  for (const { startMs, endMs } of turns.toSorted((a, b) => a.startMs - b.startMs)) {
    const [from, to] = [x(startMs), x(endMs)];
    const last = merged.at(-1);
    if (last !== undefined && from - last[1] < 0.6) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
