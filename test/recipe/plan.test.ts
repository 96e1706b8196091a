import { describe, expect, test } from 'vitest';

import { DEFAULT_DATA_OPTIONS } from '../../src/data/data-options.ts';
import type { PairSettings } from '../../src/pair/criterion.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { isRecord } from '../../src/data/record-fields.ts';
import { presetAbout, presetNames, presetValue } from '../../src/recipe/presets.ts';
import { recipeSchema } from '../../src/recipe/schema.ts';
import { normalisers } from '../../src/text/normalise.ts';

describe('presets', () => {
  test('are listed in order, each with a line about it', () => {
    const names = presetNames();
    expect(names).toEqual(names.toSorted());
    expect(names).toEqual(
      expect.arrayContaining(['graph/openspec', 'journal/ashwam', 'pii/piranha', 'spans/every-scheme']),
    );
    for (const name of names) expect(presetAbout(name).length, name).toBeGreaterThan(20);
  });

  test.each(presetNames())('%s is ready to run as it is', async (name) => {
    const plan = await planRecipe(name);
    expect(plan.name).toBe(name);
    expect(plan.measures.length).toBeGreaterThan(0);
    expect(JSON.parse(JSON.stringify(plan.resolved))).toMatchObject({ task: plan.task });
  });

  test('graph/as-coded has the lists of the code, not those of the specification', async () => {
    const settings = (await planRecipe('graph/as-coded')).schemes[0]?.pair.get('relationship');
    expect(settings).toMatchObject({ assign: 'in-order', ties: 'given' });
    expect(settings?.accept[0]?.inverse).toHaveLength(11);
    expect(settings?.accept[0]?.symmetric).toHaveLength(7);
  });
});

describe('data', () => {
  test('knows every option that readers have, and no other', () => {
    const known = Object.keys(recipeSchema.shape.data.unwrap().shape).sort();
    // What is left out is not in the manifest either: runs that know nothing of it stay comparable.
    const options = [...Object.keys(DEFAULT_DATA_OPTIONS), 'fuzzyQuotes', 'places', 'tagNames'];
    expect(known).toEqual(options.sort());
  });

  test('fills in the defaults; a policy is for both sides or one', async () => {
    const { data } = await planRecipe({ task: 'pii', data: { unknownLabel: 'keep', unknownValue: { gold: 'keep' } } });
    expect(data).toEqual({
      ...DEFAULT_DATA_OPTIONS,
      kinds: ['span'],
      unknownLabel: { gold: 'keep', predicted: 'keep' },
      unknownValue: { gold: 'keep', predicted: 'keep' },
    });
    const other = await planRecipe({ task: 'pii', data: { unknownLabel: { predicted: 'error' } } });
    expect(other.data.unknownLabel).toEqual({ gold: 'error', predicted: 'error' });
  });
});

describe('offsets', () => {
  const offsetsOf = async (offsets: unknown) => {
    const { data } = await planRecipe({ task: 'pii', data: { offsets } });
    return [data.offsets, data.conventions];
  };

  test('are one unit for what formats leave open, or what a side counts in whatever its format', async () => {
    expect(await offsetsOf('utf16')).toEqual(['utf16', undefined]);
    expect(await offsetsOf({ gold: 'codepoint', predicted: 'utf16' })).toEqual([
      'codepoint',
      { gold: { unit: 'codepoint' }, predicted: { unit: 'utf16' } },
    ]);
    expect(await offsetsOf({ predicted: 'byte inclusive one-based' })).toEqual([
      'codepoint',
      { predicted: { unit: 'byte', inclusive: true, oneBased: true } },
    ]);
    expect(await offsetsOf('codepoint inclusive')).toEqual([
      'codepoint',
      { gold: { unit: 'codepoint', inclusive: true }, predicted: { unit: 'codepoint', inclusive: true } },
    ]);
  });
});

