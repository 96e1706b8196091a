import { describe, expect, it } from 'vitest';

import { gateJunit } from '../../src/report/gate-junit.ts';
import { judged } from '../compare/gate/made-up-gate.ts';
import { HOSTILE, measure } from './made-up-run.ts';

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
