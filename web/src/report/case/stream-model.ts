import { type CaseLine, lineKey } from './case-items.ts';

/** Something that happened at a moment. */
export interface StreamPoint {
  readonly key: string;
  readonly at: number;
  readonly name: string;
  readonly failed: boolean;
}

/** A summary with the window that it stands for. */
export interface StreamSummary {
  readonly key: string;
  readonly line: CaseLine;
  readonly number: number;
  readonly from: number | null;
  readonly to: number | null;
  readonly supported: readonly CaseLine[];
  readonly unsupported: readonly CaseLine[];
}

export interface StreamRun {
  /** What the axis counts: milliseconds of the trace's clock, or its records where the run has no times. */
  readonly unit: 'ms' | 'seq';
  /** How the deltas of the trace were taken, by name; none where the run does not say it. */
  readonly chunks: readonly (readonly [string, number])[];
  readonly agents: readonly { readonly name: string; readonly turns: readonly (readonly [number, number])[] }[];
  readonly flushes: readonly StreamPoint[];
  readonly decisions: readonly StreamPoint[];
  readonly summaries: readonly StreamSummary[];
  readonly covered: readonly CaseLine[];
  readonly missed: readonly CaseLine[];
  readonly extra: readonly CaseLine[];
  /** Null where nothing has a place on the axis. */
  readonly span: readonly [number, number] | null;
  /** Records without a place on the axis. */
  readonly outside: number;
}

/** What one run made of a trace. */
export function streamOf(lines: readonly CaseLine[]): StreamRun {
  const of = (kind: string): readonly CaseLine[] => lines.filter(({ record }) => record.kind === kind);
  const logged = [...of('flush'), ...of('decision'), ...of('summary')];
  const unit = logged.some((line) => numberOf(line, 'end_ms') !== null) ? 'ms' : 'seq';
  let outside = 0;
  const pointsOf = (kind: string): readonly StreamPoint[] =>
    of(kind).flatMap((line): StreamPoint[] => {
      const [at, key] = [numberOf(line, `end_${unit}`), lineKey(line)];
      if (at === null || key === null) {
        outside += 1;
        return [];
      }
      return [{ key, at, name: line.record.label, failed: line.record.rule === 'failed-call' }];
    });
  const groundings = Map.groupBy(of('grounding'), (line) => line.predicted?.item.index ?? -1);
  const summaries = of('summary').flatMap((line): StreamSummary[] => {
    const key = lineKey(line);
    if (key === null) return [];
    const number = line.predicted?.item.index ?? 0;
    const own = groundings.get(number) ?? [];
    const [from, to] = [numberOf(line, `start_${unit}`), numberOf(line, `end_${unit}`)];
    if (from === null || to === null) outside += 1;
    return [
      {
        key,
        line,
        number,
        from,
        to,
        supported: own.filter(({ record }) => record.verdict === 'hit'),
        unsupported: own.filter(({ record }) => record.verdict !== 'hit'),
      },
    ];
  });
  const [flushes, decisions] = [pointsOf('flush'), pointsOf('decision')];
  const agents = unit === 'ms' ? of('trace').flatMap(agentsOf) : [];
  const concepts = of('concept');
  return {
    unit,
    chunks: of('trace').flatMap(chunksOf),
    agents,
    flushes,
    decisions,
    summaries,
    covered: concepts.filter(({ record }) => record.verdict === 'hit'),
    missed: concepts.filter(({ record }) => record.verdict === 'missed'),
    extra: concepts.filter(({ record }) => record.verdict === 'spurious'),
    span: spanOf([
      ...flushes.map(({ at }) => at),
      ...decisions.map(({ at }) => at),
      ...summaries.flatMap(({ from, to }) => [from, to].filter((at) => at !== null)),
      ...agents.flatMap(({ turns }) => turns.flat()),
    ]),
    outside,
  };
}

function spanOf(places: readonly number[]): readonly [number, number] | null {
  let [low, high] = [Infinity, -Infinity];
  for (const place of places) {
    low = Math.min(low, place);
    high = Math.max(high, place);
  }
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  return high > low ? [low, high] : [low, low + 1];
}

function numberOf({ predicted }: CaseLine, name: string): number | null {
  const fields = predicted?.item.fields;
  const value = fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : null;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function chunksOf({ predicted }: CaseLine): StreamRun['chunks'] {
  const counts = predicted?.item.fields?.['parsing_statistics'];
  if (typeof counts !== 'object' || counts === null) return [];
  return Object.entries(counts).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
}

function agentsOf({ predicted }: CaseLine): StreamRun['agents'] {
  const listed = predicted?.item.fields?.['agents'];
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((agent: unknown): StreamRun['agents'] => {
    if (typeof agent !== 'object' || agent === null || !('name' in agent) || !('turns' in agent)) return [];
    const { name, turns } = agent;
    if (typeof name !== 'string' || !Array.isArray(turns)) return [];
    return [{ name, turns: turns.flatMap(turnOf) }];
  });
}

function turnOf(turn: unknown): readonly (readonly [number, number])[] {
  if (!Array.isArray(turn)) return [];
  const [from, to] = turn.map(Number);
  return from !== undefined && to !== undefined && Number.isFinite(from) && Number.isFinite(to) ? [[from, to]] : [];
}
