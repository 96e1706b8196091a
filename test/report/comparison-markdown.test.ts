import { describe, expect, it } from 'vitest';

import { comparisonDocument } from '../../src/report/comparison.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import type { Comparison } from '../../src/compare/comparison.ts';
import { comparison, difference, shown, system, test } from './made-up-comparison.ts';
import { dangerous, HOSTILE } from './made-up-run.ts';

const comparisonMarkdown = (made: Comparison): string => renderMarkdown(comparisonDocument(made));
const page = comparisonMarkdown(
  comparison(
    [
      shown('accuracy', { mcnemar: { ...test(0.0703125), onlyBaseline: 1, onlyOther: 7 } }),
      difference('macro_f1', {
        verdict: 'too little data',
        wilcoxon: test(null, { undefined: 'it has no value per case', statistic: null, n: 0 }),
        wins: 0,
        losses: 0,
        ties: 0,
        effect: { dz: null, rankBiserial: null, standardised: 0.13 },
      }),
      difference('f1', { slice: { label: 'A|B' }, permutation: test(1 / 10_001, { method: 'resampled' }) }),
    ],
    {
      systems: [system('old', { folder: '/home/somebody/secret/old' }), system('new')],
      moved: [{ case: 'D08', system: 1, name: 'f1', baseline: 0, other: 0.8, difference: 0.8, change: 'better' }],
      ranking: [{ name: 'f1', direction: 'higher', places: [{ system: 1, place: 1, value: 0.8, tied: true }] }],
      notices: ['mind this'],
    },
  ),
);
const rows = page.split('\n').filter((line) => line.startsWith('|'));

describe('the page of a comparison', () => {
  it('has both values, difference, interval, corrected p, verdict and needed cases', () => {
    expect(rows).toContain(
      '| measure | better is | old | new | difference | 95 % interval | p Holm | verdict | needed | cases | differing |',
    );
    expect(rows).toContain(
      '| accuracy | higher | 0.700 | 0.800 | +0.100 | 0.040 to 0.160 | 0.0060 | better | 470 | 100 | 60 |',
    );
    expect(rows).toContain(
      '| f1 | label A\\|B | higher | 0.700 | 0.800 | +0.100 | -0.050 to 0.250 | 0.4000 | no difference shown | 470 | 100 | 60 |',
    );
  });

  it('has all tests and effect sizes, and why some are missing', () => {
    expect(rows).toContain(
      '| accuracy ↑ | 0.0030 | resampled | 35 | 25 | 40 | 0 | +0.15 | +0.20 | +0.13 | 0.0040 | approx | 3 | 8 | 0.0703 | 1 | 7 |',
    );
    expect(rows).toContain(
      '| macro_f1 ↑ | 0.2000 | resampled | – | – | – | 0 | – | – | +0.13 | – | – | – | 0 | – | – | – |',
    );
    expect(rows.some((row) => row.startsWith('| f1 (label A\\|B) ↑ | &lt;0.0001 | resampled |'))).toBe(true);
    expect(page).toContain('- – macro_f1: no p of Wilcoxon: it has no value per case');
  });

  it('has ranking, moved cases, settings and both signatures', () => {
    expect(rows).toContain('| f1 ↑ | 1= new 0.800 |');
    expect(rows).toContain('| D08 | 0.000 | 0.800 | +0.800 | ▲ better |');
    expect(rows).toContain('| unit that is drawn and swapped | case (100) |');
    expect(rows).toContain('| smallest p of a resampled test | 1 / 10,001 |');
    expect(rows).toContain('| tests that Holm’s correction goes over | 3 |');
    for (const name of ['old', 'new']) expect(page).toContain(`\`\`\`\nassay:0|task:pii|predicted:${name}\n\`\`\``);
    expect(page).toContain('- ⚠️ mind this');
  });

  it('holds no folder name', () => {
    expect(page).not.toContain('secret');
  });

  it('keeps hostile text inside its cells', () => {
    const hostile = comparisonMarkdown(
      comparison([difference(HOSTILE, { slice: { [HOSTILE]: HOSTILE } }), difference(HOSTILE)], {
        systems: [system(HOSTILE, { signature: HOSTILE, unpaired: { n: 1, cases: [HOSTILE] } }), system('new')],
        moved: [{ case: HOSTILE, system: 1, name: HOSTILE, baseline: 0, other: 1, difference: 1, change: 'better' }],
        ranking: [{ name: HOSTILE, direction: 'higher', places: [{ system: 0, place: 1, value: 1, tied: false }] }],
        notices: [HOSTILE],
        unit: HOSTILE,
      }),
    );
    const outside = hostile.replaceAll(/```[^]*?\n```/g, '');
    expect(outside).not.toMatch(/<img|(?<!\\)\[x\]\(y\)/);
    expect(dangerous(hostile)).toEqual([]);
    // Every row of a table has as many cells as its rule.
    const cells = (line: string): number => line.replaceAll('\\|', '').split('|').length;
    const tables = hostile.split('\n\n').filter((part) => part.startsWith('|'));
    expect(tables.length).toBeGreaterThan(6);
    for (const table of tables) expect(new Set(table.split('\n').map(cells)).size).toBe(1);
  });
});
