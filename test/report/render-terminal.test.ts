import { describe, expect, test } from 'vitest';

import type { Document } from '../../src/report/document.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { makeStyle } from '../../src/report/style.ts';

const tableOf = (title: string | undefined): Document => ({
  title: 'Rules',
  sections: [
    {
      ...(title === undefined ? {} : { title }),
      blocks: [
        {
          columns: [{ title: 'rule' }, { title: 'setting', below: true }, { title: 'n', align: 'right' }],
          rows: [
            ['merge', 'joins spans that are next to each other', '12'],
            ['sum', '', '7'],
          ],
        },
      ],
    },
  ],
});

describe('a column that is below its row', () => {
  const narrow = makeStyle({ width: 40 });

  test('takes lines of its own on a terminal, none if it is empty', () => {
    expect(renderTerminal(tableOf(undefined), narrow).split('\n').slice(2)).toEqual([
      'rule    n',
      'merge  12',
      '  joins spans that are next to each',
      '  other',
      'sum     7',
      '',
    ]);
    expect(renderTerminal(tableOf('Rule'), narrow)).toContain('\n  merge  12\n    joins spans');
  });

  test('is a column like others on a page', () => {
    expect(renderMarkdown(tableOf('Rule'))).toContain('| merge | joins spans that are next to each other | 12 |');
  });
});
