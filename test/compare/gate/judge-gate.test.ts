import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import type { CompareOptions } from '../../../src/compare/compare-runs.ts';
import { judgeGate, verdictOf } from '../../../src/compare/gate/judge-gate.ts';
import { parseRules } from '../../../src/compare/gate/rules.ts';
import { comparison, difference } from '../../report/made-up-comparison.ts';
import { measure, temporaryFolder } from '../../report/made-up-run.ts';
import { baselineFolder, CASES, judged, LEDGER, SPREAD, VALUES } from './made-up-gate.ts';

const rules = (...lines: string[]): string => `rules:\n${lines.map((one) => `  - ${one}\n`).join('')}`;
const verdicts = async (...args: Parameters<typeof judged>) =>
  (await judged(...args)).checks.map(({ verdict }) => verdict);

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  return error instanceof UsageError ? `${error.message} | ${error.next ?? ''}` : String(error);
}

describe('a gate', () => {
  it('fails if any check failed, else is inconclusive if any check is, else passes', async () => {
    const floors = (f1: number, precision: number): string =>
      rules(`{ measure: f1, atLeast: ${f1}, sure: true }`, `{ measure: precision, atLeast: ${precision} }`);
    expect(await judged(floors(0.5, 0.7))).toMatchObject({ verdict: 'passed' });
    expect(await judged(floors(0.6, 0.7))).toMatchObject({ verdict: 'inconclusive' });
    expect(await judged(floors(0.5, 0.8))).toMatchObject({ verdict: 'failed' });
    expect(await judged(floors(0.6, 0.8))).toMatchObject({ verdict: 'failed' });
  });

  it('that has looked at nothing has not passed', () => {
    expect(verdictOf([])).toBe('inconclusive');
    expect(verdictOf([{ verdict: 'skipped' }, { verdict: 'passed' }])).toBe('passed');
  });

  it('takes shares from the cases of the run', async () => {
    expect(await verdicts(rules('failed: { atMost: 0 }', 'unanswered: { atMost: 0.25 }'))).toEqual([
      'passed',
      'passed',
    ]);
    expect(await verdicts(rules('unanswered: { atMost: 0.24 }'))).toEqual(['failed']);
    // One case of four has no precision.
    expect(await verdicts(rules('{ measure: precision, undefined: { atMost: 0.25 } }'))).toEqual(['passed']);
    expect(await verdicts(rules('{ measure: precision, undefined: { atMost: 0.2 } }'))).toEqual(['failed']);
    const failed = { run: { measures: { measures: VALUES, cases: { total: 4, failed: 1, unanswered: 1 } } } };
    expect(await verdicts(rules('failed: { atMost: 0.2 }'), failed)).toEqual(['failed']);
  });
});

describe('slices', () => {
  it('are checked one at a time', async () => {
    expect(await verdicts(rules('{ measure: recall, slice: { label: PERSON }, atLeast: 0.9 }'))).toEqual(['passed']);
    expect(await verdicts(rules('{ measure: recall, slice: { label: LOC }, atLeast: 0.9 }'))).toEqual(['failed']);
  });

  it('or each of them, those below the minimum as inconclusive or skipped', async () => {
    const each = (more: string): string => rules(`{ measure: recall, each: label, atLeast: 0.8, ${more} }`);
    const found = await judged(each('minimum: { n: 1 }'));
    expect(found.checks.map(({ slice, verdict }) => [slice, verdict])).toEqual([
      [{ label: 'PERSON' }, 'passed'],
      [{ label: 'LOC' }, 'failed'],
    ]);
    expect(await verdicts(each('minimum: { n: 6 }'))).toEqual(['passed', 'inconclusive']);
    expect(await verdicts(each('minimum: { n: 6 }, small: inconclusive'))).toEqual(['passed', 'inconclusive']);
    // The former name.
    expect(await verdicts(each('minimum: { n: 6 }, small: cannot-tell'))).toEqual(['passed', 'inconclusive']);
    expect(await verdicts(each('minimum: { cases: 3 }, small: skip'))).toEqual(['passed', 'skipped']);
  });

  it('that were all skipped leave the rule undecided', async () => {
    const found = await judged(
      rules('{ measure: recall, each: label, atLeast: 0.8, minimum: { n: 99 }, small: skip }'),
    );
    expect(found.verdict).toBe('inconclusive');
    expect(found.checks.map(({ verdict, reason }) => [verdict, reason.kind])).toEqual([
      ['skipped', 'too-few'],
      ['skipped', 'too-few'],
      ['inconclusive', 'all-skipped'],
    ]);
  });

  it('that do not occur are inconclusive, with the name that comes near', async () => {
    const found = await judged(rules('{ measure: recall, slice: { label: PERSN }, atLeast: 0.9 }'));
    expect(found.checks).toMatchObject([
      { verdict: 'inconclusive', reason: { kind: 'absent', near: ['label PERSON'] } },
    ]);
    const none = { run: { measures: { measures: VALUES.slice(0, 5) } } };
    expect(await verdicts(rules('{ measure: recall, each: label, atLeast: 0.9 }'), none)).toEqual(['inconclusive']);
  });

  it('of a scheme and a label are found whatever the order of the keys', async () => {
    const both = [measure('f1', 0.7), measure('f1', 0.4, { slice: { scheme: 'exact', label: 'LOC' } })];
    const run = { resolved: { slice: ['label'], schemes: { exact: {} } }, measures: { measures: both } };
    const rule = rules('{ measure: f1, slice: { label: LOC, scheme: exact }, atLeast: 0.5 }');
    expect(await verdicts(rule, { run })).toEqual(['failed']);
    expect(
      await verdicts(rules('{ measure: f1, slice: { scheme: exact }, each: label, atLeast: 0.5 }'), { run }),
    ).toEqual(['failed']);
  });
});

