import { describe, expect, test } from 'vitest';

import { makeCase } from '../../../src/data/case.ts';
import { presetNames } from '../../../src/recipe/presets.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { directionOfWords } from '../../../src/formats/direction-of-words.ts';
import { invertedDirection } from '../../../src/audit/checks/inverted-direction.ts';
import { logged } from '../../measure/logged-items.ts';
import { AuditWatch } from '../../../src/audit/audit-watch.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT } from '../made-items.ts';

const one = [spanCase('a', ['PERSON 0'], ['PERSON 0'])];
const withMeasures = (measure: object): object => ({ ...STRICT, measure });

describe('a measure that is turned round', () => {
  test('is one whose name says the other way', async () => {
    const measure = { faithfulness: { of: 'verdict-share', verdict: 'spurious', among: ['hit', 'spurious'] } };
    const { said, findings } = await look(invertedDirection, withMeasures(measure), one);
    expect(said).toEqual([
      'error: The measure faithfulness is set up so that lower is better, but its name implies that higher is better',
    ]);
    expect(findings[0]!.subjects).toEqual(['faithfulness']);
  });

  test('is one that counts errors and calls more of them better', async () => {
    const measure = {
      quality_index: { of: 'count', verdict: 'missed', direction: 'higher' },
      share: { of: 'verdict-share', verdict: 'spurious', direction: 'higher' },
    };
    expect((await look(invertedDirection, withMeasures(measure), one)).said).toEqual([
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
    expect((await look(invertedDirection, recipe({ grounding: ratio }), [given])).said).toEqual([
      'error: The measure grounding is set up so that higher is better, but it adds up the field unsupported_in_window, of which less is better',
    ]);
    expect(
      (await look(invertedDirection, recipe({ grounding: { ...ratio, complement: true } }), [given])).said,
    ).toEqual([]);
  });

  test('is a share of cases whose bound says the other way', async () => {
    const share = (measure: string | object, bound: object, direction: string): object =>
      withMeasures({ f1: {}, cases: { of: 'case-share', measure, ...bound, direction } });
    const said = async (measure: string | object, bound: object, direction: string): Promise<readonly string[]> =>
      (await look(invertedDirection, share(measure, bound, direction), one)).said;
    const errors = { of: 'count', verdict: 'spurious' };
    expect(await said('f1', { atMost: 0.3 }, 'higher')).toEqual([
      'error: The measure cases is set up so that higher is better, but it counts cases whose f1 is at most 0.3, of which fewer is better',
    ]);
    // Not in the recipe, and known by its name all the same.
    expect(await said('recall', { atLeast: 0.8 }, 'lower')).toEqual([
      'error: The measure cases is set up so that lower is better, but it counts cases whose recall is at least 0.8, of which more is better',
    ]);
    expect(await said(errors, { atLeast: 1 }, 'higher')).toEqual([
      'error: The measure cases is set up so that higher is better, but it counts cases whose number of spurious items is at least 1, of which fewer is better',
    ]);
    expect(await said('f1', { atMost: 0.3 }, 'lower')).toEqual([]);
    expect(await said(errors, { atMost: 0 }, 'higher')).toEqual([]);
    expect(await said('f1', { atLeast: 0.2, atMost: 0.8 }, 'lower')).toEqual([]);
    expect(await said('over_extraction', { atLeast: 2 }, 'lower')).toEqual([]);
    expect(await said('over_extraction', { atLeast: 1 }, 'higher')).toEqual([]);
  });

  test('is a recall that is called a rate of misses: it has no direction to set', async () => {
    const { said, findings } = await look(invertedDirection, withMeasures({ miss_rate: { of: 'recall' } }), one);
    expect(said).toEqual([
      'error: The measure miss_rate is set up so that higher is better, but its name implies that lower is better',
    ]);
    expect(findings[0]!.todo).toBe('Give it the name of what it counts.');
  });

  test('is one whose best value is at its worst end', async () => {
    const measure = { f1: { of: 'f1', best: 0 }, recall: { best: 0.5 }, precision: { best: 1 } };
    expect((await look(invertedDirection, withMeasures(measure), one)).said).toEqual([
      'error: The measure f1 is set up so that nearer to 0 is better, but its name implies that higher is better',
    ]);
  });

  test('a value outside the range of the recipe is an error of its own', async () => {
    const given = makeCase({ id: 's', logged: [logged('summary', { score: 85 })] });
    const measure = {
      support: { of: 'field-mean', kind: 'summary', field: 'score', direction: 'higher', range: [0, 1] },
    };
    const recipe = { task: 'stream', stream: { budgets: [], redundancy: [] }, measure };
    expect((await look(invertedDirection, recipe, [given])).said).toEqual([
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

  test('abbreviations and phrases say something as whole words only', () => {
    const lower = 'wer rmse maeTotal fp_rate fnRate miss_rate false_alarms FalsePositives risk risk_rate'.split(' ');
    expect(lower.map(directionOfWords)).toEqual(lower.map(() => 'lower'));
    const higher = 'kappa cohen_kappa success_rate rouge rougeL ROUGE-1 rouge1 bleu f1Score'.split(' ');
    expect(higher.map(directionOfWords)).toEqual(higher.map(() => 'higher'));
    const silent =
      'power answer swerve fp rate miss success risk_named names_the_risk at_risk rouge_std attack_success_rate false_alarm_reduction false_positive_recall kappas heart_rate success_rates'.split(
        ' ',
      );
    expect(silent.map(directionOfWords)).toEqual(silent.map(() => null));
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
    const { run } = await look(invertedDirection, STRICT, one);
    const made = { ...run, measures: { ...run.measures, measures: values } };
    const { findings } = await new AuditWatch({ task, resolved, measures }, [invertedDirection]).finish(made);
    expect(findings).toEqual([]);
  });
});

describe('a measure of a preset', () => {
  const summary = makeCase({
    id: 's',
    logged: [logged('summary', { summary_ctu: 2 }), logged('trace', { trace_ctu: 8 })],
  });
  const saidBy = async (recipe: string | object, ...set: readonly string[]): Promise<readonly string[]> =>
    (await look(invertedDirection, recipe, [summary], { set })).said;
  const turned = 'measure.summary_count.measure.direction=higher';

  test('that is turned round by --set is an error', async () => {
    const { said, findings, run } = await look(invertedDirection, 'stream/exaid', [summary], { set: [turned] });
    expect(said).toEqual([
      'error: The measure summary_count is set up so that higher is better, but the preset stream/exaid says lower',
    ]);
    expect(findings[0]!.todo).toBe('Say direction: lower for it in the recipe, or give it the name of what it counts.');
    // Where the run knows what turned it, that is what to take out.
    const { manifest } = run;
    const told = { ...run, manifest: { ...manifest, recipe: { ...manifest.recipe, set: ['interval=off', turned] } } };
    const plan = { task: 'stream', resolved: manifest.recipe.resolved, measures: [] };
    const again = await new AuditWatch(plan, [invertedDirection]).finish(told);
    expect(again.findings[0]!.todo).toBe(`Score without --set ${turned}, or give it the name of what it counts.`);
  });

  test('that is turned round in a recipe of its own is one too', async () => {
    const own = (form: object): object => ({ extends: 'stream/exaid', measure: { compression_ratio: form } });
    expect(await saidBy(own({ measure: { direction: 'lower' } }))).toEqual([
      'error: The measure compression_ratio is set up so that lower is better, but the preset stream/exaid says higher',
    ]);
    // Without the complement it is another measure, of which less is better.
    expect(await saidBy(own({ measure: { direction: 'lower', complement: false, range: [0, null] } }))).toEqual([]);
  });

  test('is compared with all presets of the task, by what it counts and not by its name alone', async () => {
    const recipe = (direction: string, kind: string): object => ({
      task: 'consult',
      prepare: {},
      measure: {
        words_per_sentence: { of: 'field-mean', kind, field: 'words_per_sentence', direction, range: [0, null] },
      },
    });
    expect(await saidBy(recipe('higher', 'readability'))).toEqual([
      'error: The measure words_per_sentence is set up so that higher is better, but the presets consult/as-coded and consult/ayurmind say lower',
    ]);
    expect(await saidBy(recipe('lower', 'readability'))).toEqual([]);
    expect(await saidBy(recipe('higher', 'rating'))).toEqual([]);
  });

  test('may have another target, and the direction of one with a target is only a way to sort', async () => {
    expect(await saidBy('stream/exaid', 'measure.summary_count.best=5', turned)).toEqual([]);
    expect(await saidBy('stream/exaid', 'measure.compression_ratio.best=1')).toEqual([]);
  });
});
