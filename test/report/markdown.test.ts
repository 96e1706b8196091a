import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';

import { markdownBlock, markdownText } from '../../src/report/render-markdown.ts';
import { recipeYaml } from '../../src/report/recipe-yaml.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { runDocument } from '../../src/report/run.ts';
import type { Run } from '../../src/score/run.ts';
import { dangerous, HOSTILE, madeUpRun, measure, rule } from './made-up-run.ts';

const page = (run: Run): string => renderMarkdown(runDocument(run));

describe('markdownText', () => {
  it.each([
    ['entity_f1', 'entity_f1'],
    ['_em_', '\\_em\\_'],
    ['A|B', 'A\\|B'],
    ['two\nlines', 'two⏎lines'],
    ['<b>&', '&lt;b&gt;&amp;'],
    ['[x](javascript:y)', '\\[x\\](javascript:y)'],
    ['`a` **b** \\', '\\`a\\` \\*\\*b\\*\\* \\\\'],
  ])('writes %j as %j', (given, text) => {
    expect(markdownText(given)).toBe(text);
  });
});

describe('markdownBlock', () => {
  it('cannot be closed by its content', () => {
    expect(markdownBlock('yaml', 'a: |\n  ```\n  <b>\n')).toBe('````yaml\na: |\n  ```\n  <b>\n````');
  });
});

describe('recipeYaml', () => {
  const resolved = {
    task: 'pii',
    data: { columns: {}, system: null, offsets: 'byte' },
    pair: { span: { accept: [{ name: 'pair', gate: ['label'], own: () => 1, inverse: [] }] } },
    judge: { incorrect: {}, 'excuse-missed': { labels: ['ORG'], because: 'no: "colon"' } },
    schemes: {},
  };

  it('keeps every setting that says something, and a rule without parameters', () => {
    expect(parse(recipeYaml(resolved))).toEqual({
      task: 'pii',
      data: { offsets: 'byte' },
      pair: { span: { accept: [{ name: 'pair', gate: ['label'] }] } },
      judge: { incorrect: {}, 'excuse-missed': { labels: ['ORG'], because: 'no: "colon"' } },
    });
  });

  it('is the same for a run just scored and one read from its folder', () => {
    expect(recipeYaml(resolved)).toBe(recipeYaml(JSON.parse(JSON.stringify(resolved)) as typeof resolved));
  });
});

describe('the page of a run', () => {
  const run = madeUpRun({
    folder: '/home/somebody/secret/run',
    resolved: { judge: { 'loc-in-org': { predicted: ['LOC'], gold: ['ORG'] } } },
    measures: {
      measures: [
        measure('f1', 0.775, { n: 60, interval: { low: 0.7, high: 0.83, level: 0.95, method: 'wilson' } }),
        measure('recall', null, { n: 0, undefined: 'there is no gold that counts' }),
        measure('precision', 0.5, { slice: { label: 'A|B' }, n: 4 }),
        measure('recall', null, { slice: { label: 'A|B' }, n: 0, undefined: 'there is no gold that counts' }),
        measure('f1', 0.5, { slice: { label: 'A|B' }, n: 4 }),
      ],
      rules: [rule('hit', 'pair', 3, { label: 'A|B' }), rule('hit', 'loc-in-org', 1, { label: 'A|B' })],
      confusion: [
        { scheme: null, kind: 'span', gold: 'ORG', predicted: 'LOC', n: 2 },
        { scheme: null, kind: 'span', gold: 'LOC', predicted: 'LOC', n: 5 },
        { scheme: null, kind: 'span', gold: 'ORG', predicted: null, n: 7 },
      ],
    },
    worst: [{ case: 'D08', missed: 5, spurious: 0, hit: 1 }],
  });
  const report = page(run);
  const rows = report.split('\n').filter((line) => line.startsWith('|'));

  it('has the measures with interval, and why one is not shown', () => {
    expect(rows).toContain('| f1 | **0.775** | 60 | 5 | 0.700 to 0.830 | wilson | higher | – | – | – | – |');
    expect(rows.filter((row) => row.startsWith('| recall |'))).toEqual([]);
    expect(report).toContain('- Not shown, undefined throughout: 1 row\n');
    expect(report).toContain('- recall: undefined: there is no gold that counts');
  });

  it('has labels, rules, confusions and worst cases', () => {
    expect(rows).toContain('| A\\|B | 0.500 | – | 0.500 | 4 | 4 |');
    expect(rows).toContain('| hit | span | loc-in-org | 1 | 25 % |');
    expect(rows).toContain('| ORG | LOC | 2 |');
    expect(rows).not.toContain('| LOC | LOC | 5 |');
    expect(rows).toContain('| D08 | 5 | 0 | 1 |');
  });

  it('says what to mind, how to read it, and which recipe was in force', () => {
    expect(report).toContain('- 1 of 4 hits (25 %) was made by the rule loc-in-org, not by pairing');
    expect(report).toContain('- **excused**: set aside by a rule of the recipe');
    expect(report).toContain('  loc-in-org: { predicted: [ LOC ], gold: [ ORG ] }');
    expect(report).toContain('```\nassay:0|task:pii\n```');
  });

  it('holds no folder name, so that a run elsewhere gives the same bytes', () => {
    expect(report).not.toContain('secret');
    expect(page({ ...run, folder: 'other' })).toBe(report);
  });

  it('keeps hostile labels and ids inside their cells', () => {
    const hostile = page(
      madeUpRun({
        recipe: { name: HOSTILE, about: HOSTILE },
        measures: {
          measures: [measure('f1', 0.5, { slice: { label: HOSTILE } })],
          rules: [rule('missed', HOSTILE, 1, { label: HOSTILE })],
        },
        worst: [{ case: HOSTILE, missed: 1, spurious: 0, hit: 0 }],
      }),
    );
    expect(hostile).not.toMatch(/<img|(?<!\\)\[x\]\(y\)/);
    expect(dangerous(hostile)).toEqual([]);
    const cells = (line: string): number => line.replaceAll('\\|', '').split('|').length;
    const worst = hostile.split('\n').filter((line) => line.startsWith('| a') || line.startsWith('| case'));
    expect(worst.length).toBeGreaterThan(1);
    expect(new Set(worst.filter((line) => cells(line) === 6))).toHaveLength(2);
  });
});
