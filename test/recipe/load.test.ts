import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { InputError, UsageError } from '../../src/data/problems.ts';
import { loadRecipe } from '../../src/recipe/load.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { folderWith } from './recipe-files.ts';

function thrown(make: () => unknown): Error & { next?: string | null } {
  try {
    make();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}

describe('what can be loaded', () => {
  test('a preset by its name', () => {
    expect(loadRecipe('pii/piranha')).toMatchObject({ name: 'pii/piranha', recipe: { task: 'pii' } });
  });

  test('a file; its folder does not show in the name, which stands in every signature', () => {
    const folder = folderWith({ 'mine.yaml': 'task: pii\n' });
    const loaded = loadRecipe(join(folder, 'mine.yaml'));
    expect(loaded).toMatchObject({ name: 'mine.yaml', folder });
  });

  test('an object', () => {
    expect(loadRecipe({ extends: 'pii/strict', about: 'mine' })).toMatchObject({
      name: 'inline',
      recipe: { about: 'mine' },
    });
  });

  test('an empty section, and one that is switched off, is as good as none', () => {
    const { recipe } = loadRecipe({ extends: 'pii/piranha', data: null, judge: 'off', prepare: null });
    expect(recipe.judge).toEqual({});
    expect(Object.keys(recipe.prepare)).toEqual(['annotator', 'relabel', 'merge']);
  });
});

describe('version', () => {
  test('may be stated, in every file of a recipe, and is no part of what the recipe means', async () => {
    const folder = folderWith({
      'base.yaml': 'version: 1\nextends: pii/strict\n',
      'mine.yaml': 'version: 1\nextends: ./base.yaml\nabout: mine\n',
    });
    const { recipe } = loadRecipe(join(folder, 'mine.yaml'));
    expect(recipe).toEqual(loadRecipe({ extends: 'pii/strict', about: 'mine' }).recipe);
    expect(recipe).not.toHaveProperty('version');
  });

  test('a newer one is refused before its settings are looked at, also where another recipe extends it', () => {
    const folder = folderWith({
      'new.yaml': 'version: 2\ntask: pii\nfuture: true\n',
      'mine.yaml': 'extends: ./new.yaml\n',
    });
    const file = join(folder, 'new.yaml');
    const error = thrown(() => loadRecipe(file));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toBe(`${file}: written for a newer Assay, in version 2 of recipes; this one reads version 1`);
    expect(error.next).toBe('update Assay: npm install assay@latest');
    expect(thrown(() => loadRecipe(join(folder, 'mine.yaml'))).message).toContain('./new.yaml: written for a newer');
  });

  test('anything else is a mistake', () => {
    for (const version of [0, 0.5, '1', 'v1', true])
      expect(thrown(() => loadRecipe({ version, task: 'pii' })).message).toContain('version');
  });
});

describe('extends', () => {
  test('lays a recipe over another; a path starts from the folder of the file that names it', () => {
    const folder = folderWith({
      'team/base.yaml': 'extends: pii/piranha\npair: { tolerance: 2 }\n',
      'team/mine/own.yaml': 'extends: ../base.yaml\npair: { assign: optimal }\n',
    });
    const { recipe } = loadRecipe(join(folder, 'team/mine/own.yaml'));
    expect(recipe.pair).toMatchObject({ similarity: 'iou', tolerance: 2, assign: 'optimal' });
  });

  test('a circle is named, in whatever way each step is written', () => {
    const folder = folderWith({ 'a.yaml': 'extends: ./b.yaml\n', 'b.yaml': 'extends: sub/../a.yaml\n' });
    const file = join(folder, 'a.yaml');
    expect(thrown(() => loadRecipe(file)).message).toBe(
      `./b.yaml: extends goes round in a circle (${file} -> ./b.yaml -> sub/../a.yaml)`,
    );
  });

  test('something that is no recipe is refused', () => {
    expect(() => loadRecipe({ extends: ['a', 'b'] })).toThrow('extends names one preset or file');
    expect(thrown(() => loadRecipe({ extends: 'pii/pirahna' })).next).toBe('did you mean pii/piranha?');
  });
});

describe('mistakes', () => {
  test('an unknown preset, a missing file and a folder', () => {
    const preset = thrown(() => loadRecipe('pii/pirahna'));
    expect(preset).toBeInstanceOf(UsageError);
    expect(preset.message).toBe('there is no preset or recipe file called pii/pirahna');
    expect(preset.next).toBe('did you mean pii/piranha?');
    expect(thrown(() => loadRecipe('zzz')).next).toBe('assay presets lists the presets');
    expect(thrown(() => loadRecipe('pii/strct')).next).toBe('did you mean pii/strict or pii/exact?');
    expect(thrown(() => loadRecipe('nowhere/mine.yaml')).message).toBe(
      'cannot read the recipe nowhere/mine.yaml (ENOENT)',
    );
    expect(thrown(() => loadRecipe(folderWith({}))).message).toContain('is a folder');
  });

  test('text that is not YAML carries file and line', () => {
    const file = join(folderWith({ 'bad.yaml': 'task: pii\npair: { gate: [label\nmeasure: x\n' }), 'bad.yaml');
    const error = thrown(() => loadRecipe(file));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(/bad\.yaml:3: not YAML: /);
  });

  test('a key that stands twice carries its line', () => {
    const file = join(folderWith({ 'twice.yaml': 'task: pii\nslice: [label]\nslice: []\n' }), 'twice.yaml');
    expect(thrown(() => loadRecipe(file)).message).toMatch(/twice\.yaml:3: not YAML: Map keys must be unique/);
  });

  test('a setting that does not exist carries its line and the nearest right name', () => {
    const file = join(folderWith({ 'typo.yaml': 'task: pii\npair:\n  gate: [label]\n  treshold: 0.6\n' }), 'typo.yaml');
    const error = thrown(() => loadRecipe(file));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toBe(`${file}:4: pair.treshold: there is no setting called treshold`);
    expect(error.next).toBe('did you mean pair.threshold?');
  });

  test('all problems of a file are said at once', () => {
    const file = join(
      folderWith({ 'many.yaml': 'task: pi\npair: { tolerance: much }\nslise: [label]\n' }),
      'many.yaml',
    );
    expect(thrown(() => loadRecipe(file)).message.split('\n')).toEqual([
      expect.stringMatching(
        /many\.yaml:1: task: expected one of journal, spans, pii, graph, stream, consult, scores, found "pi" \(did you mean pii\?\)$/,
      ),
      expect.stringMatching(/many\.yaml:2: pair\.tolerance: expected a number, found "much"/),
      expect.stringMatching(/many\.yaml:3: slise: there is no setting called slise \(did you mean slice\?\)$/),
    ]);
  });

  test('all problems of a recipe are said at once, whatever part of it finds them', async () => {
    const text = [
      'task: pii',
      'pairr: {}',
      'pair: { similarity: iuo }',
      'prepare: { merg: {}, merge: { gap: x } }',
      'judge: { excuse-mised: {} }',
      'measure: [f1, recal]',
    ].join('\n');
    const file = join(folderWith({ 'all.yaml': text }), 'all.yaml');
    const error: unknown = await planRecipe(file, ['pair.threshold=x', 'nonsense', 'other', 'judge.bar=off']).catch(
      (found: unknown) => found,
    );
    expect(error).toBeInstanceOf(UsageError);
    const lines = error instanceof UsageError ? error.message.split('\n') : [];
    expect(lines.map((line) => line.replace(`${file}:`, '').replace(/ \(.*$/, ''))).toEqual([
      '--set nonsense: expected path=value',
      '--set other: expected path=value',
      '--set judge.bar=off: there is no bar to switch off',
      '--set pair.threshold=x: expected a number or a mapping, found "x"',
      '2: pairr: there is no setting called pairr',
      '4: prepare.merg: there is no rule called merg',
      '4: prepare.merge.gap: expected a number, found "x"',
      '3: pair.similarity: there is no similarity called iuo',
      '5: judge.excuse-mised: there is no rule called excuse-mised',
      '6: measure.recal: there is no measure called recal',
    ]);
  });

  test('names that another section does not know are all said, once the sections are right', async () => {
    const wrong = planRecipe({ extends: 'pii/iou', primary: ['f2', 'f3'], slice: ['scheme'] });
    await expect(wrong).rejects.toThrow(
      /^inline: primary: there is no measure called f2 .*\ninline: primary: .*f3 .*\n.*slice: scheme is no column/,
    );
  });

  test('a fault in a file that is extended is named there', () => {
    const folder = folderWith({
      'own.yaml': 'extends: base.yaml\nabout: mine\n',
      'base.yaml': 'task: pii\n\nzeroDivision: none\n',
    });
    expect(thrown(() => loadRecipe(join(folder, 'own.yaml'))).message).toMatch(
      /^base\.yaml:3: zeroDivision: expected undefined or a number/,
    );
  });

  test('faults that show only when the recipe is made ready carry their line, too', async () => {
    const file = join(
      folderWith({ 'late.yaml': 'extends: pii/piranha\njudge:\n  excuse-overlap:\n    shares: 0.6\n' }),
      'late.yaml',
    );
    await expect(planRecipe(file)).rejects.toMatchObject({
      message: `${file}:4: judge.excuse-overlap.shares: there is no setting called shares`,
      next: 'did you mean judge.excuse-overlap.share?',
    });
  });

  test('a --set line is named as it was written', async () => {
    await expect(planRecipe('pii/piranha', ['pair.tolerance=much'])).rejects.toMatchObject({
      message: '--set pair.tolerance=much: expected a number, found "much"',
    });
    // The preset's own line is meant where no --set speaks of it.
    const file = join(folderWith({ 'own.yaml': 'task: pii\nmeasure: [percision]\n' }), 'own.yaml');
    await expect(planRecipe(file, ['pair.tolerance=1'])).rejects.toThrow(/own\.yaml:2: measure\.percision/);
  });
});

describe('hostile YAML', () => {
  const refused = (text: string): string => {
    const error = thrown(() => loadRecipe(join(folderWith({ 'x.yaml': text }), 'x.yaml')));
    expect(error instanceof UsageError || error instanceof InputError).toBe(true);
    return error.message;
  };

  test('aliases of aliases of aliases', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let at = 1; at < 12; at += 1) lines.push(`a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}]`);
    expect(refused(`task: pii\n${lines.join('\n')}\n`)).toContain('Excessive alias count');
  });

  test.each([
    'task: pii\n__proto__: { polluted: true }\n',
    'task: pii\njudge: { __proto__: { labels: [A] } }\n',
    'task: pii\npair: { threshold: { __proto__: 0.3 } }\n',
    'task: pii\ndata: { columns: { "__proto__": x } }\n',
  ])('names that reach into every object: %j', (text) => {
    expect(refused(text)).toContain('__proto__');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect({}).not.toHaveProperty('polluted');
  });

  test('names that every object has are names that do not exist', () => {
    expect(refused('task: pii\nconstructor: 1\ntoString: 2\n')).toContain('there is no setting called constructor');
  });

  test('nesting without end', () => {
    expect(refused(`task: pii\nabout: ${'['.repeat(50_000)}`)).toMatch(/nested too deeply|not YAML/);
    expect(refused(`task: pii\njudge: ${'{a: '.repeat(200)}1${'}'.repeat(200)}\n`)).toContain('nested too deeply');
  });

  test('a document of several MiB', () => {
    expect(refused(`task: pii\nabout: ${'x'.repeat(3 << 20)}\n`)).toContain('a recipe of 4 MiB; the most is 1 MiB');
  });

  test('no mapping, several documents, an empty file', () => {
    expect(refused('- a\n- b\n')).toContain('a recipe is a mapping');
    expect(refused('task: pii\n---\ntask: graph\n')).toContain('x.yaml:2: a second document begins here (---)');
    expect(refused('')).toContain('a recipe is a mapping');
  });

  test('an alias is fine where it is used as people use it', () => {
    const text = 'task: pii\nschemes:\n  a: &a { similarity: iou }\n  b: *a\n';
    expect(loadRecipe(join(folderWith({ 'x.yaml': text }), 'x.yaml')).recipe.schemes).toEqual({
      a: { similarity: 'iou' },
      b: { similarity: 'iou' },
    });
  });
});

test('the name of a run is the same wherever the recipe lies', async () => {
  const text = 'extends: pii/strict\nabout: mine\n';
  const [one, other] = [folderWith({ 'r.yaml': text }), folderWith({ 'r.yaml': text })];
  const names = await Promise.all([one, other].map(async (folder) => (await planRecipe(join(folder, 'r.yaml'))).name));
  expect(names).toEqual(['r.yaml', 'r.yaml']);
});
