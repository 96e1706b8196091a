import { describe, expect, it } from 'vitest';

import type { Comparison, MovedCase } from '../../src/compare/comparison.ts';
import { comparisonDocument } from '../../src/report/comparison.ts';
import { displayWidth } from '../../src/report/display-width.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { safeJson } from '../../src/report/safe-json.ts';
import { makeStyle } from '../../src/report/style.ts';
import { comparison, difference, shown, system, test } from './made-up-comparison.ts';
import { dangerous, HOSTILE } from './made-up-run.ts';

const plain = makeStyle();
const text = (given: Comparison, style = plain): string => renderTerminal(comparisonDocument(given), style);
const lines = (given: Comparison, style = plain): string[] => text(given, style).split('\n');
const lineWith = (given: Comparison, part: string, style = plain): string | undefined =>
  lines(given, style).find((line) => line.includes(part));

const moved: MovedCase = {
  case: 'D08',
  system: 1,
  name: 'errors',
  baseline: 8,
  other: 0,
  difference: -8,
  change: 'better',
};

describe('the report of a comparison', () => {
  it('shows two systems in one table, what is better and worse first', () => {
    const given = comparison(
      [
        difference('precision'),
        shown('recall'),
        shown('over_extraction', {
          direction: 'lower',
          baseline: 1.2,
          other: 1.5,
          difference: 0.3,
          verdict: 'worse',
          adjusted: 0.0002,
        }),
      ],
      { moved: [moved] },
    );
    expect(lines(given)).toEqual([
      'new against old',
      '100 cases paired.',
      '',
      'Runs             cases',
      '  old  baseline    100',
      '  new              100',
      '',
      'Measure                old    new   diff.  95 % interval      p (3)',
      '▲ better',
      '  recall ↑           0.700  0.800  +0.100  0.040 to 0.160     0.006',
      '▼ worse',
      '  over_extraction ↓  1.200  1.500  +0.300  0.040 to 0.160   < 0.001',
      '· no difference shown',
      '  precision ↑        0.700  0.800  +0.100  -0.050 to 0.250    0.400',
      '  ↑ higher is better, ↓ lower is better',
      '',
      '- p is of the paired permutation test, after Holm’s correction over 3 tests of',
      '  all measures. Better or worse: p < 0.05 and the interval excludes 0.',
      '- No difference shown does not mean equal: every difference within the interval',
      '  fits these cases.',
      '',
      'Case by case         won  lost  tied     dz  rank r  Wilcoxon',
      '  precision ↑         35    25    40  +0.15   +0.20     0.250',
      '  recall ↑            35    25    40  +0.15   +0.20     0.004',
      '  over_extraction ↓   35    25    40  +0.15   +0.20     0.004',
      '  won, lost, tied: cases where new is better, worse, the same; dz: mean of the',
      '  differences per case / their standard deviation; rank r: rank-biserial',
      '  correlation; Wilcoxon: p before correction',
      '',
      'Cases',
      '  25 more errors · 35 fewer errors · 5 as many, others · 35 unchanged',
      '  120 → 100 errors',
      '',
      'Moved most, by errors  from  to    diff.',
      '  D08                     8   0  8 fewer  ▲ better',
      '',
      'See the first of them',
      '  assay explain runs/old --case D08',
      '  assay explain runs/new --case D08',
      '',
    ]);
  });

  it('shows what is undefined as – with the reason below, never as a number', () => {
    const given = comparison([
      difference('f1', {
        other: null,
        difference: null,
        undefined: 'undefined for the other: nothing counts',
        interval: null,
        permutation: test(null),
        wilcoxon: test(null, { undefined: 'there are no pairs' }),
        effect: { dz: null, rankBiserial: null, standardised: null },
        wins: 0,
        losses: 0,
        ties: 0,
        adjusted: null,
        verdict: 'too little data',
        needed: null,
      }),
    ]);
    expect(lineWith(given, '  f1')).toBe('  f1 ↑   0.700    –      –  –                  –');
    expect(text(given)).toContain('– f1: undefined for the other: nothing counts.');
    expect(text(given)).not.toContain('Case by case');
    expect(text(given)).not.toMatch(/NaN|null|undefined\b(?! for)/);
  });

  it('says why a measure without values per case has no test of them', () => {
    const reason = { undefined: 'it has no value per case' };
    const macro = difference('macro_f1', { wins: 0, losses: 0, ties: 0, wilcoxon: test(null, reason) });
    const given = comparison([difference('f1', { withoutPair: 3 }), macro]);
    const from = lines(given).findIndex((line) => line.startsWith('Case by case'));
    expect(lines(given)[from + 1]).toBe('  f1 ↑         35    25    40  +0.15   +0.20     0.250');
    expect(lines(given).slice(from + 6, from + 9)).toEqual([
      '  up to 3 cases have a value in one run only: no win, loss or tie, and no part',
      '  of a mean over cases',
      '  – macro_f1: no p of Wilcoxon: it has no value per case',
    ]);
  });

  it('says what was left out, and which runs it was', () => {
    const given = comparison([difference('f1')], {
      systems: [system('old', { failed: 2, unpaired: { n: 3, cases: ['a', 'b', 'c'] } }), system('new')],
      failed: 2,
      notices: ['new was not scored as old was: gold differs'],
    });
    expect(lineWith(given, 'baseline')).toBe('  old  baseline    100       2           3');
    expect(lineWith(given, 'not compared')).toBe(
      '! 3 of 100 cases of old are not compared, since another run lacks them: a, b, c',
    );
    expect(lineWith(given, 'scored as')).toBe('! new was not scored as old was: gold differs');
  });

  it('says that clusters are drawn and swapped as a whole', () => {
    const given = comparison([difference('f1')], { unit: 'patient', units: 14 });
    expect(text(given).replaceAll('\n', ' ')).toContain(
      'Cases with the same patient are not independent: the 14 groups of them are drawn and swapped as a whole.',
    );
    expect(text(given)).toContain('won, lost, tied: groups where');
  });

  it('shows McNemar’s test only where there is one', () => {
    const mcnemar = { ...test(0.0703125), onlyBaseline: 1, onlyOther: 7 };
    expect(text(comparison())).not.toContain('McNemar');
    const given = comparison([difference('accuracy', { mcnemar }), difference('f1')]);
    expect(lineWith(given, 'won')).toContain('McNemar');
    expect(
      lines(given)
        .filter((line) => /accuracy|f1 ↑/.test(line))
        .map((line) => line.trim().split(/ +/).at(-1)),
    ).toEqual(['0.400', '0.400', '0.070', '–']);
  });

  it('names long-named systems in the heading and leaves short titles over the values', () => {
    const names = { systems: [system('journal-prompt-v1'), system('journal-prompt-v2')] };
    expect(lineWith(comparison([difference('f1')], names), 'Measure')).toBe(
      'Measure   base  other   diff.  95 % interval    p (1)',
    );
  });

  it('limits slices on a terminal and says where the rest is', () => {
    const slices = Array.from({ length: 60 }, (_, at) => difference('f1', { slice: { label: `L${at}` } }));
    const given = comparison([difference('f1'), ...slices]);
    expect(lineWith(given, 'Slices')).toBeDefined();
    expect(lineWith(given, 'L38)')).toContain('  f1 (label L38) ↑');
    expect(lineWith(given, 'L39)')).toBeUndefined();
    expect(lineWith(given, '… and')).toBe('  … and 21 more; --markdown FILE has them all');
  });
});

