import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { score } from '../../../src/report/score.ts';
import { assayHere } from '../../cli/assay-here.ts';
import { useBrowser } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { linkOf, MAKING_MS, useFolder } from './reports.ts';
import { openRow, openWatched, showView } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();
const spans = join(folder, 'spans');
const graph = join(folder, 'graph');
const consult = join(folder, 'consult');

/** What tries to become markup, to run, to turn the reading order round or to hide. */
const SCRIPT = '</script><script>window.__ran = 1</script>';
const IMAGE = '<img src=x onerror="window.__ran = 2">';
const LINK = 'javascript:window.__ran=3';
const TURNED = 'invoice\u202Egpj.exe\u2066\u2067\u2068\u2069\u200F';
const CONTROL = 'a\u0000b\u0007c\u001B[31md\u009Be\uFEFF';
const ALL = [SCRIPT, IMAGE, LINK, TURNED, CONTROL, '<svg/onload=window.__ran=4>', '"><b>', '{{7*7}}', '__proto__'];

beforeAll(async () => {
  await buildApp();
  await scoreSpans();
  await scoreGraph();
  await scoreConsult();
}, MAKING_MS);

async function scoreSpans(): Promise<void> {
  const text = `${ALL.join(' and ')} end`;
  const span = (index: number, words: string) =>
    makeItem({
      kind: 'span',
      index,
      label: words,
      text: words,
      start: text.indexOf(words),
      end: text.indexOf(words) + words.length,
      fields: { [words]: words, confidence: 0.5 },
    });
  const gold = ALL.map((words, index) => span(index, words));
  const predicted = [
    ...gold.slice(0, 4),
    span(4, ALL[0]!),
    makeItem({ kind: 'span', index: 5, label: IMAGE, text: IMAGE }),
  ];
  const cases = ALL.map((id) => makeCase({ id, text, gold, predicted, fields: { [LINK]: IMAGE } }));
  const failed = makeCase({ id: 'failed', text, gold, failed: `${IMAGE}${TURNED}` });
  await score('pii/strict', [...cases, failed], { out: spans });
}

async function scoreGraph(): Promise<void> {
  const entity = (index: number, name: string) =>
    makeItem({ kind: 'entity', index, label: name, text: name, fields: { name, type: name } });
  const entities = ALL.map((name, index) => entity(index, name));
  const tie = (index: number, from: number, to: number) =>
    makeItem({ kind: 'relationship', index, label: ALL[from]!, text: '', source: ALL[from]!, target: ALL[to]! });
  const given = makeCase({
    id: IMAGE,
    text: ALL.join('\n'),
    gold: [...entities, tie(0, 0, 1), tie(1, 2, 3)],
    predicted: [...entities.slice(2), tie(0, 2, 3), tie(1, 4, 5)],
  });
  await score('graph/openspec', [given], { out: graph });
}

/** Answers of a model, through the files as they are. */
async function scoreConsult(): Promise<void> {
  const cell = (text: string): string => `"${text.replaceAll('"', '""').replaceAll('\u0000', '')}"`;
  const cases = join(folder, 'cases.csv');
  writeFileSync(cases, `id,scenario\nC1,${cell(ALL.join(' '))}\n`);
  const answers = join(folder, 'system.jsonl');
  writeFileSync(answers, `${JSON.stringify({ case_id: 'C1', response: `Your dosha is vata. ${ALL.join('\n\n')}` })}\n`);
  const args = ['score', 'consult/ayurmind', '--cases', cases, '--predictions', answers, '--out', consult];
  const { code, stderr } = await assayHere(args, { cwd: folder });
  if (code !== 0) throw new Error(stderr);
}

/** What is wrong with the page: anything that ran, was injected, or would turn the text round. */
async function harm(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    if ('__ran' in window) found.push(`ran ${String(window.__ran)}`);
    for (const element of document.querySelectorAll('img, iframe, object, embed, link, base, form, audio, video'))
      found.push(`element ${element.localName}`);
    const scripts = [...document.scripts].filter(({ type, id }) => type === '' && id === '').length;
    if (scripts !== 1) found.push(`${scripts} scripts`);
    const unseen = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/;
    for (const element of document.querySelectorAll('body *')) {
      if (element instanceof HTMLScriptElement || element.localName === 'noscript') continue;
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on')) found.push(`attribute ${name}`);
        if (/^(?:href|src|xlink:href|action)$/.test(name) && !value.startsWith('#'))
          found.push(`${name} ${value.slice(0, 80)}`);
        if (unseen.test(value) && (name === 'title' || name === 'placeholder' || name === 'aria-label'))
          found.push(`unseen in ${name} of ${element.localName}`);
      }
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE && unseen.test(node.textContent ?? ''))
          found.push(`unseen in ${element.localName}.${element.className}`);
    }
    if (unseen.test(document.title)) found.push('unseen in the title');
    return [...new Set(found)];
  });
}

const RUNS = { spans, graph, consult } as const;

