import { describe, expect, it } from 'vitest';

import { gateDocument } from '../../src/report/gate.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import type { Gate } from '../../src/compare/gate/judge-gate.ts';
import { judged, type MadeUp } from '../compare/gate/made-up-gate.ts';
import { dangerous, HOSTILE, measure } from './made-up-run.ts';

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
