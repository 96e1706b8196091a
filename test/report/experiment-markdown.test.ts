import { describe, expect, it } from 'vitest';

import type { ExperimentSummary } from '../../src/experiment/summary.ts';
import { experimentSummaryJson } from '../../src/report/experiment-json.ts';
import { experimentMarkdown } from '../../src/report/experiment-markdown.ts';
import { average, madeUpSummary, PUBLISHED } from './experiment-made-up.ts';
import { dangerous, HOSTILE, measure } from './made-up-run.ts';

const page = (more: Partial<ExperimentSummary> = {}): string => experimentMarkdown(madeUpSummary(more));

describe('report.md of an experiment', () => {
  it('has the averages with their intervals beside the pooled values', () => {
    expect(page({ measures: [measure('entity_f1', 0.775)] })).toContain(
      '| entity_f1 ↑ | 0.850 | 0.800 to 0.900 (95 %, bootstrap-percentile) | 950 | 0 | 0.250 | 0.000 | 1.000 | 0.775 | – |',
    );
  });

  it('leaves pooled values out where each repeat has its own', () => {
    const shown = page({ measures: null, repeats: 2 });
    expect(shown).toContain('| score | average | interval | answers | without | sd | min | max |\n');
    expect(shown).not.toContain('pooled');
  });

  it('says before the numbers what failed, stopped and did not arrive', () => {
    const more = page({
      answered: 900,
      failed: 50,
      notRun: 50,
      failures: [{ kind: 'timeout', count: 50, example: { item: 'i1', message: 'no answer in 60 s' } }],
      stopped: { by: 'interrupt', text: '' },
      published: { ...PUBLISHED, found: { traces: 990, scores: 9000 } },
    });
    expect(more).toContain(
      [
        '**Before you read the numbers**',
        '',
        '- Interrupted',
        '- 50 of 1,000 items failed and are in no average',
        '- Not all of it is in Langfuse (https://langfuse.example): 990 of 1,000 traces, 9,000 of 9,000 scores read back: 10 traces are not there',
      ].join('\n'),
    );
    expect(more).toContain('| timeout | 50 | no answer in time | i1 | no answer in 60 s |');
    expect(more).toContain('The averages are over 900 items; 50 failed and are in no average; 50 were not run.');
    expect(more).toContain('## What is left to do\n\n- Go on with the other 50: the same command again');
  });

  it('has no warnings where there is nothing to warn of', () => {
    expect(page()).not.toContain('Before you read');
    expect(page()).not.toContain('left to do');
  });

  it('says that nothing was scored, and why', () => {
    expect(page({ scores: null, measures: null, notScored: 'no recipe was given' })).toContain(
      '## Scores\n\nNothing was scored: no recipe was given.',
    );
  });

  it('links to an address of the web and to nothing else', () => {
    expect(page({ published: PUBLISHED })).toContain('\n<https://langfuse.example/project/p/runs/r>\n');
    for (const url of ['javascript:alert(1)', 'not an address', 'data:text/html,x'])
      expect(page({ published: { ...PUBLISHED, url } })).not.toContain(url);
    expect(page({ published: { ...PUBLISHED, url: 'https://x.example/>[a](javascript:b)\u001b/c' } })).toContain(
      '\n<https://x.example/%3E[a](javascript:b)%1B/c>\n',
    );
  });
});

const HOSTILE_SUMMARY: Partial<ExperimentSummary> = {
  failed: 1,
  name: HOSTILE,
  folder: HOSTILE,
  dataset: { name: HOSTILE, version: HOSTILE, items: 1 },
  target: {
    kind: HOSTILE,
    model: HOSTILE,
    promptName: HOSTILE,
    promptLabel: HOSTILE,
    promptVersion: 1,
    temperature: 0,
  },
  failures: [{ kind: 'answer', count: 1, example: { item: HOSTILE, message: HOSTILE } }],
  stopped: { by: 'access', text: HOSTILE },
  scores: [average(HOSTILE, 0.5), average('x', null, { undefined: HOSTILE })],
  measures: [measure(HOSTILE, null, { undefined: HOSTILE })],
  cost: { value: 1, currency: HOSTILE, unknown: 0, atLeast: 1 },
  published: { ...PUBLISHED, place: HOSTILE, url: HOSTILE, problem: HOSTILE },
  gate: { verdict: 'failed', counts: HOSTILE, notPassed: [{ verdict: 'failed', demand: HOSTILE, why: HOSTILE }] },
};

describe('what comes from data', () => {
  it('is text in the page: no markup, no HTML, no new line', () => {
    for (const more of [HOSTILE_SUMMARY, { ...HOSTILE_SUMMARY, notScored: HOSTILE }]) {
      const shown = page(more);
      expect(dangerous(shown)).toEqual([]);
      expect(shown).not.toContain('<img');
      expect(shown).not.toMatch(/(?<!\\)\[x\]/);
      expect(shown.split('\n').filter((line) => line.startsWith('# b'))).toEqual([]);
    }
  });

  it('is escaped in JSON that gives it back', () => {
    const json = experimentSummaryJson(madeUpSummary(HOSTILE_SUMMARY));
    expect(dangerous(json)).toEqual([]);
    expect(json.endsWith('}\n')).toBe(true);
    expect(JSON.parse(json)).toEqual({ format: 1, ...madeUpSummary(HOSTILE_SUMMARY) });
  });
});
