import { describe, expect, it } from 'vitest';

import { escapedData, escapedProperty, gateAnnotations } from '../../src/report/gate-annotations.ts';
import { judged } from '../compare/gate/made-up-gate.ts';
import { HOSTILE, measure } from './made-up-run.ts';

describe('gateAnnotations', () => {
  it('has an error for what failed, a warning for what is inconclusive, and a notice of the whole', async () => {
    const gate = await judged(`rules:
  - { measure: f1, atLeast: 0.8 }
  - { measure: f1, atLeast: 0.5 }
  - { measure: f1, atLeast: 0.7, minimum: { n: 99 } }
`);
    expect(gateAnnotations(gate, 'eval/gate.yaml').split('\n')).toEqual([
      '::error file=eval/gate.yaml,line=2,title=f1 ≥ 0.8::0.700 (95 %25 interval 0.550 to 0.800, n = 18, 4 cases), which is below 0.8.',
      '::warning file=eval/gate.yaml,line=4,title=f1 ≥ 0.7::Found 0.700 (95 %25 interval 0.550 to 0.800, n = 18, 4 cases), but the rule wants n to be 99 or more.%0AAdd cases, or ask for less with minimum.',
      '::notice file=eval/gate.yaml,title=Gate failed::1 of 3 checks failed, 1 inconclusive, 1 passed',
      '',
    ]);
  });

  it('names no file where the rules are outside the repository', async () => {
    const gate = await judged('rules: [{ measure: f1, atLeast: 0.5 }]');
    expect(gateAnnotations(gate, null)).toBe('::notice title=Gate passed::1 check passed\n');
  });

  it('keeps names from the data within one command', async () => {
    const nasty = `100%, a: b::error::${HOSTILE}\r\n::error::boo`;
    const gate = await judged('rules: [{ measure: f1, each: label, atLeast: 0.9 }]', {
      run: { measures: { measures: [measure('f1', 0.5), measure('f1', 0.1, { slice: { label: nasty } })] } },
    });
    const [error = '', ...rest] = gateAnnotations(gate, 'gate.yaml').trimEnd().split('\n');
    expect(rest).toHaveLength(1);
    expect(error).toMatch(/^::error file=gate\.yaml,line=1,title=f1 \(label 100%25%2C a%3A b%3A%3Aerror%3A%3Aa␛/);
    // What stands between the name of the command and the message has no colon left.
    expect(error.slice(2).indexOf('::')).toBe(error.lastIndexOf('::') - 2);
  });

  it('stays within the ten of a level that GitHub shows', async () => {
    const labels = Array.from({ length: 25 }, (_, at) => measure('f1', 0.1, { slice: { label: `L${at}` } }));
    const gate = await judged('rules: [{ measure: f1, each: label, atLeast: 0.9 }]', {
      run: { measures: { measures: [measure('f1', 0.1), ...labels] } },
    });
    const errors = gateAnnotations(gate, null)
      .split('\n')
      .filter((line) => line.startsWith('::error'));
    expect(errors).toHaveLength(10);
    expect(errors[9]).toBe('::error title=assay gate::16 more checks: see the output of the step');
  });
});

describe('escaping', () => {
  it('follows the runner: % first, line breaks, and in properties : and , too', () => {
    expect(escapedData('100 %\r\n%0A: ,')).toBe('100 %25%0D%0A%250A: ,');
    expect(escapedProperty('a: b, 5 %')).toBe('a%3A b%2C 5 %25');
  });
});
