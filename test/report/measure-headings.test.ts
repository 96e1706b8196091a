import { describe, expect, it } from 'vitest';

import { headlineLines } from '../../src/report/headline-lines.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { recipeFacts } from '../../src/report/recipe-facts.ts';
import { makeStyle } from '../../src/report/style.ts';
import { madeUpRun, measure } from './made-up-run.ts';

const spread = { n: 2, undefined: 0, mean: 0.25, min: 0, max: 0.5, sd: 0.354 };
const values = [measure('safety', 0.5), measure('recall', 0.75, { cases: spread }), measure('coverage', 1)];

function runOf(resolved: Readonly<Record<string, unknown>>) {
  const measures = {
    safety: { of: 'field-mean', heading: 'Safety' },
    recall: { of: 'recall' },
    coverage: { of: 'ratio', heading: 'Coverage' },
  };
  return madeUpRun({ measures: { measures: values }, resolved: { measure: measures, ...resolved } });
}

function headline(resolved: Readonly<Record<string, unknown>> = {}): string[] {
  const run = runOf(resolved);
  return headlineLines(run, recipeFacts(run), makeStyle()).map((line) => line.trim());
}

describe('headings of measures', () => {
  it('list the measures under them, in the order of the recipe and after those without one', () => {
    const names = headline().map((line) => line.split(/\s+/)[0]);
    expect(names.slice(0, 6)).toEqual(['Measure', 'recall', 'Safety', 'safety', 'Coverage', 'coverage']);
  });

  it('divide the table of the Markdown report', () => {
    const report = markdownReport(runOf({}));
    const places = ['| recall |', '**Safety**', '| safety |', '**Coverage**', '| coverage |'].map((text) =>
      report.indexOf(text),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

describe('the spread over cases', () => {
  it('stands beside the values of any recipe that wants it, and of no other', () => {
    expect(headline()[0]).not.toContain('case mean');
    expect(headline({ spread: true })[0]).toMatch(/case mean +sd +min +max/);
    expect(headline({ spread: true })[1]).toMatch(/0\.250 +0\.354 +0\.000 +0\.500/);
  });
});