describe('documents, ids, labels, quotes and answers that are hostile', () => {
  it.each(['spans', 'graph', 'consult'] as const)('are text and nothing else: %s', async (name) => {
    const { page, faults } = await openWatched(browser, linkOf(RUNS[name]));
    for (const view of ['Figures', 'Audit', 'Recipe', 'Summary', 'Cases']) {
      await showView(page, view);
      expect(await harm(page), view).toEqual([]);
    }
    const rows = await page.locator('.open-case').count();
    for (let at = 0; at < rows; at += 1) {
      await openRow(page, at);
      // Whatever can be picked is, so that all its words are on the screen.
      const picks = page.locator('.case-view').locator('.tag, .items-table .row-button, .graph [data-stop], .pill');
      const many = at === 0 ? Math.min(30, await picks.count()) : 0;
      for (let pick = 0; pick < many; pick += 1) await picks.nth(pick).dispatchEvent('click');
      expect(await harm(page), `case ${at}`).toEqual([]);
    }
    for (const view of ['Cases', 'Summary']) {
      await showView(page, view);
      await page.emulateMedia({ media: 'print' });
      expect(await harm(page), `${view} on paper`).toEqual([]);
      await page.emulateMedia({ media: 'screen' });
    }
    expect(await faults()).toEqual([]);
  });

  it('are written out, so that one sees what is there', async () => {
    const { page } = await openWatched(browser, linkOf(spans, '#view=cases'));
    await openRow(page, 0);
    const text = await page.locator('.paragraph-text [data-from]').allTextContents();
    const shown = text.join('');
    expect(shown).toContain(SCRIPT);
    expect(shown).toContain(IMAGE);
    expect(shown).toContain(LINK);
    expect(shown).toContain('invoiceU+202Egpj.exe');
    expect(shown).toContain('aU+0000bU+0007cU+001B[31md');
    await expect.poll(() => page.locator('#case-title').innerText()).toBe(SCRIPT);
  });

  it('do no harm in an address', async () => {
    for (const words of ALL) {
      const state = new URLSearchParams({
        view: 'cases',
        search: words,
        label: words,
        rule: words,
        case: words,
        item: words,
      });
      state.append('slice', words);
      state.append('value', words);
      const { page, faults } = await openWatched(browser, linkOf(spans, `#${state.toString()}`));
      expect(await harm(page), words).toEqual([]);
      expect(await faults(), words).toEqual([]);
    }
  });
});

describe('names without end', () => {
  it('are cut, and what they name still opens', async () => {
    const out = join(folder, 'endless');
    const text = 'alpha beta';
    const span = (index: number, label: string, start: number, end: number) =>
      makeItem({ kind: 'span', index, label, text: text.slice(start, end), start, end });
    const endless = 'L'.repeat(1_000_000);
    const ids = ['I'.repeat(5000), 'half \ud83d', 'plain'];
    const cases = ids.map((id) =>
      makeCase({ id, text, gold: [span(0, endless, 0, 5), span(1, 'B', 6, 10)], predicted: [span(0, 'B', 0, 5)] }),
    );
    await score('pii/strict', cases, { out });
    const { page, faults } = await openWatched(browser, linkOf(out));
    for (const view of ['Summary', 'Figures', 'Audit', 'Cases']) {
      await showView(page, view);
      expect(await page.evaluate(() => document.body.scrollHeight), view).toBeLessThan(20_000);
    }
    for (const [at, id] of ids.entries()) {
      await page.locator(`#case-row-${at} .open-case`).click();
      const shown = id === 'half \ud83d' ? 'half U+D83D' : id.slice(0, 200);
      await page.locator('#case-title', { hasText: shown }).waitFor();
      await page.locator('.case-view').waitFor();
    }
    await page.goto(linkOf(out, '#view=cases&row=77'));
    await page.getByText('This report has no case at this place').waitFor();
    expect(await faults()).toEqual([]);
  });
});

describe('the policy of the file', () => {
  it('lets nothing run, load or be sent that is not the report itself', async () => {
    const { page, faults } = await openWatched(browser, linkOf(spans));
    const answered: string[] = [];
    page.on('response', (response) => void answered.push(response.url()));
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; /);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.__ran = 5';
      document.body.append(script);
      const holder = document.createElement('div');
      holder.innerHTML = '<img src="data:," onerror="window.__ran = 6"><a href="javascript:window.__ran=7">x</a>';
      document.body.append(holder);
      holder.querySelector('a')?.click();
      const frame = document.createElement('iframe');
      frame.src = 'data:text/html,<script>parent.postMessage(1)</script>';
      document.body.append(frame);
      const picture = new Image();
      picture.src = 'https://example.invalid/a.png';
      document.body.append(picture);
      fetch('https://example.invalid/').catch(() => {});
      navigator.sendBeacon('https://example.invalid/beacon', 'words');
    });
    await page.waitForTimeout(300);
    expect(await page.evaluate<unknown>('window.__ran')).toBeUndefined();
    const held = (await faults()).join('\n');
    for (const directive of ['script-src-elem inline', 'script-src-attr inline', 'frame-src', 'img-src', 'connect-src'])
      expect(held).toContain(`held up ${directive}`);
    expect(answered.filter((url) => url.startsWith('http'))).toEqual([]);
  });
});