describe('stages', () => {
  const names = async (recipe: object, ...set: string[]): Promise<string[]> =>
    (await planRecipe(recipe, set)).judge.map(({ name }) => name);
  const own = { extends: 'pii/piranha' };

  test('rules run from top to bottom; `order` says otherwise; off leaves one out', async () => {
    expect(await names(own)).toEqual(['loc-in-org', 'excuse-missed', 'excuse-overlap']);
    expect(await names(own, 'judge.order=excuse-overlap,loc-in-org,excuse-missed')).toEqual([
      'excuse-overlap',
      'loc-in-org',
      'excuse-missed',
    ]);
    expect(await names(own, 'judge.excuse-missed=off')).toEqual(['loc-in-org', 'excuse-overlap']);
    expect(await names(own, 'judge=off')).toEqual([]);
  });

  test('a rule that is off may stay in the order', async () => {
    const ordered = { ...own, judge: { order: ['excuse-overlap', 'loc-in-org', 'excuse-missed'] } };
    expect(await names(ordered, 'judge.loc-in-org=off')).toEqual(['excuse-overlap', 'excuse-missed']);
  });

  test('a rule stands with its usual settings when nothing or `on` is said', async () => {
    const { resolved } = await planRecipe({ task: 'pii', prepare: { trim: null, merge: 'on', dedupe: true } });
    expect(resolved['prepare']).toEqual({
      trim: { side: 'predicted' },
      merge: { gap: 1, side: 'predicted', labels: [] },
      dedupe: { side: 'gold' },
    });
  });

  test('one rule may stand twice under names of its own, and each can be switched off', async () => {
    const twice = {
      ...own,
      judge: {
        'excuse-codes': { rule: 'excuse-missed', labels: ['CODE'] },
        'merge-2': { rule: 'excuse-spurious', labels: ['X'] },
      },
    };
    expect(await names(twice)).toEqual(['loc-in-org', 'excuse-missed', 'excuse-overlap', 'excuse-codes', 'merge-2']);
    expect(await names(twice, 'judge.merge-2=off', 'judge.excuse-codes=off')).toHaveLength(3);
    expect((await planRecipe(twice)).resolved['judge']).toMatchObject({
      'excuse-codes': { rule: 'excuse-missed', labels: ['CODE'] },
    });
  });

  test('a rule that is known may be switched off where it is not used', async () => {
    expect(await names(own, 'judge.incorrect=off')).toHaveLength(3);
  });
});

describe('pairing', () => {
  const settings = async (
    recipe: object,
    scheme = 0,
    kind: 'span' | 'entity' | 'relationship' = 'span',
  ): Promise<PairSettings | undefined> => (await planRecipe(recipe)).schemes[scheme]?.pair.get(kind);

  test('has usual values for everything', async () => {
    expect(await settings({ task: 'pii' })).toMatchObject({
      assign: 'greedy',
      ties: 'content',
      partial: 1,
      unit: 'item',
      accept: [{ name: 'pair', similarity: 'exact', threshold: 0.5 }],
    });
  });

  test('what is said of one kind goes before what is said of all', async () => {
    const recipe = { task: 'graph', pair: { threshold: 0.8, similarity: 'exact', entity: { threshold: 0.9 } } };
    expect((await settings(recipe, 0, 'entity'))?.accept[0]?.threshold).toBe(0.9);
    expect((await settings(recipe, 0, 'relationship'))?.accept[0]?.threshold).toBe(0.8);
  });

  test('a scheme starts from the recipe’s own pairing and goes before it, kinds included', async () => {
    const recipe = {
      task: 'graph',
      pair: { threshold: 0.8, assign: 'optimal', entity: { similarity: 'levenshtein', threshold: 0.9 } },
      schemes: { strict: { threshold: 1, entity: { similarity: 'exact' } }, same: null, none: 'off' },
    };
    const strict = await settings(recipe, 1, 'entity');
    expect(strict).toMatchObject({ assign: 'optimal', accept: [{ similarity: 'exact', threshold: 1 }] });
    expect((await settings(recipe, 1, 'relationship'))?.accept[0]?.threshold).toBe(1);
    expect((await settings(recipe, 2, 'entity'))?.accept[0]).toMatchObject({
      similarity: 'levenshtein',
      threshold: 0.9,
    });
    expect((await planRecipe(recipe)).schemes.map(({ name }) => name)).toEqual([null, 'strict', 'same']);
  });

  test('alternatives take what they leave out from around them, and belong to no scheme', async () => {
    const recipe = {
      task: 'pii',
      pair: {
        tolerance: 1,
        gate: ['label'],
        accept: { wide: { similarity: 'iou', gate: [] }, plain: null, gone: 'off' },
      },
      schemes: { other: {} },
    };
    expect((await settings(recipe))?.accept).toMatchObject([
      { name: 'wide', similarity: 'iou', tolerance: 1, gate: [] },
      { name: 'plain', similarity: 'exact', tolerance: 1, gate: ['label'] },
    ]);
    expect((await settings(recipe, 1))?.accept).toMatchObject([{ name: 'pair', tolerance: 1 }]);
    await expect(planRecipe({ task: 'pii', pair: { accept: { a: 'off' } } })).rejects.toThrow(
      'pair.accept: every alternative is off',
    );
  });

  test('every step of normalisation can be asked for', async () => {
    const steps = Object.keys(normalisers);
    expect((await settings({ task: 'pii', pair: { normalise: steps } }))?.accept[0]?.normalise).toEqual(steps);
  });
});

describe('attributes and measures', () => {
  test('an attribute is a field of its own name, unless it says otherwise', async () => {
    const { attributes } = await planRecipe({
      task: 'journal',
      attributes: { mood: null, time: { field: 'time_bucket' }, off: 'off' },
    });
    expect(attributes.map(({ name, field }) => [name, field])).toEqual([
      ['mood', 'mood'],
      ['time', 'time_bucket'],
    ]);
  });

  test('a list of measures, or measures by name; off leaves one out', async () => {
    const names = async (...set: string[]): Promise<string[]> =>
      (await planRecipe('pii/strict', set)).measures.map(({ name }) => name);
    expect(await names('measure=[f1]')).toEqual(['f1']);
    expect(await names('measure+=over_extraction')).toContain('over_extraction');
    expect(await names('measure.macro_f1=off')).not.toContain('macro_f1');
    expect(await names('measure.f2={of: f1, beta: 2}')).toContain('f2');
  });
});

