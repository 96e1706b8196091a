import { type Area, BELOW, bottomAxis } from './axes.ts';
import { emptyFigure } from './empty-figure.ts';
import { type Block, svgFigure } from './frame.ts';
import { label } from './label.ts';
import { element, group, type Markup } from './markup.ts';
import { GRID, MARGIN, WIDTH } from './paper.ts';
import { linearScale } from './scale.ts';
import { MOST_SERIES } from './series-style.ts';
import { leftOutNote, NO_CLAIM } from './small-print.ts';
import { oneLine } from './text-width.ts';
import { ticksWithin, tickText } from './ticks.ts';
import { agentLane, ratesOf } from './timeline-agents.ts';
import type { TimelineAgent, TimelineData } from './timeline-data.ts';
import { timelineLegend } from './timeline-legend.ts';
import { timelineSentences } from './timeline-sentences.ts';
import { isCrowded, variantBlock } from './timeline-variant.ts';

const NAMES = 80;
const LANE = 23;
const CROWDED =
  'Rows with too many signs: grey columns, as high as the records are many there; rare kinds keep a sign a place.';
/** Agents with a lane of their own. */
const MOST_AGENTS = 8;

/** One case along its own clock: what came in, agent by agent, and what each variant made of it. */
export function timelineFigure(data: TimelineData): string {
  const caseId = oneLine(data.caseId);
  const id = `timeline-${caseId}`;
  const title = `Timeline of ${caseId}`;
  const span = spanOf(data);
  if (span === null) return emptyFigure(id, title, 'the trace has no records with a time', data.notes);

  const variants = data.variants.slice(0, MOST_SERIES).map((variant) => ({ ...variant, name: oneLine(variant.name) }));
  const agents = withOthers(data.agents);
  const area = { left: MARGIN + NAMES, right: WIDTH - MARGIN - 6 };
  const width = area.right - area.left;
  const x = linearScale(span, [area.left, area.right]);
  const rates = ratesOf(agents, span, width);
  const step = rates.stepMs / 1000;

  const content: Markup[] = [];
  let y = 0;
  const place = ({ height, content: inner }: Block): void => {
    content.push(group(inner, 0, y));
    y += height;
  };
  for (const [at, agent] of agents.entries())
    place({
      height: LANE,
      content: [
        label(MARGIN, LANE - 5, agent.name, { width: NAMES - 6 }),
        ...agentLane(agent, rates.byAgent[at]!, rates, x, { ...area, top: 1, bottom: LANE }),
      ],
    });
  y += 5;
  for (const variant of variants) place(variantBlock(variant, x, area));

  const unit = unitOf(span[1] - span[0]);
  const ticks = ticksWithin(span[0] / unit.ms, span[1] / unit.ms, 6);
  const times = ticks.values.map((value) => ({ value: value * unit.ms, text: tickText(value, ticks.step) }));
  const whole: Area = { ...area, top: 0, bottom: y + 2 };
  const grid = times.map(({ value }) =>
    element('line', {
      class: 'grid',
      x1: x(value),
      y1: 0,
      x2: x(value),
      y2: whole.bottom,
      stroke: GRID,
      'stroke-width': 0.6,
    }),
  );
  const axis = bottomAxis(whole, x, times, `time in the conversation (${unit.name})`);
  return svgFigure({
    id,
    title,
    desc: `${timelineSentences(data.agents, variants)} ${NO_CLAIM}`,
    blocks: [...timelineLegend(variants), { height: whole.bottom + BELOW, content: [...grid, ...content, ...axis] }],
    notes: [
      `Areas: tokens in, in steps of ${tickText(step, step)} s; the highest is ${rates.most.toFixed(1)} CTU a second. Dark bars: turns.`,
      ...(variants.some((variant) => isCrowded(variant, width)) ? [CROWDED] : []),
      'n = 1 case, as recorded: no interval.',
      ...leftOutNote(data.variants.length, variants.length, 'variants'),
      ...(data.notes ?? []),
      NO_CLAIM,
    ],
  });
}

function spanOf({ agents, variants }: TimelineData): readonly [number, number] | null {
  let [low, high] = [Infinity, -Infinity];
  const hold = (ms: number): void => {
    low = Math.min(low, ms);
    high = Math.max(high, ms);
  };
  for (const { turns, pieces } of agents) {
    for (const { atMs } of pieces) hold(atMs);
    for (const { startMs, endMs } of turns) [startMs, endMs].forEach(hold);
  }
  for (const { flushes, decisions, summaries } of variants) {
    for (const { atMs } of [...flushes, ...decisions]) hold(atMs);
    for (const { startMs, endMs } of summaries) [startMs, endMs].forEach(hold);
  }
  if (!Number.isFinite(low)) return null;
  return high - low < 1 ? [low, low + 1000] : [low, high];
}

/** The agents that speak most keep their lanes; the rest share one. */
function withOthers(agents: readonly TimelineAgent[]): readonly TimelineAgent[] {
  if (agents.length <= MOST_AGENTS) return agents;
  const said = (agent: TimelineAgent): number => agent.pieces.length;
  const own = new Set(agents.toSorted((a, b) => said(b) - said(a)).slice(0, MOST_AGENTS - 1));
  const others = agents.filter((agent) => !own.has(agent));
  const rest: TimelineAgent = {
    name: `${others.length} others`,
    turns: others.flatMap(({ turns }) => turns),
    pieces: others.flatMap(({ pieces }) => pieces),
  };
  return [...agents.filter((agent) => own.has(agent)), rest];
}

function unitOf(ms: number): { readonly ms: number; readonly name: string } {
  if (ms <= 180_000) return { ms: 1000, name: 's' };
  return ms <= 3 * 3_600_000 ? { ms: 60_000, name: 'min' } : { ms: 3_600_000, name: 'h' };
}
