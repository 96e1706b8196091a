import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { comparisonShape } from '../../src/compare/comparison.ts';
import { poolingRemarks, poolingWord, poolsDiffer } from '../../src/report/pooling.ts';
import { assayHere } from '../cli/assay-here.ts';
import { temporaryFolder } from '../cli/run-assay.ts';
import { scoreWith } from '../recipe/score-with.ts';
import { caseOf, span } from '../pair/items.ts';

describe('pooled values and means of cases', () => {
  it('are told apart as the recipe makes them', async () => {
    // Recall 1/1 and 1/3: 2/4 pooled, 2/3 as the mean of the cases.
    const cases = [
      caseOf({ id: 'a', gold: [span(0, 1)], predicted: [span(0, 1)] }),
      caseOf({ id: 'b', gold: [span(0, 1), span(2, 3), span(4, 5)], predicted: [span(0, 1)] }),
    ];
    const measure = {
      recall: {},
      case_recall: { of: 'case-mean', measure: 'recall' },
      share: { of: 'case-share', measure: 'recall', atLeast: 0.5, direction: 'higher' },
    };
    const { measures } = await scoreWith({ extends: 'spans/strict', measure }, cases);
    const overall = measures.filter(({ slice, name }) => Object.keys(slice).length === 0 && name in measure);
    expect(overall.map((value) => [value.name, value.value, poolingWord(value)])).toEqual([
      ['recall', 0.5, 'pooled'],
      ['case_recall', expect.closeTo(2 / 3, 12), 'case mean'],
      ['share', 0.5, 'pooled'],
    ]);
    expect(poolsDiffer(overall)).toBe(true);
    expect(poolingRemarks(overall)).toEqual([
      'case mean (the mean of the cases’ own values, each case counting the same): case_recall; other values pool all cases',
    ]);
    expect(poolingRemarks(overall.slice(1, 2))).toEqual([]);
    expect(poolingRemarks(overall.slice(0, 1))).toEqual([]);
  });

  it('are told apart by a comparison of two runs, repeats, a sweep, a gate and the summary of several systems', async () => {
    const row = (right: number, id: string): string => {
      const spans = [0, 4, 8].map((start) => ({ start, end: start + 3, label: 'A' }));
      return JSON.stringify({ id, text: 'abc def ghi', gold: spans, predicted: spans.slice(0, right) });
    };
    const cwd = temporaryFolder();
    const recipe = 'extends: spans/strict\nmeasure: { recall: {}, case_recall: { of: case-mean, measure: recall } }\n';
    writeFileSync(join(cwd, 'recipe.yaml'), recipe);
    for (const [name, rights] of [
      ['old', [3, 1, 2, 0]],
      ['new', [3, 2, 2, 1]],
    ] as const) {
      // prettier-ignore
      writeFileSync(join(cwd, `${name}.jsonl`), rights.map((right, at) => row(right, `d${at}`)).join('\n'));
      await assayHere(['score', 'recipe.yaml', '--cases', `${name}.jsonl`, '--out', name, '--no-report'], { cwd });
    }
    const printed = (await assayHere(['compare', 'old', 'new'], { cwd })).stdout.replaceAll(/\s+/g, ' ');
    expect(printed).toContain('each case counting the same): case_recall; other values pool all cases');
    const { stdout } = await assayHere(['compare', 'old', 'new', '--json'], { cwd });
    const { measures } = comparisonShape.parse(JSON.parse(stdout));
    expect(measures.map(({ name, meanOfCases }) => [name, meanOfCases])).toEqual(
      expect.arrayContaining([
        ['recall', undefined],
        ['case_recall', true],
      ]),
    );
    const named = 'each case counting the same): case_recall; other values pool all cases';
    const rules = ['recall', 'case_recall'].map((measure) => `  - { measure: ${measure}, atLeast: 0.1 }`);
    writeFileSync(join(cwd, 'gate.yaml'), `rules:\n${rules.join('\n')}\n`);
    for (const command of [
      ['repeats', 'old', 'new'],
      ['gate', 'old'],
      // prettier-ignore
      ['score', 'recipe.yaml', '--gold', 'old.jsonl', '--predictions', 'a=old.jsonl', '--predictions', 'b=new.jsonl'],
      [
        'sweep',
        'recipe.yaml',
        '--cases',
        'old.jsonl',
        '--over',
        'pair.assign=greedy,optimal',
        '--measure',
        'recall,case_recall',
      ],
    ]) {
      const text = (await assayHere(command, { cwd })).stdout.replaceAll(/\s+/g, ' ');
      expect(text).toContain('case_recall');
      expect(text).toContain(named);
    }
  });
});
