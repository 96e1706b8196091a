import { expect, test } from 'vitest';

import { notShown } from '../../../../web/src/report/case/not-shown.ts';

test.each([
  ['journals.jsonl is gone', 'Not shown: journals.jsonl is gone.'],
  ['the text is not shown: journals.jsonl is gone.', 'Not shown: journals.jsonl is gone.'],
  ['texts were left out', 'Not shown: texts were left out.'],
  [null, 'Not shown: the report does not hold it.'],
])('a reason becomes one sentence: %s', (reason, sentence) => {
  expect(notShown(reason)).toBe(sentence);
});
