import { describe, expect, it } from 'vitest';

import type { Audit } from '../../src/audit/finding.ts';
import { displayWidth } from '../../src/report/display-width.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { runDocument } from '../../src/report/run.ts';
import { makeStyle } from '../../src/report/style.ts';
import type { Run } from '../../src/score/run.ts';
import { dangerous, HOSTILE, madeUpRun, measure, rule } from './made-up-run.ts';

const plain = makeStyle();
const textOf = (run: Run, style = plain, verbose = true): string =>
  renderTerminal(runDocument(run, { verbose }), style);
const lines = (run: Run, style = plain): string[] => textOf(run, style).split('\n');
const lineWith = (run: Run, text: string, style = plain): string | undefined =>
  lines(run, style).find((line) => line.includes(text));

describe('the measures of a summary', () => {
  it('stand with value, direction and n', () => {
    const run = madeUpRun({ measures: { measures: [measure('precision', 0.75, { n: 28 })] } });
    expect(lineWith(run, 'precision')).toBe('  precision  0.750  ↑  28');
  });

  it('show the interval, or that there is none and why', () => {
    const interval = { low: 0.7012, high: 0.83, level: 0.95, method: 'bootstrap-percentile' };
    const run = madeUpRun({
      measures: {
        measures: [measure('f1', 0.775, { n: 60, interval }), measure('recall', 1, { noInterval: 'one case only' })],
      },
    });
    const all = lines(run);
    expect(all.slice(all.findIndex((line) => line.startsWith('Measures'))).slice(0, 4)).toEqual([
      'Measures  value      n  95 % interval',
      '  f1      0.775  ↑  60  0.701 to 0.830',
      '  recall  1.000  ↑  10  –',
      '  recall: no interval: one case only',
    ]);
  });

  it('are undefined with the reason, never a number', () => {
    const reason = 'there is neither gold nor a prediction that counts';
    const run = madeUpRun({ measures: { measures: [measure('f1', null, { undefined: reason, n: 0 })] } });
    expect(lineWith(run, '  f1')).toBe('  f1          –  ↑  0');
    expect(lineWith(run, 'undefined')).toBe(`  f1: undefined: ${reason}`);
    expect(textOf(run)).not.toMatch(/NaN|null|0\.000/);
  });

  it('say what the arrows mean where they differ', () => {
    const run = madeUpRun({
      measures: {
        measures: [measure('f1', 0.5), measure('over_extraction', 1.2, { direction: 'lower', range: [0, null] })],
      },
    });
    expect(lineWith(run, 'over_extraction')).toBe('  over_extraction  1.200  ↓  10');
    const aimed = measure('over_extraction', 1.2, { direction: 'lower', range: [0, null], best: 1 });
    const other = madeUpRun({ measures: { measures: [measure('f1', 0.5), aimed] } });
    expect(lineWith(other, '1.200')).toBe('  over_extraction  1.200  →1  10');
    expect(lineWith(other, 'nearer')).toBe('  ↑ higher is better, →1 nearer to 1 is better');
    expect(lineWith(run, 'better')).toBe('  ↑ higher is better, ↓ lower is better');
  });

  it('are whole numbers where they count', () => {
    const run = madeUpRun({
      resolved: { measure: { missed: { of: 'count', verdict: 'missed' } } },
      measures: { measures: [measure('missed', 1065, { n: 1065, range: [0, null] })] },
    });
    expect(lineWith(run, '  missed')).toBe('  missed  1,065  ↑  1,065');
  });

  it('have their remarks below, one line for all that share one', () => {
    const note = '3 of 9 labels left out: undefined';
    const run = madeUpRun({
      measures: { measures: [measure('macro_f1', 0.7, { note }), measure('macro_recall', 0.9, { note })] },
    });
    expect(lineWith(run, 'left out')).toBe(`  macro_f1, macro_recall: ${note}`);
  });

  it('show the spread over cases where the recipe wants it', () => {
    const cases = { n: 5, undefined: 1, mean: 0.883, min: 0.5, max: 1, sd: 0.1624 };
    const run = madeUpRun({
      resolved: { spread: true },
      measures: { measures: [measure('entity_f1', 0.842, { cases })] },
    });
    expect(lineWith(run, 'Measures')).toBe('Measures     value      n  case mean     sd    min    max');
    expect(lineWith(run, 'entity_f1')).toBe('  entity_f1  0.842  ↑  10      0.883  0.162  0.500  1.000');
    expect(textOf(run).replaceAll(/\s+/g, ' ')).toContain('sd, min and max are of these too; values pool all cases');
  });

  it('name means of cases if others pool all cases, in a terminal and on a page', () => {
    const mixed = [measure('f1', 0.667), measure('case_f1', 0.548, { meanOfCases: true })];
    const run = madeUpRun({ measures: { measures: mixed } });
    expect(lineWith(run, '  f1')).toBe('  f1       0.667  ↑  10');
    expect(lineWith(run, '  case_f1')).toBe('  case_f1  0.548  ↑  10  case mean');
    expect(textOf(run)).toContain('case mean: the mean of the cases’ own values, each case counting the same');
    const page = renderMarkdown(runDocument(run));
    expect(page).toMatch(/^\| f1 \| \*\*0\.667\*\* \| pooled \|/m);
    expect(page).toMatch(/^\| case_f1 \| \*\*0\.548\*\* \| case mean \|/m);
    expect(page).toContain('other values pool all cases');
  });

  it.each([[[measure('f1', 0.667)]], [[measure('case_f1', 0.548, { meanOfCases: true })]]])(
    'do not name what is alike: %#',
    (measures) => {
      const run = madeUpRun({ measures: { measures } });
      expect(textOf(run)).not.toContain('case mean');
      expect(renderMarkdown(runDocument(run))).not.toContain('pooled');
    },
  );

  it('name means of cases side by side with pooled values under each scheme', () => {
    const slice = { scheme: 'lenient' };
    const both = [measure('f1', 0.7), measure('recall', 0.6, { meanOfCases: true })];
    const measures = [...both, ...both.map((value) => ({ ...value, slice }))];
    const run = madeUpRun({ resolved: { schemes: { lenient: {} } }, measures: { measures } });
    const remark = 'each case counting the same): recall; other values pool all cases';
    expect(textOf(run).replaceAll(/\s+/g, ' ')).toContain(remark);
    expect(renderMarkdown(runDocument(run))).toContain(remark);
  });

  it('are under their headings, in the order of the recipe and after those without one', () => {
    const measures = {
      safety: { of: 'field-mean', heading: 'Safety' },
      recall: { of: 'recall' },
      coverage: { of: 'ratio', heading: 'Coverage' },
    };
    const values = ['safety', 'recall', 'coverage'].map((name) => measure(name, 0.5));
    const run = madeUpRun({ resolved: { measure: measures }, measures: { measures: values } });
    const document = runDocument(run);
    const order = ['recall', 'Safety', 'safety', 'Coverage', 'coverage'];
    for (const text of [renderTerminal(document, plain), renderMarkdown(document)]) {
      const places = order.map((name) => text.search(new RegExp(`^(?:\\| )?(?:\\*\\*)? *${name}\\b`, 'm')));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });

  it('have a bar on a terminal, dashed through the interval, and none in a pipe', () => {
    const interval = { low: 0.5, high: 0.75, level: 0.95, method: 'wilson' };
    const run = madeUpRun({ measures: { measures: [measure('f1', 0.6, { interval }), measure('recall', 0.25)] } });
    const terminal = makeStyle({ terminal: true });
    expect(lineWith(run, '  f1', terminal)).toBe(
      `  f1      0.600  ↑  10  0.500 to 0.750  ${'━'.repeat(10)}${'╍'.repeat(5)}${'─'.repeat(5)}`,
    );
    expect(lineWith(run, 'recall', terminal)?.endsWith(`${'━'.repeat(5)}${'─'.repeat(15)}`)).toBe(true);
    expect(textOf(run, plain)).not.toContain('━');
  });
});

describe('the labels of a summary', () => {
  const ofLabel = (label: string, [p, r, f]: readonly (number | null)[], n: number) => [
    measure('precision', p ?? null, { slice: { label }, n, undefined: p === null ? 'nothing was predicted' : null }),
    measure('recall', r ?? null, {
      slice: { label },
      n,
      undefined: r === null ? 'there is no gold that counts' : null,
    }),
    measure('f1', f ?? null, { slice: { label }, n, undefined: f === null ? 'nothing counts' : null }),
  ];
  const run = madeUpRun({
    measures: {
      measures: [
        ...ofLabel('LOC', [0.5, 1, 2 / 3], 2),
        ...ofLabel('PERSON', [0.75, 0.75, 0.75], 5),
        ...ofLabel('USER', [0, null, 0], 1),
        ...ofLabel('CODE', [null, null, null], 0),
      ],
      rules: [
        rule('hit', 'pair', 1, { label: 'LOC' }),
        rule('spurious', 'no-match', 1, { label: 'LOC' }),
        rule('hit', 'pair', 3, { label: 'PERSON' }),
        rule('missed', 'no-match', 1, { label: 'PERSON' }),
        rule('spurious', 'no-match', 1, { label: 'PERSON' }),
        rule('spurious', 'no-match', 1, { label: 'USER' }),
        rule('excused', 'excuse-missed', 2, { label: 'CODE' }),
      ],
    },
  });

  it('come with counts, largest first, the excused ones and the reasons for gaps below', () => {
    const all = lines(run);
    const from = all.findIndex((line) => line.startsWith('By label'));
    expect(all.slice(from, from + 6)).toEqual([
      'By label  precision  recall     f1  n  hit  missed  spurious  excused',
      '  PERSON      0.750   0.750  0.750  5    3       1         1        0',
      '  LOC         0.500   1.000  0.667  2    1       0         1        0',
      '  USER        0.000       –  0.000  1    0       0         1        0',
      '  excused only: CODE 2',
      '  – undefined: there is no gold that counts',
    ]);
  });

  it('are cut to the largest when there are many, and the rest is counted', () => {
    const labels = Array.from({ length: 30 }, (_, at) => `L${String(at).padStart(2, '0')}`);
    const many = madeUpRun({
      measures: {
        measures: labels.flatMap((label) => ofLabel(label, [1, 1, 1], 1)),
        rules: labels.map((label) => rule('hit', 'pair', 1, { label })),
      },
    });
    expect(lines(many).filter((line) => /^ {2}L\d\d/.test(line))).toHaveLength(10);
    expect(lineWith(many, '… and')).toBe('  … and 20 more with fewer items');
  });

  it('of entities and relationships share a table, each measured by its own', () => {
    const kinds = madeUpRun({
      resolved: {
        measure: { entity_f1: { of: 'f1', kind: 'entity' }, relationship_f1: { of: 'f1', kind: 'relationship' } },
      },
      measures: {
        measures: [
          measure('entity_f1', 0.8, { slice: { label: 'Person' }, n: 9 }),
          measure('relationship_f1', 0.4, { slice: { label: 'owns' }, n: 3 }),
        ],
        rules: [
          rule('hit', 'pair', 7, { kind: 'entity', label: 'Person' }),
          rule('hit', 'pair', 1, { kind: 'relationship', label: 'owns' }),
        ],
      },
    });
    expect(lineWith(kinds, 'Person')).toBe('  entity Person      0.800  9    7');
    expect(lineWith(kinds, 'owns')).toBe('  relationship owns  0.400  3    1');
    expect(lineWith(kinds, '✓ hit')).toBe('  ✓ hit  8  entity pair 7, relationship pair 1');
  });
});

describe('the schemes and slices of a summary', () => {
  it('stand beside the recipe’s own pairing, in the recipe’s order', () => {
    const run = madeUpRun({
      resolved: { schemes: { type: { span: {} }, exact: { span: {} } } },
      measures: {
        measures: [
          measure('f1', 0.5, { n: 8 }),
          measure('f1', 0.25, { slice: { scheme: 'exact' }, n: 9 }),
          measure('f1', 0.75, { slice: { scheme: 'type' }, n: 7 }),
        ],
        rules: [
          rule('hit', 'pair', 4),
          rule('hit', 'pair', 6, { scheme: 'type' }),
          rule('missed', 'no-match', 7, { scheme: 'exact' }),
        ],
      },
    });
    const all = lines(run);
    const from = all.findIndex((line) => line.startsWith('By scheme'));
    expect(all.slice(from, from + 4)).toEqual([
      'By scheme             precision  recall     f1  n  hit  missed',
      '  (the recipe’s own)          –       –  0.500  8    4       0',
      '  type                        –       –  0.750  7    6       0',
      '  exact                       –       –  0.250  9    0       7',
    ]);
    // Counts of other schemes do not mix with the recipe's own.
    expect(lineWith(run, '✓ hit')).toBe('  ✓ hit  4  pair 4');
  });

  it('by a field of the cases have a table of their own, in natural order', () => {
    const run = madeUpRun({
      measures: {
        measures: ['10', '9'].map((value) => measure('f1', 0.5, { slice: { 'metadata.year': value } })),
      },
    });
    const all = lines(run);
    const from = all.findIndex((line) => line.startsWith('By metadata.year'));
    expect(all.slice(from + 1, from + 3).map((line) => line.trim().split(' ')[0])).toEqual(['9', '10']);
  });
});

describe('a summary as a whole', () => {
  it('says which rules made the verdicts, in tokens where tokens are counted', () => {
    const run = madeUpRun({
      resolved: { pair: { span: { accept: [{ name: 'pair' }], unit: 'token' } } },
      measures: { rules: [rule('hit', 'pair', 1200), rule('missed', 'no-match', 3)] },
    });
    const all = lines(run);
    const from = all.indexOf('Verdicts by rule, in tokens');
    expect(all.slice(from + 1, from + 3)).toEqual(['  ✓ hit     1,200  pair 1,200', '  ✗ missed      3  no-match 3']);
  });

  it('names the worst cases and the command that shows the first', () => {
    const run = madeUpRun({
      folder: 'my runs/a',
      worst: [
        { case: 'D 08', missed: 5, spurious: 0, hit: 1 },
        { case: 'D03', missed: 2, spurious: 2, hit: 2 },
      ],
    });
    expect(lineWith(run, 'D03')).toBe('  D03             2         2    2');
    expect(lineWith(run, 'explain')).toContain("assay explain 'my runs/a' --case 'D 08'");
  });

  it('offers no command for a run that was not kept', () => {
    expect(textOf(madeUpRun({ folder: '' }), plain)).not.toContain('assay explain');
  });

  it('hides the signature and the notes on measures unless it is verbose, and counts them', () => {
    const measures = { measures: [measure('f1', 1, { noInterval: 'one case only', note: 'a note' })] };
    const run = madeUpRun({ measures });
    expect(textOf(run, plain, false)).not.toMatch(/one case only|assay:0/);
    expect(textOf(run, plain, false)).toContain('\nSignature and 2 notes hidden; --verbose shows them\n');
    expect(textOf(madeUpRun({}), plain, false)).toContain('\nSignature hidden; --verbose shows it\n');
    expect(textOf(run)).toContain('\nSignature\n  assay:0|task:pii\n');
    expect(textOf(run)).not.toContain('--verbose');
  });

  it('begins with what the audit found, before any number', () => {
    const finding = {
      name: 'too-few-cases',
      severity: 'error',
      title: 'Five cases are few',
      why: '',
      todo: '',
      subjects: [],
    };
    const none = { total: 0, shown: [] };
    const findings = [{ ...finding, cases: none, items: none, accepted: null }];
    const audit = { format: 1, signature: '', checks: [], findings } as unknown as Audit;
    const text = renderTerminal(runDocument(madeUpRun({ folder: 'a' }), { audit }), plain);
    expect(text.split('\n\n')[1]).toBe('✗ error: Five cases are few\n  assay audit a shows all');
  });

  it('shows what --set changed', () => {
    expect(lineWith(madeUpRun({ recipe: { set: ['pair.assign=optimal'] } }), '--set')).toBe(
      'Changed with --set pair.assign=optimal',
    );
  });

  it('sends nothing of hostile labels, ids, names and rules to the terminal, and stays in 80 columns', () => {
    const run = madeUpRun({
      folder: `runs/${HOSTILE}`,
      recipe: { name: HOSTILE, about: `${HOSTILE} about`, set: [`x=${HOSTILE}`] },
      manifest: { signature: `a|${HOSTILE}` },
      resolved: { judge: { [HOSTILE]: { rule: 'excuse-missed', labels: [HOSTILE] } } },
      measures: {
        measures: [
          measure(HOSTILE, null, { undefined: HOSTILE, note: HOSTILE }),
          measure('f1', 0.5, { slice: { label: HOSTILE } }),
          measure('f1', 0.5, { slice: { [HOSTILE]: HOSTILE } }),
          measure('f1', 0.5, { slice: { scheme: HOSTILE } }),
        ],
        rules: [rule('hit', HOSTILE, 2, { label: HOSTILE })],
      },
      worst: [{ case: HOSTILE, missed: 1, spurious: 0, hit: 0 }],
    });
    for (const style of [plain, makeStyle({ colour: true, terminal: true })])
      expect(dangerous(textOf(run, style))).toEqual([]);
    const tables = lines(run, makeStyle({ terminal: true })).filter((line) => /0\.500/.test(line));
    expect(tables.length).toBeGreaterThan(2);
    for (const line of tables) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  });
});
