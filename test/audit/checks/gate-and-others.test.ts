import { describe, expect, test } from 'vitest';

import { gateCannotFail, differentSignatures } from '../../../src/audit/checks/claims.ts';
import { parseRules } from '../../../src/compare/gate/rules.ts';
import { AuditWatch } from '../../../src/audit/audit-watch.ts';
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

  test('whose share of cases is 1 is an error, whatever it counts', async () => {
    const rules = gate('{ failed: { atMost: 1 } }', '{ measure: f1, undefined: { atMost: 1.5 } }');
    const { said, findings } = await look(gateCannotFail, STRICT, cases, { gate: rules });
    expect(said).toEqual([
      'error: Rule 1 of the gate (line 2) can block nothing: no share of cases is larger than 1',
      'error: Rule 2 of the gate (line 3) can block nothing: no share of cases is larger than 1',
    ]);
    expect(findings.map(({ subjects }) => subjects)).toEqual([['rule 1'], ['rule 2']]);
  });

  test('with rules for what the run does not have is a warning', async () => {
    const rules = gate('{ measure: macro_f1, atLeast: 0.5 }', '{ failed: { atMost: -1 } }');
    const { said } = await look(gateCannotFail, STRICT, cases, { gate: rules });
    expect(said).toHaveLength(2);
    expect(said[0]).toMatch(/^warning: Rule 2 of the gate cannot be judged on this run: /);
    expect(said[1]).toBe('warning: Rule 1 of the gate cannot be judged on this run: the run has no measure macro_f1');
  });

  test('whose limits hardly any run would miss is a warning with the value and the limit', async () => {
    // 1 missed of 4, and as many predicted as there are in gold.
    const recipe = {
      ...STRICT,
      measure: {
        f1: {},
        over_extraction: {},
        lost: { of: 'verdict-share', verdict: 'missed', among: ['hit', 'missed'] },
        losses: { of: 'count', verdict: 'missed' },
      },
    };
    const rules = gate(
      '{ measure: f1, atLeast: 0.0000001 }',
      '{ measure: f1, atLeast: 0.01 }',
      '{ measure: lost, atMost: 0.99 }',
      '{ measure: f1, notWorseThan: { margin: 0.5 } }',
      '{ measure: over_extraction, atMost: 1000 }',
      '{ measure: losses, notWorseThan: { margin: 100 } }',
      '{ failed: { atMost: 0.99 } }',
      '{ measure: f1, undefined: { atMost: 0.995 } }',
    );
    const hardly = (rule: number, because: string): string =>
      `warning: Rule ${rule} of the gate (line ${rule + 1}) would pass whatever the system does, or nearly so: ${because}`;
    expect((await look(gateCannotFail, recipe, cases, { gate: rules })).said).toEqual([
      hardly(1, 'f1 is 0.750 now and need only be at least 1e-7, of a range from 0 to 1'),
      hardly(2, 'f1 is 0.750 now and need only be at least 0.01, of a range from 0 to 1'),
      hardly(3, 'lost is 0.250 now and need only be at most 0.99, of a range from 0 to 1'),
      hardly(4, 'f1 is 0.750 now and may fall by 0.5, half of its range from 0 to 1 or more'),
      hardly(5, 'over_extraction is 1.000 now and may be 1,000, 100 times that or more'),
      hardly(6, 'losses is 1.000 now and may rise by 100, 100 times that or more'),
      hardly(7, 'a share of 0.99 of the cases may have failed; now it is 0 of 4'),
      hardly(8, 'a share of 0.995 of the cases may be without a value of f1; now it is 0 of 4'),
    ]);
    const sound = gate(
      '{ measure: f1, atLeast: 0.011 }',
      '{ measure: lost, atMost: 0.98 }',
      '{ measure: f1, notWorseThan: { margin: 0.49 } }',
      '{ measure: over_extraction, atMost: 99 }',
      '{ measure: losses, atMost: 99 }',
      '{ failed: { atMost: 0.98 } }',
    );
    expect((await look(gateCannotFail, recipe, cases, { gate: sound })).said).toEqual([]);
  });

  test('of a measure that is as bad as the limit, or that no label may lack, is left alone', async () => {
    // 1 hit, 99 missed, 99 spurious: F1 0.01.
    const bad = times(100, (at) => spanCase(`c${at}`, ['A 0'], at === 0 ? ['A 0'] : ['A 50']));
    const rules = gate('{ measure: f1, atLeast: 0.009 }');
    expect((await look(gateCannotFail, STRICT, bad, { gate: rules })).said).toEqual([]);
    const each = gate('{ measure: recall, each: label, atLeast: 0.01 }');
    expect((await look(gateCannotFail, { ...STRICT, slice: ['label'] }, cases, { gate: each })).said).toEqual([]);
  });

  test('goes by what a count may be, not only by what it is', async () => {
    const recipe = { ...STRICT, measure: { losses: { of: 'count', verdict: 'missed' } } };
    const rules = gate('{ measure: losses, atMost: 100 }');
    expect((await look(gateCannotFail, recipe, cases, { gate: rules })).said).toHaveLength(1);
    // Drawn again, the one case that lost something may come twice or more.
    const set = ['interval.resamples=200'];
    expect((await look(gateCannotFail, recipe, cases, { gate: rules, set })).said).toEqual([]);
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
    const { run: other } = await look(
      differentSignatures,
      { ...STRICT, pair: { gate: [], similarity: 'exact' } },
      cases,
    );
    const { said, findings } = await look(differentSignatures, STRICT, cases, {
      others: [{ ...other, folder: 'runs/b' }],
    });
    expect(said).toEqual(['error: b was not scored like the baseline: 1 difference']);
    expect(findings[0]!.items.shown[0]!.text).toContain('pair.gate is [label] and []');
  });

  test('are called by as much of their paths as tells them apart', async () => {
    const { run } = await look(differentSignatures, { ...STRICT, pair: { gate: [], similarity: 'exact' } }, cases);
    const { run: baseline } = await look(differentSignatures, STRICT, cases);
    const others = ['runs/b/run', 'runs/c/run', 'runs/c/run'].map((folder) => ({ ...run, folder }));
    const watch = new AuditWatch({ task: 'pii', resolved: {}, measures: [] }, [differentSignatures]);
    const compared = { ...baseline, folder: 'runs/a/run' };
    const { findings } = await watch.finish(compared, { others });
    expect(findings.map(({ subjects }) => subjects)).toEqual([['b/run'], ['c/run'], ['c/run']]);
  });

  test('are left alone where they were scored alike, whatever was predicted', async () => {
    const { run: other } = await look(
      differentSignatures,
      STRICT,
      cases.map((one) => ({ ...one, predicted: [] })),
    );
    expect((await look(differentSignatures, STRICT, cases, { others: [other] })).said).toEqual([]);
    expect((await look(differentSignatures, STRICT, cases)).skipped).toBe('no other run was given to compare with');
  });
});
