import { describe, expect, it } from 'vitest';

import { escapedData, escapedProperty, gateAnnotations, gateJunit } from '../../src/report/gate-formats.ts';
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

describe('gateJunit', () => {
  it('has a test case for every check: failed is a failure, inconclusive an error, too small skipped', async () => {
    const gate = await judged(`rules:
  - { measure: f1, atLeast: 0.8 }
  - { measure: f1, atLeast: 0.7, minimum: { n: 99 } }
  - { measure: recall, each: label, atLeast: 0.8, minimum: { n: 6 }, small: skip }
`);
    const xml = gateJunit({ ...gate, run: { ...gate.run, folder: 'runs/b' } });
    // Read by Python's xml.etree and checked there: 4 test cases with failure, error, system-out, skipped.
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="assay gate" tests="4" failures="1" errors="1" skipped="1">
  <testsuite name="assay gate runs/b" tests="4" failures="1" errors="1" skipped="1">
    <properties>
      <property name="verdict" value="failed"/>
      <property name="rules" value="gate.yaml"/>
      <property name="run" value="runs/b"/>
      <property name="signature" value="assay:0|task:pii"/>
    </properties>
    <testcase name="f1 ≥ 0.8" classname="assay.gate" file="gate.yaml" line="2">
      <failure message="0.700 (95 % interval 0.550 to 0.800, n = 18, 4 cases), which is below 0.8." type="failed">0.700 (95 % interval 0.550 to 0.800, n = 18, 4 cases), which is below 0.8.</failure>
    </testcase>
    <testcase name="f1 ≥ 0.7" classname="assay.gate" file="gate.yaml" line="3">
      <error message="Found 0.700 (95 % interval 0.550 to 0.800, n = 18, 4 cases), but the rule wants n to be 99 or more." type="inconclusive">Found 0.700 (95 % interval 0.550 to 0.800, n = 18, 4 cases), but the rule wants n to be 99 or more.
Add cases, or ask for less with minimum.</error>
    </testcase>
    <testcase name="recall (label PERSON) ≥ 0.8" classname="assay.gate" file="gate.yaml" line="4">
      <system-out>0.900 (n = 10, 4 cases).</system-out>
    </testcase>
    <testcase name="recall (label LOC) ≥ 0.8" classname="assay.gate" file="gate.yaml" line="4">
      <skipped message="Found 0.500 (n = 5, 2 cases), but the rule wants n to be 6 or more."/>
    </testcase>
    <system-out>Worst cases
  c2  missed 4, spurious 0, hit 2
  c3  missed 2, spurious 2, hit 4
  c1  missed 0, spurious 1, hit 3
  c4  missed 1, spurious 0, hit 0
  assay explain runs/b --case c2 --case c3 --case c1 --case c4</system-out>
  </testsuite>
</testsuites>
`);
  });

  it('gives the same name to no two test cases', async () => {
    const gate = await judged(
      'rules: [{ measure: f1, atLeast: 0.6 }, { measure: f1, atLeast: 0.6, minimum: { n: 5 } }]',
    );
    const names = Array.from(gateJunit(gate).matchAll(/<testcase name="([^"]*)"/g), ([, name]) => name);
    expect(names).toEqual(['f1 ≥ 0.6', 'f1 ≥ 0.6 (rule 2)']);
  });

  it('is well formed whatever the names of labels and cases', async () => {
    const nasty = `${HOSTILE}]]><failure/>&"'\u0000\ufffe\uffff\ud800`;
    const gate = await judged('rules: [{ measure: f1, each: label, atLeast: 0.9 }]', {
      run: { measures: { measures: [measure('f1', 0.5), measure('f1', 0.1, { slice: { label: nasty } })] } },
      cases: [{ case: nasty, counts: { hit: 0, missed: 1, spurious: 0, excused: 0 } }],
      ledger: [{ case: nasty, kind: 'span', verdict: 'missed', rule: 'x', label: nasty }],
    });
    const xml = gateJunit(gate);
    // The characters that XML 1.0 allows.
    expect(xml).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
    // Only our own tags, and every & an entity.
    expect(new Set(Array.from(xml.matchAll(/<\/?([^\s>/?]*)/g), ([, tag]) => tag))).toEqual(
      new Set(['', 'testsuites', 'testsuite', 'properties', 'property', 'testcase', 'failure', 'system-out']),
    );
    expect(xml.match(/&(?!(?:amp|lt|gt|quot|#39);)/g)).toBeNull();
    expect(xml.match(/<failure/g)).toHaveLength(1);
  });
});
