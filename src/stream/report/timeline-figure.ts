import { plural } from '../../plugin.ts';
import {
  type AreaMark,
  axisOf,
  BOLDER,
  COLOURS,
  emptyPlot,
  type Ends,
  GREY,
  GRID,
  HEADING,
  INK,
  leftOutNote,
  LINE,
  MARGIN,
  type Mark,
  MOST_SERIES,
  NO_CLAIM,
  singleLine,
  plot,
  type Sign,
  TEXT,
  textWidth,
  ticksWithin,
  tickText,
  WIDTH,
} from '../../report.ts';
import type { DecisionOutcome, TimelineAgent, TimelineData, TimelineVariant } from './timeline-data.ts';

/** Room for names, height of the lane of an agent and of a row of a variant. */
const [NAMES, LANE, ROW] = [90, 26, 16];
const MOST_AGENTS = 8;
const STEPS = 60;
/** A row with more signs is crowded; a rare kind has at most so many signs there. */
const [MOST_SIGNS, MOST_RARE] = [90, 44];
const CROWDED =
  'Rows with too many signs: grey areas, as high as the records are many; rare kinds keep a sign a place.';

/** Its key is its name in the legend. */
type TimelineSign = Sign & { readonly key: string };

const FLUSHES: ReadonlyMap<string, TimelineSign> = new Map([
  ['boundary_cue', { key: 'boundary cue', shape: 'tick', colour: INK, size: 4.5 }],
  ['max_words', { key: 'max words', shape: 'square', colour: COLOURS.green, size: 2.9 }],
  ['silence_timer', { key: 'silence', shape: 'circle', colour: COLOURS.vermilion, size: 2.9, hollow: true }],
  ['max_wait_timeout', { key: 'max wait', shape: 'down', colour: COLOURS.purple, size: 2.9 }],
  ['end_of_trace', { key: 'end of trace', shape: 'diamond', colour: COLOURS.blue, size: 2.9 }],
  ['turn_end', { key: 'turn end', shape: 'up', colour: COLOURS.sky, size: 2.9 }],
]);
const OTHER_FLUSH: TimelineSign = { key: 'other reason', shape: 'plus', colour: INK, size: 2.9 };
const DECISIONS: Readonly<Record<DecisionOutcome, TimelineSign>> = {
  buffer: { key: 'buffer', shape: 'tick', colour: GREY, size: 2.5 },
  summarise: { key: 'summarise', shape: 'up', colour: COLOURS.blue, size: 2.9 },
  discard: { key: 'discard', shape: 'square', colour: INK, size: 2.7, hollow: true },
  failed: { key: 'failed call', shape: 'cross', colour: COLOURS.vermilion, size: 2.9 },
};
const SUMMARY: TimelineSign = {
  key: 'summary, at the end of its window',
  shape: 'circle',
  colour: COLOURS.blue,
  size: 2,
};
const FAILED_SUMMARY: TimelineSign = { ...DECISIONS.failed, key: 'schema failure' };

interface TimedSign {
  readonly atMs: number;
  readonly sign: TimelineSign;
}

interface SignRow {
  readonly name: 'flushes' | 'decisions' | 'summaries';
  /** What its signs are, such as `9 flushes`. */
  readonly counts: string;
  readonly signs: readonly TimedSign[];
}

function rowsOf({ flushes, decisions, summaries }: TimelineVariant): SignRow[] {
  return [
    {
      name: 'flushes',
      counts: plural(flushes.length, 'flush', 'flushes'),
      signs: flushes.map(({ atMs, reason }) => ({ atMs, sign: FLUSHES.get(reason) ?? OTHER_FLUSH })),
    },
    {
      name: 'decisions',
      counts: plural(decisions.length, 'decision'),
      signs: decisions.map(({ atMs, outcome }) => ({ atMs, sign: DECISIONS[outcome] })),
    },
    {
      name: 'summaries',
      counts: plural(summaries.length, 'summary', 'summaries'),
      signs: summaries.map(({ endMs, schemaOk }) => ({ atMs: endMs, sign: schemaOk ? SUMMARY : FAILED_SUMMARY })),
    },
  ];
}