describe('several systems', () => {
  const given = comparison([difference('f1'), shown('f1', { system: 2 })], {
    systems: [system('a'), system('b'), system('c')],
    ranking: [
      {
        name: 'f1',
        direction: 'higher',
        places: [
          { system: 2, place: 1, value: 0.9, tied: false },
          { system: 1, place: 2, value: 0.75, tied: true },
          { system: 0, place: 2, value: 0.7, tied: true },
        ],
      },
      {
        name: 'errors',
        direction: 'lower',
        places: [
          { system: 1, place: 1, value: 3, tied: true },
          { system: 0, place: 1, value: 12, tied: true },
          { system: 2, place: 1, value: null, tied: true },
        ],
      },
    ],
    moved: [moved, { ...moved, case: 'D01', system: 2, baseline: 2, other: 5, difference: 3, change: 'worse' }],
  });

  it('get a table each against the first', () => {
    expect(lines(given)[0]).toBe('b and c against a');
    expect(
      lines(given)
        .filter((line) => / against a(?: {2}|$)/.test(line))
        .map((line) => line.split('  ')[0]),
    ).toEqual(['b and c against a', 'b against a', 'c against a']);
    // How verdicts come about is said once.
    expect(text(given).match(/p is of/g)).toHaveLength(1);
    expect(text(given).match(/won, lost, tied: cases where the other is better/g)).toHaveLength(1);
  });

  it('are ranked as given, with shared places marked', () => {
    expect(lineWith(given, '  f1 ↑      1')).toBe('  f1 ↑      1 c 0.900 · 2= b 0.750 · 2= a 0.700');
    expect(lineWith(given, 'errors ↓')).toBe('  errors ↓  1= b 3 · 1= a 12 · – c undefined');
    expect(text(given)).toContain('no proof of being equal');
  });

  it('are named beside the cases that moved', () => {
    expect(lineWith(given, 'D01')).toBe('  D01                  c          2   5   3 more  ▼ worse');
  });
});

