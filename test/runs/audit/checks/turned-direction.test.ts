import { describe, expect, test } from 'vitest';

import { makeCase } from '../../../../src/data/case.ts';
import { presetNames } from '../../../../src/recipe/presets.ts';
import { planRecipe } from '../../../../src/recipe/plan.ts';
import { directionOfWords, turnedDirection } from '../../../../src/runs/audit/checks/turned-direction.ts';
import { logged } from '../../../measure/logged-items.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT } from '../made-items.ts';

const one = [spanCase('a', ['PERSON 0'], ['PERSON 0'])];
const withMeasures = (measure: object): object => ({ ...STRICT, measure });

describe('a measure that is turned round', () => {
  test('is one whose name says the other way', async () => {
    const measure = { faithfulness: { of: 'verdict-share', verdict: 'spurious', among: ['hit', 'spurious'] } };
    const { said, findings } = await look(turnedDirection, withMeasures(measure), one);
    expect(said).toEqual([
      'error: The measure faithfulness is set up so that lower is better, but its name says that higher is better',
    ]);
    expect(findings[0]!.subjects).toEqual(['faithfulness']);
  });

  test('is one that counts errors and calls more of them better', async () => {
    const measure = {
      quality_index: { of: 'count', verdict: 'missed', direction: 'higher' },
      share: { of: 'verdict-share', verdict: 'spurious', direction: 'higher' },
    };
    expect((await look(turnedDirection, withMeasures(measure), one)).said).toEqual([
      'error: The measure quality_index is set up so that higher is better, but it counts missed items, of which fewer is better',
      'error: The measure share is set up so that higher is better, but it counts spurious items, of which fewer is better',
    ]);
  });

  test('is one over a field of which less is better, unless it takes the complement', async () => {
    const given = makeCase({ id: 's', logged: [logged('summary', { unsupported_in_window: 0.25, summary_ctu: 1 })] });
    const ratio = {
      of: 'ratio',
      over: { kind: 'summary', field: 'unsupported_in_window' },
      under: { kind: 'summary', field: 'summary_ctu' },
      direction: 'higher',
    };
    const recipe = (measure: object): object => ({ task: 'stream', stream: { budgets: [], redundancy: [] }, measure });
    expect((await look(turnedDirection, recipe({ grounding: ratio }), [given])).said).toEqual([
      'error: The measure grounding is set up so that higher is better, but it adds up the field unsupported_in_window, of which less is better',
    ]);
    expect((await look(turnedDirection, recipe({ grounding: { ...ratio, complement: true } }), [given])).said).toEqual(
      [],
    );
  });

  test('a value outside the range of the recipe is an error of its own', async () => {
    const given = makeCase({ id: 's', logged: [logged('summary', { score: 85 })] });
    const measure = {
      support: { of: 'field-mean', kind: 'summary', field: 'score', direction: 'higher', range: [0, 1] },
    };
    const recipe = { task: 'stream', stream: { budgets: [], redundancy: [] }, measure };
    expect((await look(turnedDirection, recipe, [given])).said).toEqual([
      'error: The value of support is 85.0, which is outside the range that the recipe gives it (0 to 1)',
    ]);
  });

  test('names that say nothing, or both, are left alone', () => {
    expect(['f1', 'error_rate', 'overExtraction', 'summary_latency_ms_p95'].map(directionOfWords)).toEqual([
      'higher',
      'lower',
      'lower',
      'lower',
    ]);
    expect(
      ['over_extraction', 'error_coverage', 'hallucination_free', 'partial', 'cost_saved'].map(directionOfWords),
    ).toEqual(['lower', null, null, null, null]);
  });

  test.each(presetNames())('the preset %s has none', async (preset) => {
    const { measures, resolved, task } = await planRecipe(preset, ['interval=off']);
    const values = measures.map(({ name, direction, range, best }) => ({
      name,
      slice: {},
      value: null,
      undefined: 'nothing',
      n: 0,
      units: 0,
      interval: null,
      noInterval: null,
      direction,
      range,
      note: null,
      cases: null,
      ...(best === undefined ? {} : { best }),
    }));
    const { run } = await look(turnedDirection, STRICT, one);
    const made = { ...run, measures: { ...run.measures, measures: values } };
    const open = turnedDirection.open({ task, recipe: resolved, measures });
    expect(await open.finish({ run: made, primary: null, train: null, gate: null, others: [] })).toEqual([]);
  });
});