/** One case along its own clock: what came in, agent by agent, and what each variant made of it. */
export function timelineFigure(data: TimelineData, width: number = WIDTH): string {
  const caseId = singleLine(data.caseId);
  const head = { width, id: `timeline-${caseId}`, title: `Timeline of ${caseId}` };
  const notes = [...(data.notes ?? []), NO_CLAIM];
  const span = spanOf(data);
  if (span === null) {
    const why = 'the trace has no records with a time';
    return emptyPlot({ ...head, why, notes: ['No interval, n = 0.', ...notes] });
  }
  const variants = data.variants
    .slice(0, MOST_SERIES)
    .map((variant) => ({ ...variant, name: singleLine(variant.name), rows: rowsOf(variant) }));
  const agents = withOthers(data.agents);
  const { step: stepMs } = ticksWithin(0, span[1] - span[0], STEPS);
  const clock = { span, stepMs };
  const rates = agents.map(({ pieces }) =>
    binned(
      pieces.map(({ atMs, ctu }) => [atMs, ctu]),
      clock,
    ),
  );
  const most = rates.flat().reduce((a, b) => Math.max(a, b), 0);
  const marks: Mark[] = agents.flatMap((agent, at) => laneMarks(agent, rates[at]!, most, clock, at * LANE));
  let y = agents.length * LANE;
  for (const variant of variants) {
    const rows = variant.rows.filter(({ name, signs }) => name === 'summaries' || signs.length > 0);
    const heading = headingMarks(variant.name, rows.map(({ counts }) => counts).join(', '), y + 6, width);
    marks.push(...heading.marks);
    y = heading.end;
    for (const row of rows) {
      const isWindows = row.name === 'summaries' && row.signs.length <= MOST_SIGNS;
      const middle = y + ROW / 2;
      marks.push({ mark: 'label', x: -Infinity, y: middle, dx: 5 - NAMES, text: row.name, width: NAMES - 10 });
      marks.push(...(isWindows ? windowMarks(variant.summaries, middle) : signMarks(row.signs, clock, middle)));
      y += ROW;
    }
  }
  const unit = unitOf(span[1] - span[0]);
  const times = axisOf(ticksWithin(span[0] / unit.ms, span[1] / unit.ms, 6));
  const ticks = times.ticks.map(({ value, text }) => ({ value: value * unit.ms, text }));
  const [step, highest] = [stepMs / 1000, (most / stepMs) * 1000];
  const isCrowded = variants.some(({ rows }) => rows.some(({ signs }) => signs.length > MOST_SIGNS));
  return plot({
    ...head,
    about: `${aboutOf(data.agents, variants)} ${NO_CLAIM}`,
    parts: [
      {
        height: y + 4,
        room: { left: NAMES, top: 0 },
        x: { ends: span, ticks, title: `time in the conversation (${unit.name})`, grid: true },
        y: { ends: [y + 4, 0], ticks: [] },
        marks,
      },
    ],
    notes: [
      `Areas: tokens in, in steps of ${tickText(step, step)} s; the highest is ${highest.toFixed(1)} CTU a second. Dark bars: turns.`,
      ...(isCrowded ? [CROWDED] : []),
      'n = 1 case, as recorded: no interval.',
      ...leftOutNote(data.variants.length, variants.length, 'variants'),
      ...notes,
    ],
  });
}

function spanOf({ agents, variants }: TimelineData): Ends | null {
  const moments = [
    ...agents.flatMap(({ pieces }) => pieces),
    ...variants.flatMap((one) => [...one.flushes, ...one.decisions]),
  ];
  const stretches = [...agents.flatMap(({ turns }) => turns), ...variants.flatMap(({ summaries }) => summaries)];
  const times = [...moments.map(({ atMs }) => atMs), ...stretches.flatMap(({ startMs, endMs }) => [startMs, endMs])];
  if (times.length === 0) return null;
  const [low, high] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  return high - low < 1 ? [low, low + 1000] : [low, high];
}

/** The agents that speak most keep their lanes; the rest share one. */
function withOthers(agents: readonly TimelineAgent[]): readonly TimelineAgent[] {
  if (agents.length <= MOST_AGENTS) return agents;
  const frequent = agents.toSorted((a, b) => b.pieces.length - a.pieces.length).slice(0, MOST_AGENTS - 1);
  const others = agents.filter((agent) => !frequent.includes(agent));
  const [turns, pieces] = [others.flatMap((agent) => agent.turns), others.flatMap((agent) => agent.pieces)];
  return [...agents.filter((agent) => frequent.includes(agent)), { name: `${others.length} others`, turns, pieces }];
}

function unitOf(ms: number): { readonly ms: number; readonly name: string } {
  if (ms <= 180_000) return { ms: 1000, name: 's' };
  return ms <= 3 * 3_600_000 ? { ms: 60_000, name: 'min' } : { ms: 3_600_000, name: 'h' };
}

interface Clock {
  readonly span: Ends;
  readonly stepMs: number;
}

/** The amounts in even steps; the first begins at a multiple of the step. */
function binned(amounts: readonly (readonly [ms: number, amount: number])[], { span, stepMs }: Clock): number[] {
  const [first, last] = span.map((ms) => Math.floor(ms / stepMs));
  const sums = Array.from({ length: last! - first! + 1 }, () => 0);
  for (const [ms, amount] of amounts) sums[Math.floor(ms / stepMs) - first!]! += amount;
  return sums;
}

/** Steps on a floor, the largest amount as high as `height`. */
function stepArea(sums: readonly number[], most: number, { span, stepMs }: Clock, floor: number, height: number) {
  const first = Math.floor(span[0] / stepMs);
  const edge = (at: number): number => Math.max(span[0], Math.min(span[1], (first + at) * stepMs));
  return sums.flatMap((sum, at): AreaMark['points'] => {
    const [y, top] = [floor, floor - (sum / most) * height];
    return sum === 0 ? [null] : [edge(at), edge(at + 1)].map((x) => [x, y, top] as const);
  });
}

