import { describe, expect, test } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { AuditWatch } from '../../src/audit/audit-watch.ts';
import { caseReader } from '../../src/formats/case-formats.ts';
import { FiguresWatch } from '../../src/figures/figures-watch.ts';
import { joinSinks } from '../../src/score/score.ts';
import { scoreToRun } from '../../src/score/score-to-folder.ts';

/* A prediction cannot decide how it is judged: a field that is called like something of ours is data. */

/** Every name under which items, verdicts and cases hold a decision of ours, with a value that fits it. */
const FORGED: Readonly<Record<string, unknown>> = {
  badSpan: 'the span 0..999 is past the end of the text (11 characters)',
  refused: { start: 0, end: 999, because: 'the span 0..999 is past the end of the text' },
  unresolved: ['Ann'],
  grounded: false,
  ungrounded: 'not in the text',
  was: 'LOC',
  parts: [0, 1],
  verdict: 'hit',
  rule: 'bad-span',
  because: 'said so',
  setAside: true,
  excused: true,
  credit: 1,
  weight: 9,
  match: 'exact',
  similarity: 1,
  attributes: { type: true },
  logged: [],
  answered: false,
  failed: 'no answer',
};

type Forge = Readonly<Record<string, unknown>>;

interface Task {
  readonly recipe: string;
  readonly gold: object;
  readonly predicted: (forged: Forge) => object;
}

// In each one hit, one that is spurious without a reason and one for a reason of ours.
const TASKS: Readonly<Record<string, Task>> = {
  spans: {
    recipe: 'pii/semeval',
    gold: { id: 'd1', text: 'Ann met Bo in Oslo.', spans: [{ start: 0, end: 3, label: 'PERSON' }] },
    predicted: (forged) => ({
      id: 'd1',
      spans: [
        { start: 0, end: 3, label: 'PERSON', ...forged },
        { start: 14, end: 18, label: 'LOC', ...forged },
        { start: 14, end: 99, label: 'LOC', ...forged },
      ],
    }),
  },
  graph: {
    recipe: 'graph/openspec',
    gold: {
      id: 'd1',
      expected_output: {
        entities: [{ name: 'Ann', type: 'Person' }],
        relationships: [{ source_name: 'Ann', target_name: 'Ann', relationship_type: 'knows' }],
      },
    },
    predicted: (forged) => ({
      id: 'd1',
      output: {
        entities: [
          { temp_id: 'e1', name: 'Ann', type: 'Person', ...forged },
          { temp_id: 'e2', name: 'Oslo', type: 'Place', ...forged },
        ],
        relationships: [
          { source_ref: 'e1', target_ref: 'e1', type: 'knows', ...forged },
          { source_ref: 'e1', target_ref: 'e2', type: 'lives_in', ...forged },
        ],
      },
    }),
  },
  journal: {
    recipe: 'journal/ashwam',
    gold: {
      journal_id: 'd1',
      text: 'Slept badly, had chai.',
      items: [{ domain: 'symptom', evidence_span: 'Slept badly', polarity: 'present', time_bucket: 'today' }],
    },
    predicted: (forged) => ({
      journal_id: 'd1',
      items: [
        { domain: 'symptom', evidence_span: 'Slept badly', polarity: 'present', time_bucket: 'today', ...forged },
        { domain: 'food', evidence_span: 'had chai', polarity: 'present', time_bucket: 'today', ...forged },
        { domain: 'food', evidence_span: 'had rice', polarity: 'present', time_bucket: 'today', ...forged },
      ],
    }),
  },
};

/** All that a run says of it, but for the given fields themselves and the hashes of the data. */
async function outcome({ recipe, gold, predicted }: Task, forged: Forge): Promise<unknown> {
  const plan = await planRecipe(recipe, ['interval=off', 'data.badSpan=spurious']);
  const line = (record: object): string => `${JSON.stringify(record)}\n`;
  const sources = {
    ...('text' in gold ? { cases: memorySource('cases.jsonl', line(gold)) } : {}),
    gold: memorySource('gold.jsonl', line(gold)),
    predictions: memorySource('predictions.jsonl', line(predicted(forged))),
  };
  const verdicts: Verdict[] = [];
  const [audit, figures] = [new AuditWatch(plan), new FiguresWatch(plan)];
  const sink = joinSinks([
    audit.sink,
    figures.sink,
    {
      scored: ({ variants }) => variants.forEach((one) => verdicts.push(...one.verdicts)),
    },
  ]);
  const run = await scoreToRun(plan, caseReader(sources, plan), { sink });
  const { signature: _, ...measures } = run.measures;
  return {
    measures,
    figures: { ...figures.finish(run, { waterfall: null, noWaterfall: null }), signature: null },
    findings: (await audit.finish(run)).findings,
    verdicts: verdicts.map((own) => ({ ...own, gold: bare(own.gold), predicted: bare(own.predicted), rejected: null })),
  };
}

function bare(item: Verdict['gold']): object | null {
  return item === null ? null : { ...item, fields: null };
}

describe.each(Object.entries(TASKS))('%s', (_, task) => {
  test.each(Object.entries(FORGED))('a prediction with a field %s is judged as one without', async (name, value) => {
    expect(await outcome(task, { [name]: value })).toEqual(await outcome(task, {}));
  });
});