describe('the page width', () => {
  const long = comparison(
    ['intensity_or_arousal_accuracy', 'f1'].map((name) =>
      shown(name, { mcnemar: { ...test(1), onlyBaseline: 1, onlyOther: 1 } }),
    ),
    { systems: [system('a-very-long-name-of-a-run'), system('another-very-long-name-of-a-run')], moved: [moved] },
  );

  const widest = (style = plain): number =>
    Math.max(...lines(long, style).map((line) => (line.includes('assay explain') ? 0 : displayWidth(line))));

  it.each([80, 120])('of %i columns is kept on a terminal, but for commands to copy', (width) => {
    expect(widest(makeStyle({ terminal: true, width }))).toBeLessThanOrEqual(width);
  });

  it('of 80 columns is kept in a pipe too, with names as long as those of the presets', () => {
    expect(widest()).toBeLessThanOrEqual(80);
  });

  it('of a very narrow terminal cuts names, never figures', () => {
    const narrow = text(long, makeStyle({ terminal: true, width: 40 }));
    expect(narrow).toContain('  inten…  0.700  0.800  +0.100  0.040 to 0.160  0.006');
  });
});

describe('colour', () => {
  it('is by verdict, and never alone', () => {
    const style = makeStyle({ colour: true });
    const given = comparison([shown('f1'), shown('recall', { verdict: 'worse' }), difference('precision')]);
    expect(text(given, style)).toContain('\u001b[32m▲ better\u001b[39m');
    expect(text(given, style)).toContain('\u001b[31m▼ worse\u001b[39m');
    expect(text(given)).toContain('▲ better');
  });
});

describe('text from data', () => {
  const hostile = comparison(
    [difference(HOSTILE), difference('f1', { slice: { [HOSTILE]: HOSTILE }, interval: null, noInterval: HOSTILE })],
    {
      systems: [
        system(HOSTILE, { folder: HOSTILE, unpaired: { n: 1, cases: [HOSTILE] }, unanswered: 1 }),
        system('new', { folder: HOSTILE, signature: HOSTILE }),
      ],
      unit: HOSTILE,
      units: 3,
      moved: [{ ...moved, case: HOSTILE, name: HOSTILE }],
      notices: [HOSTILE],
    },
  );

  it('cannot reach the terminal', () => {
    for (const style of [plain, makeStyle({ terminal: true, colour: true, width: 60 })])
      expect(dangerous(text(hostile, style))).toEqual([]);
  });

  it('is whole in JSON, which a terminal does not act on either', () => {
    expect(dangerous(safeJson(hostile))).toEqual([]);
    expect(JSON.parse(safeJson(hostile))).toEqual(hostile);
  });

  it('is quoted in the commands to copy', () => {
    const given = comparison([difference('f1')], {
      systems: [system('old', { folder: 'runs/it’s old' }), system('new', { folder: 'new' })],
      moved: [{ ...moved, case: '-x y' }],
    });
    expect(lineWith(given, 'it’s old')).toBe("  assay explain 'runs/it’s old' --case='-x y'");
  });
});

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
      changes: {
        by: 'f1',
        systems: [{ system: 1, worse: 1, better: 2, others: 3, unchanged: 4, errors: { baseline: 0, other: 0 } }],
      },
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
      '| measure | old | new | diff. | 95 % interval | p (3 tests) | needed | cases | differing |',
    );
    expect(rows.slice(rows.indexOf('| **▲ better** |  |  |  |  |  |  |  |  |') + 1)[0]).toBe(
      '| accuracy ↑ | 0.700 | 0.800 | +0.100 | 0.040 to 0.160 | 0.006 | 470 | 100 | 60 |',
    );
    expect(rows).toContain(
      '| f1 (label A\\|B) ↑ | 0.700 | 0.800 | +0.100 | -0.050 to 0.250 | 0.400 | 470 | 100 | 60 |',
    );
  });

  it('has all tests and effect sizes, and why some are missing', () => {
    expect(rows).toContain(
      '| accuracy ↑ | 0.003 | resampled | 35 | 25 | 40 | 0 | +0.15 | +0.20 | +0.13 | 0.004 | approx | 3 | 8 | 0.070 | 1 | 7 |',
    );
    expect(rows).toContain(
      '| macro_f1 ↑ | 0.200 | resampled | – | – | – | 0 | – | – | +0.13 | – | – | – | 0 | – | – | – |',
    );
    expect(rows.some((row) => row.startsWith('| f1 (label A\\|B) ↑ | &lt; 0.001 | resampled |'))).toBe(true);
    expect(page).toContain('- – macro_f1: no p of Wilcoxon: it has no value per case');
  });

  it('has ranking, moved cases, settings and both signatures', () => {
    expect(rows).toContain('| f1 ↑ | 1= new 0.800 |');
    expect(page).toContain('1 worse · 2 better · 3 not comparable · 4 unchanged, by f1');
    expect(rows).toContain('| D08 | 0.000 | 0.800 | +0.800 | ▲ better |');
    expect(rows).toContain('| unit that is drawn and swapped | case (100) |');
    expect(rows).toContain('| tests of all measures | 3, corrected by Holm’s method, 10,000 random swaps each |');
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
