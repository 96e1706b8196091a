import { describe, expect, it } from 'vitest';

import type { Gate } from '../../src/compare/gate/judge-gate.ts';
import { gateJson } from '../../src/report/gate-formats.ts';
import { gateDocument } from '../../src/report/gate.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { makeStyle } from '../../src/report/style.ts';
import { figureBeside, percentBeside } from '../../src/text/figures.ts';
import { baselineFolder, judged, type MadeUp, VALUES } from '../compare/gate/made-up-gate.ts';
import { comparison, difference, system } from './made-up-comparison.ts';
import { dangerous, HOSTILE, measure } from './made-up-run.ts';

/** A gate of a run that is called runs/b. */
async function gateOf(rules: string, made: MadeUp = {}): Promise<Gate> {
  const gate = await judged(rules, made);
  return { ...gate, run: { ...gate.run, folder: 'runs/b' }, baseline: gate.baseline === null ? null : 'runs/a' };
}
const text = async (rules: string, made: MadeUp = {}): Promise<string> =>
  renderTerminal(gateDocument(await gateOf(rules, made)), makeStyle());
/** Without the line breaks of running text. */
const prose = (shown: string): string => shown.replaceAll(/\n {2}(?=\S)/g, ' ');

const MIXED = `rules:
  - { measure: f1, atLeast: 0.8 }
  - { measure: f1, atLeast: 0.6, sure: true }
  - { measure: recall, each: label, atLeast: 0.8, minimum: { n: 6 }, small: skip }
  - failed: { atMost: 0 }
`;

