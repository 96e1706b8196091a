import { describe, expect, it } from 'vitest';

import { intervalPicture } from '../../src/report/evaluation-bars.ts';
import { pageHtml } from '../../src/report/evaluation-html.ts';
import { pageMarkdown } from '../../src/report/evaluation-markdown.ts';
import type { Page } from '../../src/report/evaluation-page.ts';
import { evaluationPage } from '../../src/report/evaluation-sections.ts';
import { madeUpEvaluation, agreed } from './evaluation-made-up.ts';
import { dangerous, HOSTILE } from './made-up-run.ts';

const page = evaluationPage(madeUpEvaluation());
const html = pageHtml(page);

const all = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([, found]) => found ?? '');

/** An evaluation in which everything that comes from outside tries something. */
function hostilePage(): Page {
  const evil = `<script>alert(1)</script>${HOSTILE}"'`;
  const given = madeUpEvaluation();
  return evaluationPage({
    ...given,
    recipe: { name: evil, about: evil },
    systems: given.systems.map((one) => ({ ...one, system: evil })),
    agreement: [agreed(evil, { title: evil, value: null, undefined: evil })],
    judge: given.judge.map((one) => ({ ...one, model: evil, expired: evil })),
    withoutClass: [{ caseId: evil, because: evil }],
    missing: [{ question: evil, title: evil, system: evil, given: 0, expected: 2, people: [evil] }],
    leftColumns: [evil],
  });
}

describe('evaluation_summary_report.html', () => {
  it('says the same as the Markdown: the same parts, tables, rows and remarks in the same order', () => {
    const markdown = pageMarkdown(page);
    const plain = (text: string): string => text.replaceAll(/\\([[\]#|*_])/g, '$1');
    expect(all(html, /<h2 [^>]*>([^<]*)<\/h2>/g)).toEqual(all(markdown, /^## (.*)$/gm).map(plain));
    expect(all(html, /<caption [^>]*>([^<]*)<\/caption>/g)).toEqual(all(markdown, /^### (.*)$/gm).map(plain));
    // Every table of Markdown has a line of dashes besides its titles and rows.
    const rows = markdown.split('\n').filter((line) => line.startsWith('| ')).length;
    expect(all(html, /(<tr>)/g)).toHaveLength(rows - all(markdown, /^### (.*)$/gm).length);
    expect(all(html, /(<li>)/g).length - page.sections.length).toBe(
      markdown.split('\n').filter((line) => line.startsWith('- ')).length,
    );
  });

  it('is one file that runs nothing and loads nothing', () => {
    expect(html).toContain(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline';",
    );
    expect(html).not.toMatch(/<script|<link|<img|<iframe|javascript:|url\(|@import|https?:/i);
    expect(all(html, /(\son[a-z]+=)/g)).toEqual([]);
  });

  it('has tables that a screen reader can walk through, each in a box of its own that scrolls', () => {
    const tables = all(html, /<table>([^]*?)<\/table>/g);
    for (const table of tables) {
      expect(table).toMatch(/^\n<caption id="table-\d+">/);
      expect(table).toMatch(/<thead><tr><th scope="col"/);
      for (const row of all(table.slice(table.indexOf('<tbody>')), /<tr>([^]*?)<\/tr>/g))
        expect(row).toMatch(/^<th scope="row"/);
    }
    expect(all(html, /(<div class="scroll" role="region" aria-labelledby="table-\d+" tabindex="0">)/g)).toHaveLength(
      tables.length,
    );
  });

  it('draws a dot with whiskers for a value with an interval, hidden from screen readers since the text says it', () => {
    expect(html).toMatch(/0\.250 \(0\.100 to 0\.600\), n 4<svg class="bar" [^>]*aria-hidden="true">/);
    expect(html).not.toMatch(/undefined \[1\]<svg/);
  });

  it('escapes whatever comes from outside and shows what would reorder or clear', () => {
    const evil = pageHtml(hostilePage());
    expect(evil).not.toMatch(/<script|<img/i);
    expect(evil).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(evil).toContain('‹U+202E›');
    expect(dangerous(evil)).toEqual([]);
    // Nothing of it ends an attribute: elements have none but our own.
    const names = new Set(
      all(evil, /<[a-z0-9]+((?: [a-zA-Z-]+="[^"]*")*)\/?>/g).flatMap((own) => all(own, / ([a-zA-Z-]+)=/g)),
    );
    expect([...names].filter((name) => name.startsWith('on') || name === 'src' || name === 'style')).toEqual([]);
    expect(pageMarkdown(hostilePage())).not.toMatch(/<script|<img/i);
    expect(dangerous(pageMarkdown(hostilePage()))).toEqual([]);
  });

  it('gives a reason for everything that has no value', () => {
    const tables = page.sections.flatMap(({ blocks }) => blocks).filter((block) => block.kind === 'table');
    const lacking = tables.flatMap((table) =>
      table.rows.flat().flatMap(({ text }) => (/^(?:undefined|none)(?! stated)/.test(text) ? [{ table, text }] : [])),
    );
    expect(lacking.length).toBeGreaterThan(8);
    for (const { table, text } of lacking) {
      const mark = /\[\d+\]/.exec(text)?.[0] ?? 'no mark';
      expect(table.notes.find((note) => note.startsWith(`${mark} `))).toMatch(/^\[\d+\] .{5,}/);
    }
    expect(html).not.toMatch(/N\/A|NaN|null|\[object/);
  });
});

describe('intervalPicture', () => {
  it('puts value and interval on the whole range: 0.5 of 0 to 1 in the middle', () => {
    const { markup } = intervalPicture({ value: 0.5, low: 0, high: 1, ends: [0, 1], aim: null });
    expect(markup).toContain('cx="60"');
    expect(markup).toContain('M4 6L116 6');
  });

  it('keeps what lies beyond the range at its end, and marks the value to aim at', () => {
    const { markup } = intervalPicture({ value: 7, low: null, high: null, ends: [0, 5], aim: 2.5 });
    expect(markup).toContain('cx="116"');
    expect(markup).toContain('M60 1L60 11');
  });
});
