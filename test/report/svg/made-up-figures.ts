import type { Estimate } from '../../../src/report/svg/estimate.ts';
import type { TimelineData } from '../../../src/stream/report/timeline-data.ts';

/** A value with an interval that reaches as far to both sides. */
export function estimate(value: number, reach = 0.05, n = 8): Estimate {
  const interval = { low: value - reach, high: value + reach, level: 0.95, method: 'bootstrap-percentile' };
  return { value, undefined: null, n, interval };
}

export function noValue(reason: string): Estimate {
  return { value: null, undefined: reason, n: 0, interval: null };
}

/** Ten seconds: one agent speaks for four, another for the rest. */
export const TIMELINE: TimelineData = {
  caseId: 'case-1',
  agents: [
    { name: 'doctor', turns: [{ startMs: 0, endMs: 4000 }], pieces: [{ atMs: 500, ctu: 2 }] },
    { name: 'nurse', turns: [{ startMs: 4000, endMs: 10_000 }], pieces: [{ atMs: 9900, ctu: 1 }] },
  ],
  variants: [
    {
      name: 'V0',
      flushes: [
        { atMs: 5000, reason: 'boundary_cue' },
        { atMs: 10_000, reason: 'end_of_trace' },
      ],
      decisions: [
        { atMs: 5000, outcome: 'summarise' },
        { atMs: 8000, outcome: 'failed' },
      ],
      summaries: [
        { startMs: 0, endMs: 5000, schemaOk: true },
        { startMs: 5000, endMs: 10_000, schemaOk: false },
      ],
    },
  ],
};

/** The text of a figure, with its lines joined. */
export function words(svg: string): string {
  return [...svg.matchAll(/<text class="ink"[^>]*>(?:<title>.*?<\/title>)?(.*?)<\/text>/gs)]
    .map(([, text]) => text)
    .join(' ');
}

/** Where the points of a figure are, in the order in which they are drawn; of those whose look matches. */
export function placesOf(svg: string, look = /./): [x: number, y: number][] {
  return [...svg.matchAll(/<path class="point" transform="translate\(([\d.-]+) ([\d.-]+)\)[^>]*>/g)]
    .filter(([tag]) => look.test(tag))
    .map(([, x, y]) => [Number(x), Number(y)]);
}