describe('a gate in the terminal', () => {
  it('has the verdict first, then every check with what was found', async () => {
    expect((await text(MIXED)).split('\n').slice(0, 10)).toEqual([
      '✗ Gate failed: 1 of 5 checks failed, 1 inconclusive, 2 passed, 1 was skipped as',
      '  too small',
      'Rules gate.yaml on runs/b',
      '',
      'verdict         rule                         found  95 % interval    n',
      '✗ failed        f1 ≥ 0.8                     0.700  0.550 to 0.800  18',
      '? inconclusive  f1 surely ≥ 0.6              0.700  0.550 to 0.800  18',
      '✓ passed        recall (label PERSON) ≥ 0.8  0.900                  10',
      '– skipped       recall (label LOC) ≥ 0.8     0.500                   5',
      '✓ passed        failed cases ≤ 0 %             0 %                   4',
    ]);
  });

  it('says why what was not passed was not, and what to do', async () => {
    const shown = prose(await text(MIXED));
    expect(shown).toContain('✗ f1 ≥ 0.8 0.700 (95 % interval 0.550 to 0.800, n = 18, 4 cases), which is below 0.8.');
    // 0.1 over the line, 0.15 of reach: 4 × 2.25 cases.
    expect(shown).toContain('reaches over the limit. About 9 cases would settle it if it stays as it is.');
  });

  it('names the worst cases and the command that explains them', async () => {
    expect(await text(MIXED)).toContain(
      [
        'Worst cases  3 of 4',
        '  c2  missed 4, spurious 0, hit 2',
        '  c3  missed 2, spurious 2, hit 4',
        '  c1  missed 0, spurious 1, hit 3',
        '  assay explain runs/b --case c2 --case c3 --case c1',
      ].join('\n'),
    );
  });

  it('is short when all is passed', async () => {
    expect(await text('rules: [{ measure: f1, atLeast: 0.6 }]')).toBe(
      [
        '✓ Gate passed: 1 check passed',
        'Rules gate.yaml on runs/b',
        '',
        'verdict   rule      found  95 % interval    n',
        '✓ passed  f1 ≥ 0.6  0.700  0.550 to 0.800  18',
        '',
      ].join('\n'),
    );
  });

  it('shows a difference with both values and the cases that became worse', async () => {
    const compared = comparison([
      difference('f1', {
        baseline: 0.8,
        other: 0.7,
        difference: -0.1,
        units: 4,
        interval: { low: -0.3, high: -0.06, level: 0.95, method: 'bootstrap-percentile' },
      }),
    ]);
    const rules = 'rules: [{ measure: f1, notWorseThan: { margin: 0.05 } }]';
    const shown = await text(rules, { compared, options: { baseline: baselineFolder() } });
    expect(shown).toContain('Rules gate.yaml on runs/b, against runs/a');
    expect(shown).toContain('✗ failed  f1 not worse by > 0.05  -0.100  -0.300 to -0.060  18');
    expect(prose(shown)).toContain(
      '-0.100 (0.800 before, 0.700 now, 95 % gate interval -0.300 to -0.060, bootstrap-percentile, n = 18, 4 cases), which is worse by more than 0.05.',
    );
    expect(shown).toContain('Cases that became worse, by f1\n  c2  0.900 before, 0.500 now\n');
  });

  it('says that runs are the same on every case', async () => {
    const compared = comparison([
      difference('f1', { difference: 0, differing: 0, interval: null, baseline: 0.7, other: 0.7 }),
    ]);
    const rules = 'rules: [{ measure: f1, notWorseThan: { margin: 0 } }]';
    const shown = await text(rules, { compared, options: { baseline: baselineFolder() } });
    expect(shown).toContain('✓ f1 not worse at all\n  The two runs are the same on every case');
  });

  it('warns of checks that were passed on an interval from few cases, and of those only', async () => {
    const warned = '! 1 check was passed on an interval from as few as 4 cases';
    expect(prose(await text('rules: [{ measure: f1, atLeast: 0.5, sure: true }]'))).toContain(warned);
    expect(prose(await text('rules: [{ measure: f1, atLeast: 0.5 }]'))).not.toContain('passed on an interval');
    expect(prose(await text('rules: [{ measure: f1, atLeast: 0.6, sure: true }]'))).not.toContain(
      'passed on an interval',
    );
  });

  it('warns of failed cases that no rule limits, a baseline that no rule uses, and what the comparison noticed', async () => {
    const failed = { measures: { measures: VALUES, cases: { total: 8, failed: 2, unanswered: 0 } } };
    const floor = 'rules: [{ measure: f1, atLeast: 0.6 }]';
    const shown = prose(await text(floor, { run: failed, options: { baseline: baselineFolder() } }));
    expect(shown).toContain('! 2 of 8 cases failed and are in no value, and no rule limits that');
    expect(shown).toContain('! A baseline was given, but no rule compares with it');
    const limited = await text('rules: [{ failed: { atMost: 0.5 } }]', { run: failed });
    expect(limited).not.toContain('no rule limits');
    const compared = comparison(undefined, {
      notices: ['scored in another way'],
      systems: [system('a', { unpaired: { n: 1, cases: ['c9'] } }), system('b')],
    });
    const margin = 'rules: [{ measure: f1, notWorseThan: { margin: 0.05 } }]';
    const noticed = prose(await text(margin, { compared, options: { baseline: baselineFolder() } }));
    expect(noticed).toContain('! scored in another way');
    expect(noticed).toContain('! 1 of 100 cases of a is not compared');
  });

  it('keeps every line within the width, but for commands', async () => {
    const shown = renderTerminal(gateDocument(await gateOf(MIXED)), makeStyle({ terminal: true, width: 60 }));
    const long = shown.split('\n').filter((line) => line.length > 60 && !line.includes('assay explain'));
    expect(long).toEqual([]);
  });

  it('shows of very many checks those that were not passed', async () => {
    const labels = Array.from({ length: 300 }, (_, at) =>
      measure('recall', at % 100 === 0 ? 0.1 : 0.9, { slice: { label: `L${at}` } }),
    );
    const shown = await text('rules: [{ measure: recall, each: label, atLeast: 0.8 }]', {
      run: { measures: { measures: [...VALUES.slice(0, 5), ...labels] } },
    });
    expect(shown).toContain('3 of 300 checks failed, 297 passed');
    expect(shown.match(/^✗ failed/gm)).toHaveLength(3);
    expect(shown).toContain('… and 260 more; --json shows all');
  });

  it('lets nothing in the data act on the terminal', async () => {
    const hostile = [measure('f1', 0.5), measure('f1', 0.1, { slice: { label: HOSTILE } })];
    const shown = await text('rules: [{ measure: f1, each: label, atLeast: 0.9 }, { failed: { atMost: 0 } }]', {
      run: { measures: { measures: hostile, cases: { total: 1, failed: 1, unanswered: 0 } } },
      cases: [{ case: HOSTILE, counts: { hit: 0, missed: 1, spurious: 0, excused: 0 }, failed: HOSTILE }],
      ledger: [{ case: HOSTILE, kind: 'span', verdict: 'missed', rule: 'x', label: HOSTILE }],
    });
    expect(dangerous(shown)).toEqual([]);
    expect(shown).toContain('␛[2J');
  });
});

