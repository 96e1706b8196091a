import { describe, expect, it } from 'vitest';

import { timelineFigure } from '../../../src/report/svg/timeline-figure.ts';
import { TIMELINE, words } from './made-up-figures.ts';

describe('timelineFigure', () => {
  // The area runs from 86 to 308, so ten seconds take 22.2 units each.
  const svg = timelineFigure(TIMELINE);

  it('draws turns as bars on the lane of their agent', () => {
    expect(words(svg)).toContain('doctor nurse');
    expect(svg).toContain('<rect x="86" y="19" width="88.8" height="3"');
    expect(svg).toContain('<rect x="174.8" y="19" width="133.2" height="3"');
  });

  it('draws what came in as a rate: 2 CTU in a step are twice as high as 1', () => {
    // Ten seconds in 222 units: the step that is not below 2.2 units is 0.1 s, 2.22 units. 17 units are the highest rate.
    expect(svg).toContain('d="M97.1 18V1H99.32V18Z"');
    expect(svg).toContain('d="M305.78 18V9.5H308V18Z"');
    expect(words(svg)).toContain('in steps of 0.1 s; the highest is 20.0 CTU a second.');
  });

  it('puts flushes, decisions and summaries where their time is', () => {
    // A boundary cue is a stroke of 4 to both sides, the end of the trace a diamond.
    expect(svg).toContain('d="M197 20L197 28"');
    expect(svg).toContain('points="308,20.62 311.38,24 308,27.38 304.62,24"');
    // A failed call is a cross: at 8 s, on the row of the decisions.
    expect(svg).toContain('d="M260.8 35.2L266.4 40.8M260.8 40.8L266.4 35.2"');
    // A window runs from its start to its end; one whose schema failed is hollow and ends in a cross.
    expect(svg).toContain('<rect x="86" y="47.6" width="111" height="3.4" fill="#a6cbe3"/>');
    expect(svg).toMatch(/<rect x="197" y="53" width="111" height="3.4" fill="#ffffff" stroke="#d55e00"/);
  });

  it('says what the signs are, of those that occur', () => {
    const text = words(svg);
    expect(text).toContain(
      'flush: boundary cue end of trace decision: summarise failed call summary: at the end of its window schema failure',
    );
    expect(text).not.toContain('max words');
    expect(text).toContain('2 flushes, 2 decisions, 2 summaries');
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
    const at = (n: number): { atMs: number }[] =>
      Array.from({ length: n }, (_, index) => ({ atMs: (index * 7_200_000) / n }));
    const long = timelineFigure({
      caseId: 'long',
      agents: Array.from({ length: 30 }, (_, agent) => ({
        name: `agent ${agent}`,
        turns: at(500).map(({ atMs }) => ({ startMs: atMs, endMs: atMs + 1000 })),
        pieces: at(2000).map(({ atMs }) => ({ atMs, ctu: 1 })),
      })),
      variants: [
        {
          name: 'V0',
          flushes: at(20_000).map(({ atMs }, index) => ({
            atMs,
            reason: index % 2000 === 0 ? 'silence_timer' : 'boundary_cue',
          })),
          decisions: at(20_000).map(({ atMs }) => ({ atMs, outcome: 'buffer' as const })),
          summaries: at(5000).map(({ atMs }) => ({ startMs: atMs, endMs: atMs + 1000, schemaOk: true })),
        },
      ],
    });
    const text = words(long);
    expect(text).toContain('23 others');
    expect(text).toContain('time in the conversation (min)');
    expect(text).toContain('Rows with too many signs: grey columns');
    expect(long.length).toBeLessThan(200_000);
    // The ten flushes by silence, one in 2000, keep their signs; the eleventh is in the legend.
    expect([...long.matchAll(/<circle [^>]*r="2.6" fill="#ffffff" stroke="#d55e00"/g)]).toHaveLength(11);
  });

  it('says in words that there is nothing', () => {
    const text = words(timelineFigure({ caseId: 'none', agents: [], variants: [] }));
    expect(text).toContain('Nothing can be drawn: the trace has no records with a time.');
  });
});
