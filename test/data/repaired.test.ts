import { expect, it } from 'vitest';

import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';

it('texts mended from broken UTF-8 are counted, so that the mending is seen', async () => {
  const text = 'Vestre Højesteret';
  const span = { start: 7, end: 17, label: 'ORG', text: 'HÃ¸jesteret' };
  const record = JSON.stringify({ id: 'a', text, gold: [span], predicted: [] });
  const reader = readCases({ cases: memorySource('a.jsonl', record) }, { mojibake: 'repair' });
  const [only] = await Array.fromAsync(reader);
  expect(only?.gold[0]?.text).toBe('Højesteret');
  expect(reader.notices.textsRepaired).toBe(1);
});
