import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { findSlips } from '../../tools/english.mjs';
import { temporaryFolder } from '../cli/run-assay.ts';

/** What is found in a file of src. */
function found(text: string, file = 'src/report/a.ts'): string[] {
  const root = temporaryFolder();
  for (const folder of ['src', 'web', path.dirname(file)]) mkdirSync(path.join(root, folder), { recursive: true });
  writeFileSync(path.join(root, file), text);
  return findSlips(root).map(({ line, found: words, instead }) => `${line}: ${words}: ${instead}`);
}

describe('the words that our English avoids', () => {
  test.each([
    ['// Where the file is gone, it is read again.', 'Where the file is gone,'],
    ["const help = 'the usual file';", 'the usual'],
    ['/** Mended, and read anew. */', 'Mended'],
    ["'compare all the same'", 'all the same'],
    ["'a format of your own'", 'of your own'],
    ["'the report says so'", 'says'],
    ["'there is none'", 'there is none'],
    ["'--gold FILE: what is right'", 'what is right'],
    ["'the closest, and the nearest'", 'nearest'],
  ])('%s', (text, words) => {
    expect(found(text).some((slip) => slip.includes(words))).toBe(true);
  });

  test('are named with their line and what to write instead', () => {
    expect(found('ok\n"it hangs on this"\n')).toEqual(['2: hangs on: depends on']);
  });

  test('are looked for in web and in the words of findings too, and not in prompts that models were sent', () => {
    expect(found('<p>read it anew</p>', 'web/page.tsx')).toEqual(['1: anew: again']);
    expect(found('{ "why": "Mend it." }', 'src/audit/words.json')).toEqual(['1: Mend: fix']);
    expect(found('`It says so.`', 'src/stream/replay/prompts.ts')).toEqual([]);
  });

  test('are looked for in pages, outside of code and output', () => {
    expect(found('It says so.\n', 'docs/tasks/pii.md')).toEqual(['1: says: reports, prints, shows, warns, lists']);
    expect(found('The list beside it.\n', 'docs/trust.md')).toEqual(['1: beside: next to, besides']);
    expect(found('```console\n$ it says\n```\nUse `the usual`.\n', 'docs/trust.md')).toEqual([]);
    expect(found('It says so.\n', 'docs/reference/audit.md')).toEqual([]);
  });

  test.each(["el.scrollIntoView({ block: 'nearest' })", 'Where to look', 'settings.nearest', 'usual: number'])(
    'are not seen in %s',
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );

  test('do not occur in this repository', () => {
    expect(findSlips(path.resolve(import.meta.dirname, '../..'))).toEqual([]);
  });
});
