import { describe, expect, it } from 'vitest';

import { evaluationText } from '../../src/report/evaluation-text.ts';
import { makeStyle } from '../../src/report/style.ts';
import { madeUpEvaluation } from './evaluation-made-up.ts';
import { dangerous, HOSTILE } from './made-up-run.ts';

const terminal = makeStyle({ terminal: true, width: 80 });

describe('evaluationText', () => {
  it('has the measures of several systems below each other, undefined ones with the reason', () => {
    const lines = evaluationText(madeUpEvaluation(), terminal, 'runs/x').split('\n');
    const at = lines.indexOf('  accuracy ↑');
    expect(lines.slice(at, at + 3).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['accuracy ↑'],
      ['plain', '0.250', '0.100 to 0.600', '4'],
      ['rag', '0.500', '0.200 to 0.800', '4'],
    ]);
    const relevance = lines.indexOf('  treatment_relevance ↑');
    expect(lines[relevance + 1]).toContain('undefined (0 of 24 answers have come from experts:');
    expect(lines.some((line) => /every system +undefined \(nobody rated safety\)/.test(line))).toBe(true);
    expect(lines.join('\n')).toContain('↓ lower is better');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('shows differences, agreement against its target, what is missing, and where the report is', () => {
    const text = evaluationText(madeUpEvaluation(), terminal, 'runs/x');
    expect(text).toMatch(/▲ better\n {2}accuracy ↑ +0\.700/);
    expect(text).toMatch(/ {2}claims +kappa +0\.800 +0\.770 to 0\.900 +12 +> 0\.75: met/);
    expect(text).toMatch(/ {2}tone +kappa +undefined \(one rater only\)/);
    expect(text).toContain('1 case has no class and is left out of accuracy: c3');
    expect(text).toContain('conflicts between reviewers: 2 open, 3 decided');
    expect(text).toMatch(/ {2}treatment_relevance +0 +24 +experts/);
    expect(text).toContain('the model model-b, which is no person, on claims: Cohen’s kappa 0.400');
    expect(text).toContain('The whole evaluation        runs/x/evaluation_summary_report.html');
    expect(text).toContain('explain runs/x/plain --case c2');
  });

  it('is the summary of the run where there is one system, with worst cases and signature', () => {
    const [only] = madeUpEvaluation().systems;
    const text = evaluationText(madeUpEvaluation({ systems: [only!], comparison: null }), terminal, 'runs/x/plain');
    expect(text).toMatch(/Worst cases +missed +spurious +hit\n {2}c2 +3 +1 +0/);
    expect(text).toContain('Signature and 2 notes hidden; --verbose shows them');
    expect(text).toContain('explain runs/x/plain --case c2');
    expect(text).toContain('Missing from reviewers');
    expect(text).not.toContain('By label');
  });

  it('says that nothing was written where that is so', () => {
    expect(evaluationText(madeUpEvaluation(), makeStyle(), null)).toMatch(/\nNothing was written: --out FOLDER .*\n$/);
  });

  it('sends nothing to the terminal that data could act with', () => {
    const given = madeUpEvaluation();
    const evil = { ...given, systems: given.systems.map((one) => ({ ...one, system: HOSTILE })) };
    const text = evaluationText(
      { ...evil, withoutClass: [{ caseId: HOSTILE, because: HOSTILE }], recipe: { name: HOSTILE, about: HOSTILE } },
      terminal,
      'runs/x',
    );
    expect(dangerous(text)).toEqual([]);
  });
});
