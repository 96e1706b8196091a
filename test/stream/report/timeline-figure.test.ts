import { describe, expect, it } from 'vitest';

import { timelineFigure } from '../../../src/stream/report/timeline-figure.ts';
import { placesOf, TIMELINE, words } from '../../report/svg/made-up-figures.ts';

describe('timelineFigure', () => {
  // The area runs from 98 to 344, so ten seconds take 24.6 units each.
  const at = (seconds: number): number => Math.round(100 * (98 + 24.6 * seconds)) / 100;
  const svg = timelineFigure(TIMELINE);

  it('draws turns as bars on the lane of their agent', () => {
    expect(words(svg)).toContain('doctor nurse');
    expect(svg).toContain('<rect x="98" y="22" width="98.4" height="3"');
    expect(svg).toContain(`<rect x="${at(4)}" y="48" width="147.6" height="3"`);
  });

  it('draws what came in as a rate: 2 CTU in a step are twice as high as 1', () => {
    // Steps of 0.2 s; 19 units are the highest rate.
    expect(svg).toContain(`d="M${at(0.4)},2L${at(0.6)},2L${at(0.6)},21L${at(0.4)},21Z"`);
    expect(svg).toContain(`d="M${at(9.8)},37.5L344,37.5L344,47L${at(9.8)},47Z"`);
    expect(words(svg)).toContain('in steps of 0.2 s; the highest is 10.0 CTU a second.');
  });

  it('puts flushes, decisions and summaries where their time is, on their rows', () => {
    // Each kind is in the legend first: six of them.
    expect(placesOf(svg).slice(6)).toEqual([
      [at(5), 84],
      [at(10), 84],
      [at(5), 100],
      [at(8), 100],
      [at(5), 113],
      [at(10), 119],
    ]);
    // A window runs from its start to its end; one whose schema failed has an outline.
    expect(svg).toContain('<rect x="98" y="111" width="123" height="4" fill="#0072b2"');
    expect(svg).toContain('<rect x="221" y="117" width="123" height="4" fill="none" stroke="#d55e00"');
  });

  it('says what the signs are, of those that occur, and how many records there are', () => {
    const text = words(svg);
    expect(text).toContain(
      'boundary cue end of trace summarise failed call summary, at the end of its window schema failure',
    );
    expect(text).not.toContain('max words');
    expect(text).toContain('2 flushes, 2 decisions, 2 summaries');
    expect(svg).toContain('2 decisions (1 summarise, 1 failed call)');
  });

  it('says that it is one case and claims nothing more', () => {
    expect(words(svg)).toContain('n = 1 case, as recorded: no interval. No clinical outcome is claimed.');
  });

  it('leaves out rows that a variant does not have', () => {
    const [variant] = TIMELINE.variants;
    const text = words(timelineFigure({ ...TIMELINE, variants: [{ ...variant!, flushes: [], decisions: [] }] }));
    expect(text).not.toContain('flushes');
    expect(text).toContain('2 summaries');
  });

  it('stays readable and small however long the case is', () => {
    const spread = (n: number): { atMs: number }[] =>
      Array.from({ length: n }, (_, index) => ({ atMs: (index * 7_200_000) / n }));
    const long = timelineFigure({
      caseId: 'long',
      agents: Array.from({ length: 30 }, (_, agent) => ({
        name: `agent ${agent}`,
        turns: spread(500).map(({ atMs }) => ({ startMs: atMs, endMs: atMs + 1000 })),
        pieces: spread(2000).map(({ atMs }) => ({ atMs, ctu: 1 })),
      })),
      variants: [
        {
          name: 'V0',
          flushes: spread(20_000).map(({ atMs }, index) => ({
            atMs,
            reason: index % 2000 === 0 ? 'silence_timer' : 'boundary_cue',
          })),
          decisions: spread(20_000).map(({ atMs }) => ({ atMs, outcome: 'buffer' as const })),
          summaries: spread(5000).map(({ atMs }) => ({ startMs: atMs, endMs: atMs + 1000, schemaOk: true })),
        },
      ],
    });
    const text = words(long);
    expect(text).toContain('23 others');
    expect(text).toContain('time in the conversation (min)');
    expect(text).toContain('Rows with too many signs: grey areas');
    expect(long.length).toBeLessThan(200_000);
    // The ten flushes by silence, one in 2000, keep their signs; the eleventh is in the legend.
    expect(placesOf(long, /fill="#ffffff" stroke="#d55e00"/)).toHaveLength(11);
  });

  it('says in words that there is nothing', () => {
    const text = words(timelineFigure({ caseId: 'none', agents: [], variants: [] }));
    expect(text).toContain('Nothing can be drawn: the trace has no records with a time.');
  });
});