describe('figures beside a limit', () => {
  it.each([
    [0.776, 0.8, '0.776'],
    [0.79996, 0.8, '0.79996'],
    [0.7999999, 0.8, '0.7999999'],
    [0.8, 0.8, '0.800'],
    [0.99984, 1, '0.9998'],
  ])('%d beside %d is %s: never on the other side of it', (value, limit, shown) => {
    expect(figureBeside(value, limit)).toBe(shown);
  });

  it.each([
    [0.125, 0, '13 %'],
    [0.0104, 0.01, '1.04 %'],
    [0.01, 0.01, '1 %'],
    [0.996, 0.5, '99.6 %'],
    [1, 0.5, '100 %'],
  ])('a share of %d beside %d is %s', (value, limit, shown) => {
    expect(percentBeside(value, limit)).toBe(shown);
  });

  it('an end of an interval that is just beyond the margin shows it', async () => {
    const compared = comparison([
      difference('f1', { interval: { low: -0.0502, high: 0.01, level: 0.95, method: 'bootstrap-percentile' } }),
    ]);
    const rules = 'rules: [{ measure: f1, notWorseThan: { margin: 0.05 } }]';
    expect(await text(rules, { compared, options: { baseline: baselineFolder() } })).toContain('-0.0502 to 0.010');
  });
});

describe('gateJson', () => {
  it('has the verdict, the figures of every check and the sentences', async () => {
    const json = JSON.parse(gateJson(await gateOf(MIXED))) as Record<string, unknown>;
    expect(json).toMatchObject({
      verdict: 'failed',
      counts: { passed: 2, failed: 1, cannotTell: 1, skipped: 1 },
      rules: 'gate.yaml',
      run: { folder: 'runs/b', cases: { total: 4, failed: 0, unanswered: 1 } },
      baseline: null,
      notices: [],
    });
    const checks = json['checks'] as unknown[];
    expect(checks[0]).toEqual({
      rule: 1,
      line: 2,
      demand: 'f1 ≥ 0.8',
      measure: 'f1',
      slice: {},
      verdict: 'failed',
      reason: 'missed',
      value: 0.7,
      interval: { low: 0.55, high: 0.8, level: 0.95, method: 'bootstrap-percentile' },
      n: 18,
      cases: 4,
      baseline: null,
      other: null,
      part: null,
      why: '0.700 (95 % interval 0.550 to 0.800, n = 18, 4 cases), which is below 0.8.',
      next: null,
    });
    expect(json['cases']).toMatchObject([{ kind: 'errors', command: expect.stringContaining('assay explain runs/b') }]);
  });

  it('is safe on a terminal and on a runner that reads commands, and means the same', async () => {
    const id = `${HOSTILE}##[error]x`;
    const gate = await gateOf('rules: [{ failed: { atMost: 0 } }]', {
      run: { measures: { measures: VALUES, cases: { total: 1, failed: 1, unanswered: 0 } } },
      cases: [{ case: id, counts: { hit: 0, missed: 0, spurious: 0, excused: 0 }, failed: 'x' }],
      ledger: [],
    });
    const json = gateJson(gate);
    expect(dangerous(json)).toEqual([]);
    expect(json).not.toContain('##[');
    expect(JSON.parse(json)).toMatchObject({ cases: [{ cases: [{ case: id }] }] });
  });
});