describe('an attribute that is laid over a recipe has its accuracy', () => {
  const added = async (recipe: object, ...set: string[]): Promise<string[]> => {
    const { extends: parent = null } = { extends: undefined, ...recipe };
    const before = parent === null ? [] : (await planRecipe(parent)).measures.map(({ name }) => name);
    const after = (await planRecipe(recipe, set)).measures.map(({ name }) => name);
    expect(after.slice(0, before.length)).toEqual(before);
    return after.slice(before.length);
  };
  const scale = { severity_scale: { labels: ['symptom'] } };

  test.each<[string, object, string[], string[]]>([
    ['in a file', { extends: 'journal/ashwam', attributes: scale }, [], ['severity_scale_accuracy']],
    [
      'by its name, not its field',
      { extends: 'journal/ashwam', attributes: { severity: { field: 'x' } } },
      [],
      ['severity_accuracy'],
    ],
    ['with --set', { extends: 'journal/ashwam' }, ['attributes.meal_type={labels: [food]}'], ['meal_type_accuracy']],
    [
      'over a list of measures',
      { extends: 'pii/strict', attributes: { identifier_type: {} } },
      [],
      ['identifier_type_accuracy'],
    ],
    [
      'in a recipe without measures',
      { task: 'journal', attributes: scale },
      [],
      ['precision', 'recall', 'f1', 'severity_scale_accuracy'],
    ],
    [
      'not a setting of one that is there',
      { extends: 'journal/ashwam', attributes: { time: { missing: 'today' } } },
      [],
      [],
    ],
    [
      'unless a measure looks at it',
      {
        extends: 'journal/ashwam',
        attributes: scale,
        measure: { severity: { of: 'accuracy', attributes: ['severity_scale'] } },
      },
      [],
      ['severity'],
    ],
    [
      'unless it is switched off',
      { extends: 'journal/ashwam', attributes: scale, measure: { severity_scale_accuracy: 'off' } },
      [],
      [],
    ],
    ['or later', { extends: 'journal/ashwam', attributes: scale }, ['measure.severity_scale_accuracy=off'], []],
    ['and goes with it', { extends: 'journal/ashwam', attributes: scale }, ['attributes.severity_scale=off'], []],
  ])('%s', async (_, recipe, set, names) => {
    expect(await added(recipe, ...set)).toEqual(names);
  });

  test('a list of measures, and a whole recipe with measures, say what is measured', async () => {
    const names = async (recipe: object): Promise<string[]> =>
      (await planRecipe(recipe)).measures.map(({ name }) => name);
    expect(await names({ extends: 'journal/ashwam', attributes: scale, measure: ['f1'] })).toEqual(['f1']);
    expect(await names({ task: 'journal', attributes: scale, measure: { f1: {} } })).toEqual(['f1']);
  });

  test('the recipe that is kept of a run gives the same plan, and no preset has other measures', async () => {
    const plan = await planRecipe({ extends: 'journal/ashwam', attributes: scale });
    expect((await planRecipe(plan.source)).resolved).toEqual(plan.resolved);
    for (const name of presetNames()) {
      const { measures } = await planRecipe(name);
      const own: unknown = presetValue(name);
      const written = isRecord(own) && isRecord(own['attributes']) && isRecord(own['measure']) ? own['measure'] : null;
      const names = measures.map((measure) => measure.name);
      expect(names).toEqual(written === null ? names : Object.keys(written));
    }
  });

  test('polarity can be switched off together with its accuracy', async () => {
    const { measures } = await planRecipe('journal/ashwam', ['attributes.polarity=off']);
    expect(measures.map(({ name }) => name)).not.toContain('polarity_accuracy');
  });
});

test('the resolved recipe says everything that affects a number', async () => {
  const { resolved } = await planRecipe('pii/piranha', ['pair.tolerance=2']);
  expect(Object.keys(resolved)).toEqual([
    'task',
    'about',
    'data',
    'prepare',
    'pair',
    'schemes',
    'attributes',
    'judge',
    'measure',
    'slice',
    'zeroDivision',
    'interval',
  ]);
  expect(resolved['pair']).toMatchObject({ span: { accept: [{ tolerance: 2 }] } });
});

test('an interval cannot be asked to rest on a handful of groups', async () => {
  await expect(planRecipe('pii/strict', ['interval.groupsAbove=3'])).rejects.toThrow(
    'expected a number of at least 200',
  );
  expect((await planRecipe('pii/strict', ['interval.groupsAbove=200'])).interval?.groupsAbove).toBe(200);
  expect((await planRecipe('pii/strict', ['interval.groupsAbove=null'])).interval?.groupsAbove).toBeNull();
});
