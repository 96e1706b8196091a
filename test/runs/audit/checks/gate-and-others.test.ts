import { describe, expect, test } from 'vitest';

import { gateCannotFail } from '../../../../src/runs/audit/checks/gate-cannot-fail.ts';
import { otherSignatures } from '../../../../src/runs/audit/checks/other-signatures.ts';
import { parseRules } from '../../../../src/runs/gate/read-rules.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

// 3 hits, 1 missed, 1 spurious: F1 0.75.
const cases = times(4, (at) => spanCase(`c${at}`, ['A 0'], at === 3 ? ['A 50'] : ['A 0']));
const gate = (...rules: readonly string[]) =>
  parseRules(`rules:\n${rules.map((rule) => `  - ${rule}\n`).join('')}`, 'gate.yaml');

describe('a gate', () => {
  test('whose rules no run could break is an error', async () => {
    const rules = gate(
      '{ measure: f1, atLeast: 0 }',
      '{ measure: f1, notWorseThan: { margin: 1 } }',
      '{ measure: f1, atLeast: 0.5 }',
    );
    const { said, findings } = await look(gateCannotFail, STRICT, cases, { gate: rules });
    expect(said).toEqual([
      'error: Rule 1 of the gate (line 2) can block nothing: f1 lies between 0 and 1, so every value is at least 0',
      'error: Rule 2 of the gate (line 3) can block nothing: f1 lies between 0 and 1, so no drop is larger than 1',
    ]);
    expect(findings.map(({ subjects }) => subjects)).toEqual([['rule 1'], ['rule 2']]);
  });

  test('whose margin lets the value fall to nothing is a warning', async () => {
    const { said } = await look(gateCannotFail, STRICT, cases, {
      gate: gate('{ measure: f1, notWorseThan: { margin: 0.8 } }'),
    });
    expect(said).toEqual([
      'warning: Rule 1 of the gate (line 2) can block nothing: f1 is 0.750 now: with a margin of 0.8 it could fall to the worst value there is',
    ]);
  });

  test('with rules for what the run does not have is a warning', async () => {
    const rules = gate('{ measure: macro_f1, atLeast: 0.5 }', '{ failed: { atMost: 1 } }');
    expect((await look(gateCannotFail, STRICT, cases, { gate: rules })).said).toEqual([
      'warning: Rule 2 of the gate cannot be judged on this run: no share is larger than 1, so the rule could never block',
      'warning: Rule 1 of the gate cannot be judged on this run: the run has no measure macro_f1',
    ]);
  });

  test('that can block is left alone, and without one nobody looks', async () => {
    const rules = gate(
      '{ measure: f1, atLeast: 0.7 }',
      '{ measure: f1, notWorseThan: { margin: 0.02 } }',
      '{ failed: { atMost: 0 } }',
    );
    expect((await look(gateCannotFail, STRICT, cases, { gate: rules })).said).toEqual([]);
    expect((await look(gateCannotFail, STRICT, cases)).skipped).toBe('no rules of a gate were given (--gate FILE)');
  });
});

describe('runs that are compared', () => {
  test('and were scored by different rules, or over other cases, are an error', async () => {
    const { run: other } = await look(otherSignatures, { ...STRICT, pair: { gate: [], similarity: 'exact' } }, cases);
    const { said, findings } = await look(otherSignatures, STRICT, cases, { others: [{ ...other, folder: 'runs/b' }] });
    expect(said).toEqual(['error: b was not scored like the baseline: 1 difference']);
    expect(findings[0]!.items.shown[0]!.text).toContain('pair.span.accept.0.gate');
  });

  test('are left alone where they were scored alike, whatever was predicted', async () => {
    const { run: other } = await look(
      otherSignatures,
      STRICT,
      cases.map((one) => ({ ...one, predicted: [] })),
    );
    expect((await look(otherSignatures, STRICT, cases, { others: [other] })).said).toEqual([]);
    expect((await look(otherSignatures, STRICT, cases)).skipped).toBe('no other run was given to compare with');
  });
});
