import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { isRecord } from '../../src/data/record-fields.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { presetText } from '../../src/recipe/presets.ts';
import { ROOT } from '../cli/run-assay.ts';

const page = (name: string): string => readFileSync(join(ROOT, `docs/tasks/${name}-document.md`), 'utf8');
const linking = ['docs/README.md', 'docs/migrate/scripts.md'];

/** The value at a path of a preset; undefined if a step is missing. */
function setting(preset: string, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), parse(presetText(preset)));
}

describe('docs/tasks/pii-document.md', () => {
  /* As the document lists them. */
  const constants = {
    'prepare.relabel.map': {
      GIVENNAME: 'PERSON',
      SURNAME: 'PERSON',
      CITY: 'LOC',
      BUILDINGNUM: 'LOC',
      STREET: 'LOC',
      ZIPCODE: 'LOC',
      DATEOFBIRTH: 'DATETIME',
    },
    'judge.excuse-missed.labels': ['ORG', 'DEM', 'QUANTITY', 'MISC', 'CODE', 'CASE', 'COURT', 'DATETIME'],
    'judge.excuse-spurious.labels': undefined,
    'pair.threshold': { LOC: 0.3, PERSON: 0.4, default: 0.5 },
    'judge.loc-in-org.words': [
      'court',
      'byret',
      'landsret',
      'tribunal',
      'højesteret',
      'supreme',
      'prosecutor',
      'district',
      'police',
      'department',
      'ministry',
      'office',
    ],
  };

  it('names each constant with its key, which has the value of the document in the preset', () => {
    for (const [key, value] of Object.entries(constants)) {
      expect(page('pii')).toContain(`\`${key}\``);
      expect(setting('pii/piranha', key)).toEqual(value);
    }
    for (const name of [
      'PII_TO_GT',
      'IGNORE_FN_LABELS',
      'IGNORE_FP_LABELS',
      'IOI_THRESHOLDS',
      'INSTITUTION_INDICATORS',
    ])
      expect(page('pii')).toContain(`| \`${name}\``);
  });

  it('has the rule for ignored false positives run after the one for overlaps, as the document does', async () => {
    const plan = await planRecipe('pii/piranha', ['judge.excuse-spurious.labels=[USERNAME]']);
    expect(plan.judge.map(({ name }) => name)).toEqual([
      'loc-in-org',
      'excuse-missed',
      'excuse-overlap',
      'excuse-spurious',
    ]);
  });
});

describe('docs/tasks/consult-document.md', () => {
  it('names only measures and settings that the preset has', async () => {
    const { resolved } = await planRecipe('consult/ayurmind');
    const text = JSON.stringify(resolved);
    const [, metrics = ''] = page('consult').split('## Metrics');
    const table = metrics.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| document'));
    const names = table.flatMap((line) => [...line.split('|')[2]!.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!));
    expect(names.length).toBeGreaterThan(15);
    const known = (name: string): boolean =>
      text.includes(`"${name}"`) || name === 'dimension' || name === 'bilingual_parity';
    expect(names.filter((name) => !known(name))).toEqual([]);
    for (const path of [
      'prepare.read-class.classes',
      'prepare.find-components.components',
      'measure.complete_share.atLeast',
    ])
      expect([path, setting('consult/ayurmind', path)]).toEqual([path, expect.anything()]);
  });
});

it.each(['stream', 'pii', 'consult'])('the page for readers of the document of %s is linked', (task) => {
  const name = `${task}-document.md`;
  expect(existsSync(join(ROOT, 'docs/tasks', name))).toBe(true);
  for (const file of [...linking, `docs/tasks/${task}.md`])
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(name);
});