async function page(rules: string, made: MadeUp = {}): Promise<string> {
  const gate: Gate = await judged(rules, made);
  return renderMarkdown(gateDocument({ ...gate, run: { ...gate.run, folder: 'runs/b' } }));
}

describe('a gate as Markdown', () => {
  const mixed = `rules:
  - { measure: f1, atLeast: 0.8 }
  - { measure: precision, atLeast: 0.7 }
`;

  it('has the verdict in the first line', async () => {
    expect(await page(mixed)).toMatch(/^# ❌ Gate failed: 1 of 2 checks failed, 1 passed\n/);
    expect(await page('rules: [{ measure: f1, atLeast: 0.5 }]')).toMatch(/^# ✅ Gate passed: 1 check passed\n/);
    expect(await page('rules: [{ measure: f1, atLeast: 0.6, sure: true }]')).toMatch(
      /^# ❔ Gate inconclusive: 1 check/,
    );
  });

  it('has what was not passed in a table with its reason, and the rest folded away', async () => {
    const [before = '', ...after] = (await page(mixed)).split('<details>');
    expect(before).toContain('| ✗ failed | <code>f1 ≥ 0.8</code> | **0.700** | 0.550 to 0.800 | 18 |');
    expect(before).toContain(
      '- ❌ <code>f1 ≥ 0.8</code>: 0.700 (95 % interval 0.550 to 0.800, n = 18, 4 cases), which is below 0.8.',
    );
    expect(before).not.toContain('precision');
    expect(after[0]).toContain('<summary>1 check passed</summary>\n\n| verdict | rule | found | n |');
    expect(after[1]).toContain('<summary>Worst cases</summary>\n\n- <code>c2</code>  missed 4, spurious 0, hit 2\n');
    expect(after[1]).toContain('```sh\nassay explain runs/b --case c2 --case c3 --case c1 --case c4\n```');
    expect(after[2]).toContain('<summary>Signature</summary>');
  });

  it('makes no mention, link, reference or markup of what is in the data', async () => {
    const nasty = `@octocat#12 https://x.test/ ${HOSTILE}`;
    const shown = await page('rules: [{ measure: f1, each: label, atLeast: 0.9 }, { failed: { atMost: 0 } }]', {
      run: {
        measures: {
          measures: [measure('f1', 0.5), measure('f1', null, { slice: { label: nasty }, undefined: nasty })],
          cases: { total: 1, failed: 1, unanswered: 0 },
        },
      },
      cases: [{ case: nasty, counts: { hit: 0, missed: 1, spurious: 0, excused: 0 }, failed: nasty }],
      ledger: [],
    });
    const unfenced = shown.replaceAll(/^```[^]*?^```$/gm, '');
    // GitHub looks for mentions and references everywhere but in code.
    expect(unfenced.replaceAll(/<code>.*?<\/code>/g, '')).not.toMatch(/@(?!<!-- -->)|#12|https:\/\//);
    expect(unfenced).not.toMatch(/<img|(?<!\\)\[x\]\(y\)/);
    expect(dangerous(shown)).toEqual([]);
    const cells = (line: string): number => line.replaceAll(/\\[\\|]/g, '').split('|').length;
    const rows = shown.split('\n').filter((line) => line.startsWith('|'));
    expect(new Set(rows.map(cells)).size).toBe(1);
  });

  it('fits a comment on a pull request, however many checks there are', async () => {
    const labels = Array.from({ length: 2000 }, (_, at) => measure('recall', 0.1, { slice: { label: `label ${at}` } }));
    const shown = await page('rules: [{ measure: recall, each: label, atLeast: 0.8 }]', {
      run: { measures: { measures: [measure('recall', 0.1), ...labels] } },
    });
    expect(shown.length).toBeLessThan(65_536);
    expect(shown).toContain('2,000 checks failed');
    expect(shown).toContain('… and 1,960 more');
  });
});
