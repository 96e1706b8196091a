import { deflateSync, inflateSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { checkFile } from '../../src/audit/check-file.ts';
import type { WrittenCase } from '../../src/data/format.ts';
import { formatNamed } from '../../src/data/formats.ts';
import { makeItem } from '../../src/data/item.ts';
import { damagesHere, fuzzReader, type SoundFile } from '../damaged-files.ts';

const items = [
  makeItem({
    kind: 'span',
    index: 0,
    label: 'PER',
    text: 'Ann',
    start: 0,
    end: 3,
    line: 1,
    fields: { id: '4', note: 'x' },
  }),
  makeItem({ kind: 'span', index: 1, label: 'LOC', text: 'Oslo', start: 14, end: 18, line: 1, fields: { id: '5' } }),
];
const written: WrittenCase = {
  id: 'd1',
  text: 'Ann met 🙂 in\n"Oslo".',
  tokens: null,
  fields: { source: 'news' },
  side: 'gold',
  items,
  predicted: null,
  failed: null,
};

/** The case as the format writes it. */
function soundFile(format: string, changes: Partial<SoundFile> = {}): SoundFile {
  const writer = formatNamed(format).writer!;
  const content =
    writer.layout === 'whole'
      ? writer.whole([written, { ...written, id: 'd2' }])
      : writer.layout === 'text'
        ? (writer.head?.('gold') ?? '') + writer.text(written) + writer.text({ ...written, id: 'd2', items: [] })
        : writer.layout === 'files'
          ? writer.files(written)[writer.extension]!
          : '';
  return { name: `a${writer.extension}`, bytes: Buffer.from(content), ...changes };
}

const docbin = soundFile('spacy-docbin');
const FILES: readonly (readonly [string, SoundFile])[] = [
  ['MessagePack of spaCy', { ...docbin, bytes: inflateSync(docbin.bytes), pack: (bytes) => deflateSync(bytes) }],
  ['spaCy', docbin],
  ['CoNLL', soundFile('conll')],
  [
    'CoNLL-U',
    { name: 'a.conllu', bytes: Buffer.from('# text = zum x\n1-2\tzum\t_\n1\tzu\tB-P\n2\tdem\tI-P\n3\tx\tO\n') },
  ],
  ['WebAnno TSV', soundFile('webanno-tsv')],
  ['XMI', soundFile('uima-xmi')],
  ['GATE XML', soundFile('gate-xml')],
];

describe('damaged files are read or refused with a message, in little time and memory', () => {
  test.each(FILES)('%s', async (name, file) => {
    const count = damagesHere(100);
    const outcome = await fuzzReader([file], async (source) => (await checkFile(source)).problems.total === 0, {
      count,
    });
    if (process.env['ASSAY_FUZZ'] !== undefined) console.log(name, outcome);
    expect(outcome.accepted + outcome.refused).toBe(count);
  });
});