describe('rules that do not fit the run', () => {
  it.each([
    ['{ measure: f11, atLeast: 0.5 }', 'rule 1 measure: the run has no measure f11 (did you mean f1?)'],
    ['{ measure: xyz, atLeast: 0.5 }', '(measures: precision, recall, f1, macro_f1, over_extraction)'],
    [
      '{ measure: recall, each: lable, atLeast: 0.5 }',
      'rule 1 each: the run has no values by lable (did you mean label?)',
    ],
    [
      '{ measure: recall, slice: { age: old }, atLeast: 0.5 }',
      'rule 1 slice.age: the run has no values by age (it has them by: label)',
    ],
    ['{ measure: macro_f1, each: label, atLeast: 0.5 }', 'rule 1 each: macro_f1 has no values by label'],
    ['{ measure: macro_f1, undefined: { atMost: 0.5 } }', 'rule 1 measure: macro_f1 has no value per case'],
    ['{ measure: f1, atMost: 0.5 }', 'rule 1 atMost: higher is better for f1 (say atLeast)'],
    ['{ measure: over_extraction, atLeast: 0.5 }', 'rule 1 atLeast: lower is better for over_extraction (say atMost)'],
    ['{ measure: f1, atLeast: 80 }', 'f1 lies between 0 and 1, so the rule could never be met (did you mean 0.8?)'],
    ['{ measure: over_extraction, atMost: -1 }', 'could never be met'],
    [
      '{ measure: f1, notWorseThan: { margin: 0.1 } }',
      'rule 1 notWorseThan: needs a run to compare with (give --baseline RUN)',
    ],
  ])('are refused: %s', async (rule, message) => {
    const said = await refusal(judged(rules(rule)));
    expect(said).toContain('gate.yaml:2: rule 1 ');
    expect(said).toContain(message);
  });

  it.each([
    '{ measure: f1, atLeast: 0 }',
    '{ measure: f1, atLeast: -1 }',
    '{ measure: f1, notWorseThan: { margin: 1 } }',
    '{ measure: f1, notWorseThan: { margin: 2 } }',
    'failed: { atMost: 1 }',
  ])('could never block and are refused: %s', async (rule) => {
    expect(await refusal(judged(rules(rule), { options: { baseline: baselineFolder() } }))).toContain(
      'could never block',
    );
  });

  it('have no lowest value to fall short of where the measure has none', async () => {
    const value = measure('compression', 0.7, { n: 4, units: 4, range: [null, 1], cases: SPREAD });
    const run = { measures: { measures: [value] } };
    expect(await verdicts(rules('{ measure: compression, atLeast: -0.5 }'), { run })).toEqual(['passed']);
    expect(await verdicts(rules('{ measure: compression, atLeast: 0.8 }'), { run })).toEqual(['failed']);
    expect(await refusal(judged(rules('{ measure: compression, atLeast: 2 }'), { run }))).toContain(
      'compression lies between any number and 1, so the rule could never be met',
    );
  });

  it('are all named at once, those of the file and those of the run, in the order of the lines', async () => {
    const said = await refusal(
      judged(rules('{ measure: f11, atLeast: 0.5 }', 'failed: { atMost: 2 }', '{ measure: f1, atLeast: 9 }')),
    );
    expect(said.match(/gate\.yaml:\d/g)).toEqual(['gate.yaml:2', 'gate.yaml:3', 'gate.yaml:4']);
  });
});

