import { describe, expect, it } from 'vitest';

import { evaluationText } from '../../src/report/evaluation-text.ts';
import { makeStyle } from '../../src/report/style.ts';
import { madeUpEvaluation } from './evaluation-made-up.ts';
import { dangerous, HOSTILE } from './made-up-run.ts';

const terminal = makeStyle({ terminal: true, width: 80 });

describe('evaluationText', () => {
  it('has the measures by system and refers to the reasons, within the width of the terminal', () => {
    const lines = evaluationText(madeUpEvaluation(), terminal, 'runs/x').split('\n');
    const cells = (name: string): string[] | undefined =>
      lines
        .find((line) => line.startsWith(`  ${name} `))
        ?.trim()
        .split(/ {2,}/);
    expect(cells('accuracy')).toEqual(['accuracy', 'higher', '0.250 (0.100 to 0.600), n 4']);
    expect(cells('treatment_relevance')).toEqual(['treatment_relevance', 'higher', 'undefined [1]']);
    expect(lines).toContain('  [1] 0 of 24 answers have come from experts: there are no ratings');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('shows differences, agreement against its target, what is missing, and where the report is', () => {
    const text = evaluationText(madeUpEvaluation(), terminal, 'runs/x');
    expect(text).toMatch(/▲ better\n +accuracy ↑ +0\.700/);
    expect(text).toMatch(/ {2}claims +kappa +0\.800 +0\.770 to 0\.900 +12 +(?:2 +)?> 0\.75: met/);
    expect(text).toMatch(/ {2}tone +kappa +undefined \[1\]/);
    expect(text).toMatch(/ {2}c3 +disputed: one vote each/);
    expect(text).toContain('2 conflicts are open and 3 decided by adjudicators');
    expect(text).toMatch(/ {2}treatment_relevance +plain +0 +24 +24 +experts/);
    expect(text).toMatch(/ {2}claims +model-b +Cohen’s kappa +0\.400/);
    expect(text).toContain('The whole evaluation        runs/x/evaluation_summary_report.html');
    expect(text).toContain('explain runs/x/plain --case c2');
  });

  it('is the summary of the run where there is one system, with worst cases and signature', () => {
    const [only] = madeUpEvaluation().systems;
    const text = evaluationText(madeUpEvaluation({ systems: [only!], comparison: null }), terminal, 'runs/x/plain');
    expect(text).toMatch(/Worst cases +missed +spurious +hit\n {2}c2 +3 +1 +0/);
    expect(text).toContain('Signature and 2 notes hidden; --verbose shows them');
    expect(text).toContain('explain runs/x/plain --case c2');
    expect(text).toContain('missing from reviewers');
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
