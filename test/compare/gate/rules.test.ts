import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { InputError, problemText } from '../../../src/data/problems.ts';
import { parseRules, readRules } from '../../../src/compare/gate/rules.ts';
import { temporaryFolder } from '../../report/made-up-run.ts';

const rules = (...lines: string[]) =>
  parseRules(['rules:', ...lines.map((line) => `  ${line}`), ''].join('\n'), 'g.yaml');
const problems = (...lines: string[]): string[] => rules(...lines).problems.map(problemText);

describe('rules', () => {
  it('are read with their place and their usual settings', () => {
    const { rules: read, problems: wrong } = rules(
      '- measure: f1',
      '  atLeast: 0.8',
      '- measure: recall',
      '  slice: { scheme: exact }',
      '  each: label',
      '  atMost: 0.9',
      '  sure: true',
      '  small: skip',
      '  minimum: { n: 30, cases: 20 }',
      '- measure: f1',
      '  notWorseThan: { margin: 0.02 }',
    );
    expect(wrong).toEqual([]);
    expect(read).toEqual([
      {
        kind: 'floor',
        number: 1,
        line: 2,
        minimum: { n: 0, cases: 0 },
        measure: 'f1',
        slice: {},
        each: null,
        skipSmall: false,
        side: 'atLeast',
        limit: 0.8,
        sure: false,
      },
      {
        kind: 'floor',
        number: 2,
        line: 4,
        minimum: { n: 30, cases: 20 },
        measure: 'recall',
        slice: { scheme: 'exact' },
        each: 'label',
        skipSmall: true,
        side: 'atMost',
        limit: 0.9,
        sure: true,
      },
      {
        kind: 'margin',
        number: 3,
        line: 11,
        minimum: { n: 0, cases: 0 },
        measure: 'f1',
        slice: {},
        each: null,
        skipSmall: false,
        margin: 0.02,
      },
    ]);
  });

  it('may limit shares of cases', () => {
    const { rules: read } = rules(
      '- failed: { atMost: 0.01 }',
      '- unanswered: { atMost: 0 }',
      '- { measure: f1, undefined: { atMost: 0.1 }, minimum: { cases: 5 } }',
    );
    expect(read).toMatchObject([
      { kind: 'share', of: 'failed', measure: null, limit: 0.01, line: 2 },
      { kind: 'share', of: 'unanswered', measure: null, limit: 0, line: 3 },
      { kind: 'share', of: 'undefined', measure: 'f1', limit: 0.1, minimum: { n: 0, cases: 5 } },
    ]);
  });

  it.each([
    ['', 'g.yaml: rules: expected a list of rules, found nothing'],
    ['rules:\n', 'g.yaml:1: rules: expected a list of rules, found nothing'],
    ['rules: []\n', 'g.yaml:1: rules: expected a list of rules, found an empty list: it could never block'],
    ['rules: all\n', 'found "all"'],
    ['- measure: f1\n', 'expected a list of rules, found a list of 1'],
  ])('that are none are refused, since such a gate could not block: %j', (text, message) => {
    const found = parseRules(text, 'g.yaml');
    expect(found.rules).toEqual([]);
    expect(found.problems.map(problemText).join('\n')).toContain(message);
  });

  it.each([
    [['- measure: f1'], 'g.yaml:2: rule 1: it demands nothing (say one of atLeast, atMost, notWorseThan'],
    [['- { measure: f1, atLeast: 0.5, failed: { atMost: 0 } }'], 'rule 1: it demands atLeast and failed'],
    [['- atLeast: 0.5'], 'rule 1: atLeast needs a measure'],
    [['- undefined: { atMost: 0.5 }'], 'rule 1: undefined needs a measure'],
    [['- measure: f1', '  failed: { atMost: 0 }'], 'g.yaml:2: rule 1 measure: failed counts cases'],
    [['- failed: { atMost: 0 }', '  each: label'], 'g.yaml:3: rule 1 each: failed is about all cases'],
    [['- failed: { atMost: 0 }', '  minimum: { n: 3 }'], 'g.yaml:3: rule 1 minimum.n: a share is over cases'],
    [
      ['- { measure: f1, notWorseThan: { margin: 0.1 }, sure: true }'],
      'rule 1 sure: notWorseThan goes by the interval',
    ],
    [['- { measure: f1, atLeast: 0.5, small: skip }'], 'rule 1 small: it is for slices below a minimum'],
    [['- { measure: f1, atLeast: 0.5, each: label, small: skip }'], 'say each and minimum'],
    [
      ['- { measure: f1, atLeast: 0.5, each: label, slice: { label: A } }'],
      'rule 1 each: slice already sets the label',
    ],
    [['- failed: { atMost: 1 }'], 'rule 1 failed.atMost: no share is larger than 1, so the rule could never block'],
    [['- { measure: f1, undefined: { atMost: 1 } }'], 'could never block'],
    [['- unanswered: { atMost: -1 }'], 'rule 1 unanswered.atMost: expected a number of at least 0, found -1'],
    [
      ['- { measure: f1, notWorseThan: { margin: -0.1 } }'],
      'rule 1 notWorseThan.margin: expected a number of at least 0, found -0.1',
    ],
    [['- { measure: f1, notWorseThan: 0.1 }'], 'rule 1 notWorseThan: expected a mapping, found 0.1'],
    [['- { measure: f1, atLeast: "0.8" }'], 'rule 1 atLeast: expected a number, found "0.8"'],
    [['- { measure: f1, atLeast: .nan }'], 'rule 1 atLeast: expected a number'],
    [
      ['- { measure: f1, atLeast: 0.5, minimum: { n: 0 } }'],
      'rule 1 minimum.n: expected a number of at least 1, found 0',
    ],
    [
      ['- { measure: f1, atLeast: 0.5, slice: { year: 2024 } }'],
      'rule 1 slice.year: expected text, found 2024 (write it in quotes)',
    ],
    [['- { messure: f1, atLeast: 0.5 }'], 'there is no setting called messure (did you mean measure?)'],
    [['- { measure: f1, atLeast: 0.5, minimum: { case: 3 } }'], 'no setting called case (did you mean minimum.cases?)'],
    [['- f1'], 'g.yaml:2: rule 1: expected a mapping, found "f1"'],
  ])('that say something that cannot be are refused with the place: %j', (lines, message) => {
    expect(problems(...lines).join('\n')).toContain(message);
  });

  it('have all their problems said at once, and the rules that are right kept apart', () => {
    const found = parseRules(
      'rule: 1\nrules:\n  - { measure: f1 }\n  - { measure: f1, atLeast: 0.5 }\n  - x\n',
      'g.yaml',
    );
    expect(found.problems.map(({ line }) => line)).toEqual(expect.arrayContaining([1, 3, 5]));
    expect(found.problems).toHaveLength(3);
    expect(found.rules.map(({ number }) => number)).toEqual([2]);
  });

  it('that are no YAML, or a trap, are refused', () => {
    expect(() => parseRules('rules: [', 'g.yaml')).toThrow(InputError);
    expect(() => parseRules('rules:\n  - { __proto__: { measure: f1 } }\n', 'g.yaml')).toThrow(
      /no setting can be called so/,
    );
    expect(() => parseRules(`rules: ${'['.repeat(20_000)}`, 'g.yaml')).toThrow(InputError);
  });

  it('are looked for in a file that is there and is no folder', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'sub'));
    expect(() => readRules(join(folder, 'gate.yaml'))).toThrow(/rules file not found: .*gate\.yaml/);
    expect(() => readRules(join(folder, 'sub'))).toThrow(/is a folder/);
  });
});