/** The name of an agent, what it said, and below that its turns. */
function laneMarks(agent: TimelineAgent, sums: readonly number[], most: number, clock: Clock, top: number): Mark[] {
  const floor = top + LANE - 5;
  const look = { y: [floor + 1, floor + 4], fill: '#444444', least: 0.8, class: 'ink' } as const;
  const turns = mergedTurns(agent.turns, (clock.span[1] - clock.span[0]) / 400);
  return [
    { mark: 'label', x: -Infinity, y: floor - 5, dx: -NAMES, text: agent.name, width: NAMES - 6 },
    { mark: 'area', points: stepArea(sums, most, clock, floor, LANE - 7), colour: COLOURS.sky },
    ...turns.map((x): Mark => ({ mark: 'bar', x, ...look })),
  ];
}

/** Turns that would touch are drawn as one, so that a long case stays small. */
function mergedTurns(turns: TimelineAgent['turns'], gap: number): Ends[] {
  const merged: [number, number][] = [];
  for (const { startMs, endMs } of turns.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = merged.at(-1);
    if (last !== undefined && startMs - last[1] < gap) last[1] = Math.max(last[1], endMs);
    else merged.push([startMs, endMs]);
  }
  return merged;
}

/** The name of a variant, and what it did beside it, or below if there is no room. */
function headingMarks(name: string, counts: string, top: number, width: number): { marks: Mark[]; end: number } {
  const room = width - 2 * MARGIN;
  const isBeside = textWidth(name, HEADING) * BOLDER + 8 + textWidth(counts, TEXT) <= room;
  const end = top + LINE + (isBeside ? 0 : LINE);
  const marks: Mark[] = [
    { mark: 'rule', y: top - 2, colour: GRID, width: 0.8, class: 'grid' },
    { mark: 'label', x: -Infinity, y: top + LINE / 2, dx: -NAMES, text: name, bold: true, halo: true, width: room },
    { mark: 'label', x: Infinity, y: end - LINE / 2, dx: 8, text: counts, anchor: 'end', halo: true },
  ];
  return { marks, end };
}

/**
 * Signs on one row. If they are too many, the frequent kinds become an area, as high as they are many there; kinds that
 * make up a tenth or less keep their signs. A row never has more parts than it has room for.
 */
function signMarks(signs: readonly TimedSign[], clock: Clock, y: number): Mark[] {
  const isFull = signs.length > MOST_SIGNS;
  const kinds = [...Map.groupBy(signs, ({ sign }) => sign)].sort(([, a], [, b]) => b.length - a.length);
  const frequent = kinds.filter(([, same]) => isFull && same.length * 10 > signs.length);
  const sums = binned(
    frequent.flatMap(([, same]) => same).map(({ atMs }) => [atMs, 1]),
    clock,
  );
  const place = (clock.span[1] - clock.span[0]) / MOST_RARE;
  const rare = kinds.slice(frequent.length).flatMap(([sign, same]) => {
    const shown = isFull ? new Map(same.map((one) => [Math.floor(one.atMs / place), one])).values() : same;
    return [...shown].map(({ atMs }): Mark => ({ mark: 'point', x: atMs, y, ...sign }));
  });
  if (frequent.length === 0) return rare;
  return [{ mark: 'area', points: stepArea(sums, Math.max(...sums), clock, y + 5, 10), colour: GREY }, ...rare];
}

/** Windows on two levels in turn, so that one is distinct from the next. */
function windowMarks(windows: TimelineVariant['summaries'], row: number): Mark[] {
  return windows.flatMap(({ startMs, endMs, schemaOk }, at): Mark[] => {
    const y = row + (at % 2 === 0 ? -3 : 3);
    const paint = schemaOk
      ? { fill: COLOURS.blue, opacity: 0.35 }
      : { fill: 'none', stroke: COLOURS.vermilion, width: 0.8, dashes: '1.5 1' };
    return [
      { mark: 'bar', x: [startMs, endMs], y: [y - 2, y + 2], ...paint, least: 0.6 },
      { mark: 'point', x: endMs, y, ...(schemaOk ? SUMMARY : FAILED_SUMMARY) },
    ];
  });
}

/** What the timeline shows, for those who cannot see it. */
function aboutOf(
  agents: readonly TimelineAgent[],
  variants: readonly { name: string; rows: readonly SignRow[] }[],
): string {
  const turns = agents.reduce((sum, agent) => sum + agent.turns.length, 0);
  const rowText = ({ counts, signs }: SignRow): string => {
    const kinds = [...Map.groupBy(signs, ({ sign }) => sign.key)].map(([name, same]) => `${same.length} ${name}`);
    return kinds.length === 0 ? counts : `${counts} (${kinds.join(', ')})`;
  };
  return [
    `${plural(turns, 'turn')} of ${plural(agents.length, 'agent')}.`,
    ...variants.map(({ name, rows }) => `${name}: ${rows.map(rowText).join('; ')}.`),
  ].join(' ');
}
