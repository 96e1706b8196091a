import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { keptTexts } from '../../../src/report/html/hide-texts.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';

/** A report of which only the end of its head matters, with so many characters before and after it. */
function report(texts: string | null, before = 10, after = 10): string {
  const folder = join(temporaryFolder(), 'run');
  mkdirSync(folder);
  const content = texts === null ? '' : `"texts":"${texts}","cases":8,"pages":[0]`;
  writeFileSync(join(folder, 'report.html'), `${'x'.repeat(before)}${content}${'y'.repeat(after)}`);
  return folder;
}

it('a page holds no more of the texts than any of its runs’ reports', async () => {
  expect(await keptTexts([report('full'), report('full')])).toBe('full');
  expect(await keptTexts([report('full'), report('redacted')])).toBe('redacted');
  expect(await keptTexts([report('none'), report('redacted')])).toBe('none');
  expect(await keptTexts([join(temporaryFolder(), 'no-report'), report(null)])).toBe('full');
});

it('finds what the report says anywhere in a large file', async () => {
  const mebibyte = 1 << 20;
  for (const after of [0, 1, mebibyte - 20, mebibyte, mebibyte + 7, 3 * mebibyte])
    expect(await keptTexts([report('none', 2 * mebibyte, after)]), String(after)).toBe('none');
});

it('takes no text of a document for what the report says', async () => {
  const folder = report('none', 0, 0);
  const quoted = JSON.stringify({ text: '"texts":"full","cases":1,"pages":[' });
  writeFileSync(join(folder, 'report.html'), `"texts":"none","cases":8,"pages":[${quoted}`);
  expect(await keptTexts([folder])).toBe('none');
});