describe('a baseline', () => {
  const margin = rules('{ measure: f1, notWorseThan: { margin: 0.02 } }');
  const interval = (low: number, high: number) => ({ low, high, level: 0.95, method: 'bootstrap-percentile' });

  it('is compared by the measures that rules name, over slices only where they are wanted', async () => {
    const asked: [readonly string[], CompareOptions][] = [];
    const compare = (folders: readonly string[], options: CompareOptions) => {
      asked.push([folders, options]);
      return Promise.resolve(comparison([difference('f1'), difference('recall', { slice: { label: 'LOC' } })]));
    };
    const baseline = baselineFolder();
    const { run } = await judged(rules('failed: { atMost: 0 }'));
    await judgeGate(run.folder, parseRules(margin, 'g'), compare, { baseline });
    const sliced = rules('{ measure: recall, each: label, notWorseThan: { margin: 0.1 } }');
    await judgeGate(run.folder, parseRules(sliced, 'g'), compare, { baseline, force: true });
    await judgeGate(run.folder, parseRules(rules('failed: { atMost: 0 }'), 'g'), compare, { baseline });
    expect(asked).toEqual([
      [[baseline, run.folder], { bounds: 'studentised', also: ['f1'], slices: false, moved: 0 }],
      [[baseline, run.folder], { bounds: 'studentised', force: true, also: ['recall'], slices: true, moved: 0 }],
    ]);
  });

  it.each([
    [0.001, 0.05, 'passed'],
    [-0.1, -0.05, 'failed'],
    [-0.1, 0.05, 'inconclusive'],
  ])('decides by the interval of the difference: %d to %d has %s', async (low, high, verdict) => {
    const compared = comparison([difference('f1', { difference: (low + high) / 2, interval: interval(low, high) })]);
    expect(await judged(margin, { compared, options: { baseline: baselineFolder() } })).toMatchObject({ verdict });
  });

  it('is looked up by slice', async () => {
    const compared = comparison([
      difference('recall', { interval: interval(-0.5, -0.4) }),
      difference('recall', { slice: { label: 'PERSON' }, interval: interval(0.01, 0.02) }),
      difference('recall', { slice: { label: 'LOC' }, interval: interval(-0.3, -0.1) }),
    ]);
    const rule = rules('{ measure: recall, each: label, notWorseThan: { margin: 0.05 } }');
    expect(await verdicts(rule, { compared, options: { baseline: baselineFolder() } })).toEqual(['passed', 'failed']);
  });

  it('with which nothing can be compared is not taken for equal', async () => {
    const gone = comparison([difference('recall')]);
    expect(await verdicts(margin, { compared: gone, options: { baseline: baselineFolder() } })).toEqual([
      'inconclusive',
    ]);
    const failed = { run: { measures: { measures: VALUES, cases: { total: 4, failed: 4, unanswered: 0 } } } };
    const found = await judged(margin, { ...failed, options: { baseline: baselineFolder() } });
    expect(found.checks).toMatchObject([
      { verdict: 'inconclusive', reason: { kind: 'undefined', why: 'the run failed on every case' } },
    ]);
  });

  it('that is the run itself, also through a link, is refused', async () => {
    const { run } = await judged(rules('failed: { atMost: 0 }'));
    const link = join(temporaryFolder(), 'link');
    symlinkSync(run.folder, link);
    for (const baseline of [run.folder, link])
      expect(
        await refusal(
          judgeGate(run.folder, parseRules(margin, 'g'), () => Promise.resolve(comparison()), { baseline }),
        ),
      ).toContain('is the run itself');
  });
});

