import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { FORMATS } from '../../src/data/formats.ts';
import { ROOT } from '../cli/run-assay.ts';

const PAGE = readFileSync(join(ROOT, 'docs/data.md'), 'utf8');

it('lists every format with the endings of its files and how it is written', () => {
  const rows = [...PAGE.matchAll(/^\| `([\w-]+)` \| [^|]+ \| ([^|]+) \| (yes|no|folder) \|$/gm)].map(
    ([, name, files, written]) => [name, files, written],
  );
  const expected = FORMATS.map((format) => {
    const { writer } = format;
    const endings = format.kind === 'json' ? 'JSON' : format.extensions.map((end) => `\`${end}\``).join(' ');
    const written = writer === undefined ? 'no' : writer.layout === 'files' ? 'folder' : 'yes';
    return [format.name, endings === '' ? 'by content' : endings, written];
  });
  expect(rows).toEqual(expected.toSorted(([a], [b]) => (a! < b! ? -1 : 1)));
});
