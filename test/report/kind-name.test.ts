import { expect, test } from 'vitest';

import { kindName } from '../../src/report/kind-name.ts';

test('several items of a kind go by a word of the language', () => {
  expect(['span', 'object', 'entity', 'class', 'summary', 'constructor'].map(kindName)).toEqual([
    'spans',
    'objects',
    'entities',
    'classes',
    'summaries',
    'constructors',
  ]);
});