describe('the cases to look at', () => {
  const ids = async (...args: Parameters<typeof judged>) =>
    (await judged(...args)).cases.map((list) => [list.kind, list.total, ...list.cases.map((one) => one.case)]);

  it('are those with the errors that the measure is about', async () => {
    expect(await ids(rules('{ measure: f1, atLeast: 0.9 }'))).toEqual([['errors', 4, 'c2', 'c3', 'c1', 'c4']]);
    expect(await ids(rules('{ measure: recall, atLeast: 0.9 }'))).toEqual([['errors', 3, 'c2', 'c3', 'c4']]);
    expect(await ids(rules('{ measure: precision, atLeast: 0.9 }'))).toEqual([['errors', 2, 'c3', 'c1']]);
  });

  it('of a label are counted in the ledger', async () => {
    const found = await judged(rules('{ measure: recall, slice: { label: LOC }, atLeast: 0.9 }'));
    expect(found.cases).toEqual([
      {
        kind: 'errors',
        slice: { label: 'LOC' },
        by: 'missed',
        total: 2,
        cases: [
          { case: 'c2', missed: 2, spurious: 0, hit: 0 },
          { case: 'c3', missed: 1, spurious: 1, hit: 0 },
        ],
      },
    ]);
  });

  it('of a label are counted by the tokens that each line stands for', async () => {
    const ledger = [
      { ...LEDGER[0]!, case: 'c2' },
      { ...LEDGER[0]!, case: 'c3', weight: 3 },
      { ...LEDGER[4]!, case: 'c3', weight: 2 },
    ];
    const found = await judged(rules('{ measure: recall, slice: { label: LOC }, atLeast: 0.9 }'), { ledger });
    expect(found.cases[0]!.cases).toEqual([
      { case: 'c3', missed: 3, spurious: 2, hit: 0 },
      { case: 'c2', missed: 1, spurious: 0, hit: 0 },
    ]);
  });

  it('are those without an answer or a value, or that failed, with the reason', async () => {
    expect(await ids(rules('unanswered: { atMost: 0 }', '{ measure: precision, undefined: { atMost: 0 } }'))).toEqual([
      ['unanswered', 1, 'c4'],
      ['undefined', 1, 'c4'],
    ]);
    const failed = {
      run: { measures: { measures: VALUES, cases: { total: 5, failed: 1, unanswered: 1 } } },
      cases: [...CASES, { case: 'c5', counts: { hit: 0, missed: 0, spurious: 0, excused: 1 }, failed: 'timeout' }],
    };
    expect((await judged(rules('failed: { atMost: 0 }'), failed)).cases).toEqual([
      { kind: 'failed', slice: {}, total: 1, cases: [{ case: 'c5', why: 'timeout' }] },
    ]);
  });

  it('of a measure that counts no errors are those with the worst value', async () => {
    const worst = async (direction: 'higher' | 'lower', rule: string) => {
      const accuracy = measure('tone_accuracy', 0.5, { cases: SPREAD, direction });
      const found = await judged(rules(`{ measure: tone_accuracy, ${rule} }`), {
        run: {
          resolved: { slice: ['label'], measure: { tone_accuracy: { of: 'accuracy' } } },
          measures: { measures: [accuracy] },
        },
        cases: CASES.map((one, at) => ({ ...one, measures: { tone_accuracy: [1, 0.2, 0.7, null][at]! } })),
      });
      return found.cases;
    };
    expect(await worst('higher', 'atLeast: 0.9')).toMatchObject([
      {
        kind: 'values',
        total: 2,
        cases: [
          { case: 'c2', value: 0.2 },
          { case: 'c3', value: 0.7 },
        ],
      },
    ]);
    expect(await worst('lower', 'atMost: 0.1')).toMatchObject([
      {
        kind: 'values',
        total: 3,
        cases: [
          { case: 'c1', value: 1 },
          { case: 'c3', value: 0.7 },
          { case: 'c2', value: 0.2 },
        ],
      },
    ]);
  });

  it('of a comparison are those that became worse', async () => {
    const compared = comparison([
      difference('f1', { interval: { low: -0.3, high: -0.1, level: 0.95, method: 'bootstrap-percentile' } }),
    ]);
    const rule = rules('{ measure: f1, notWorseThan: { margin: 0.05 } }');
    const found = await judged(rule, { compared, options: { baseline: baselineFolder() } });
    expect(found.cases).toEqual([
      { kind: 'moved', slice: {}, measure: 'f1', total: 1, cases: [{ case: 'c2', baseline: 0.9, other: 0.5 }] },
    ]);
  });

  it('are not looked for where all is passed or there is too little data', async () => {
    expect(await ids(rules('{ measure: f1, atLeast: 0.6 }'))).toEqual([]);
    expect(await ids(rules('{ measure: f1, atLeast: 0.9, minimum: { n: 99 } }'))).toEqual([]);
  });
});
