/** A place in a text that is to be seen: a claim, a name, an object's quote. */
export interface TextSpan {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** A span of the text under review; `tone` (0-7) is the colour of its line, null for a line without colour. */
export interface ShownSpan extends TextSpan {
  readonly tone: number | null;
  /** Written before it, as for a PII label; null where the line is enough. */
  readonly kind: string | null;
}

/** A stretch of text that the same spans cover from end to end; `lanes` is where each of their lines is drawn. */
export interface TextSegment {
  readonly start: number;
  readonly end: number;
  readonly spans: readonly string[];
  readonly lanes: readonly number[];
}

/**
 * Cuts a text wherever a span begins or ends. Spans that overlap get lines in different lanes, the longest in the lowest,
 * so that nested and crossing ones can be told apart. Places outside the text are cut off; empty spans are left out.
 *
 * @example segmentsOf(5, [{ id: 'a', start: 1, end: 3 }]) // [0,1) of none, [1,3) of a, [3,5) of none
 */
export function segmentsOf(length: number, spans: readonly TextSpan[]): readonly TextSegment[] {
  const inside = spans
    .map(({ id, start, end }) => ({ id, start: Math.max(0, start), end: Math.min(length, end) }))
    .filter(({ start, end }) => start < end);
  const lanes = lanesOf(inside);
  const cuts = [...new Set([0, length, ...inside.flatMap(({ start, end }) => [start, end])])].toSorted((a, b) => a - b);
  return cuts.slice(0, -1).map((start, index) => {
    const end = cuts[index + 1] ?? length;
    const covering = inside
      .filter((span) => span.start <= start && span.end >= end)
      .map(({ id }) => ({ id, lane: lanes.get(id) ?? 0 }))
      .toSorted((a, b) => a.lane - b.lane);
    return { start, end, spans: covering.map(({ id }) => id), lanes: covering.map(({ lane }) => lane) };
  });
}

function lanesOf(spans: readonly TextSpan[]): ReadonlyMap<string, number> {
  const lanes = new Map<string, number>();
  const placed: (TextSpan & { readonly lane: number })[] = [];
  for (const span of spans.toSorted((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)) {
    const taken = new Set(
      placed.filter((other) => other.start < span.end && span.start < other.end).map((other) => other.lane),
    );
    let lane = 0;
    while (taken.has(lane)) lane += 1;
    lanes.set(span.id, lane);
    placed.push({ ...span, lane });
  }
  return lanes;
}
