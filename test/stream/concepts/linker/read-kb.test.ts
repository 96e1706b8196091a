import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { InputError } from '../../../../src/data/problems.ts';
import type { KbConcept } from '../../../../src/stream/concepts/linker/kb-concept.ts';
import { openKnowledgeBase } from '../../../../src/stream/concepts/linker/read-kb.ts';
import type { RrfOptions } from '../../../../src/stream/concepts/linker/read-kb-rrf.ts';
import { temporaryFolder } from '../../../cli/run-assay.ts';

async function read(paths: readonly string[], options?: RrfOptions): Promise<KbConcept[]> {
  const kb = await openKnowledgeBase(paths, options);
  return Array.fromAsync(kb.concepts());
}

function write(name: string, content: string | Buffer): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

const ATAXIA = {
  concept_id: 'C1',
  canonical_name: 'Ataxia',
  aliases: ['Gait ataxia'],
  types: ['T184'],
  definition: 'x',
};
const PAIN = { concept_id: 'C2', canonical_name: 'Pain' };
const LINES = `${JSON.stringify(ATAXIA)}\n\n${JSON.stringify(PAIN)}\n`;
const CONCEPTS: readonly KbConcept[] = [
  { id: 'C1', name: 'Ataxia', aliases: ['Gait ataxia'], types: ['T184'], hasDefinition: true },
  { id: 'C2', name: 'Pain', aliases: [], types: [], hasDefinition: false },
];

describe('a knowledge base of scispaCy', () => {
  it('is read from lines, from an array and compressed, with the same concepts', async () => {
    expect(await read([write('kb.jsonl', LINES)])).toEqual(CONCEPTS);
    expect(await read([write('kb.jsonl.gz', gzipSync(LINES))])).toEqual(CONCEPTS);
    expect(await read([write('kb.jsonl.zst', zstdCompressSync(LINES))])).toEqual(CONCEPTS);
    expect(await read([write('kb.json', JSON.stringify([ATAXIA, PAIN], null, 2))])).toEqual(CONCEPTS);
  });

  it('has the sha256 of the unpacked bytes, packed or not, and no folder in its name', async () => {
    // By sha256sum.
    const plain = await openKnowledgeBase([write('kb.jsonl', LINES)]);
    const packed = await openKnowledgeBase([write('kb.jsonl.gz', gzipSync(LINES))]);
    await Array.fromAsync(plain.concepts());
    await Array.fromAsync(packed.concepts());
    expect(packed.facts()).toEqual(plain.facts());
    expect(plain.facts()).toMatchObject({ files: [{ name: 'kb.jsonl' }], language: null, suppressed: null });
    expect(plain.facts().sha256).toBe('sha256:ea68d04c9491a9a52c657bf0bcc8567157cb39c97cbb3495777b877935b40bb5');
  });

  it('reports all that is wrong, each with its line', async () => {
    const file = write(
      'kb.jsonl',
      [
        '{"concept_id": "", "canonical_name": "A"}',
        '{"concept_id": "C2", "canonical_name": 7, "aliases": "x"}',
        '{"concept_id": "C3", "canonical_name": "C", "aliases": ["ok", 5], "definition": 1}',
        'nonsense',
        '[1]',
        JSON.stringify({ concept_id: 'C6', canonical_name: 'x'.repeat(10_001) }),
      ].join('\n'),
    );
    const error = await read([file]).catch((caught: unknown) => caught);
    if (!(error instanceof InputError)) throw new Error('expected an InputError');
    expect(error.problems.map(({ line, field }) => `${line ?? '-'} ${field ?? '-'}`)).toEqual([
      '1 concept_id',
      '2 canonical_name',
      '2 aliases',
      '3 aliases.1',
      '3 definition',
      '4 -',
      '5 -',
      '6 canonical_name',
    ]);
    expect(error.message).toContain('kb.jsonl:2: aliases: expected a list, found "x"');
  });

  it('refuses files that are not there, are empty or are something else', async () => {
    await expect(read([join(temporaryFolder(), 'no.jsonl')])).rejects.toThrow(/no such file/);
    await expect(read([write('empty.jsonl', '')])).rejects.toThrow(/empty/);
    await expect(read([write('kb.jsonl', Buffer.from('PK\u0003\u0004zip'))])).rejects.toThrow(/zip archive/);
  });
});

const row = (cui: string, language: string, ts: string, stt: string, preferred: string, name: string, suppress = 'N') =>
  `${cui}|${language}|${ts}|L1|${stt}|S1|${preferred}|A1||M1|D1|MSH|PEP|D1|${name}|0|${suppress}|256|`;

const MRCONSO = [
  row('C01', 'ENG', 'S', 'PF', 'Y', 'Second name'),
  row('C01', 'ENG', 'P', 'PF', 'Y', 'First preferred'),
  row('C01', 'ENG', 'P', 'PF', 'Y', 'Preferred again'),
  row('C01', 'GER', 'P', 'PF', 'Y', 'Deutscher Name'),
  row('C01', 'ENG', 'P', 'PF', 'Y', 'Suppressed', 'O'),
  row('C02', 'ENG', 'P', 'VO', 'N', 'Only a variant'),
  row('C02', 'ENG', 'S', 'PF', 'N', 'Another'),
].join('\n');
const MRDEF = 'C01|A1|AT1||MSH|A definition.|N||\nC02|A1|AT1||MSH|A suppressed one.|Y||\n';
const MRSTY = 'C01|T109|A1|Organic Chemical|AT1|256|\nC01|T121|A1|Pharmacologic Substance|AT2|256|\nC09|T001|A|x|y||\n';

function umls(tables: Readonly<Record<string, string | Buffer>>): string {
  const folder = join(temporaryFolder(), 'META');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(tables)) writeFileSync(join(folder, name), content);
  return folder;
}

describe('UMLS files', () => {
  const whole = { 'MRCONSO.RRF': MRCONSO, 'MRDEF.RRF': MRDEF, 'MRSTY.RRF': MRSTY };
  const english = [
    {
      id: 'C01',
      name: 'First preferred',
      aliases: ['Second name', 'Preferred again'],
      types: ['T109', 'T121'],
      hasDefinition: true,
    },
    { id: 'C02', name: 'Only a variant', aliases: ['Another'], types: [], hasDefinition: false },
  ];

  it('give English names that are not suppressed, the preferred one first, as scispaCy converts them', async () => {
    expect(await read([umls(whole)])).toEqual(english);
  });

  it('are read compressed, and by their names in any order', async () => {
    const folder = umls({ 'MRCONSO.RRF.gz': gzipSync(MRCONSO), 'MRDEF.RRF': MRDEF, 'MRSTY.RRF': MRSTY });
    expect(await read([folder])).toEqual(english);
    const files = ['MRSTY.RRF', 'MRCONSO.RRF.gz', 'MRDEF.RRF'].map((name) => join(folder, name));
    expect(await read(files)).toEqual(english);
  });

  it('give another language or suppressed names when asked', async () => {
    const folder = umls(whole);
    const german = await read([folder], { language: 'GER', suppressed: false });
    expect(german.map(({ name }) => name)).toEqual(['Deutscher Name']);
    const all = await read([folder], { language: 'ENG', suppressed: true });
    expect(all[0]?.aliases).toContain('Suppressed');
  });

  it('say what is missing', async () => {
    const kb = await openKnowledgeBase([umls({ 'MRCONSO.RRF': MRCONSO })]);
    expect(kb.notes).toEqual([
      'no MRDEF.RRF: every concept counts as one without a definition, which needs a higher score',
      'no MRSTY.RRF: concepts have no semantic types',
    ]);
    await expect(read([umls({ 'MRDEF.RRF': MRDEF })])).rejects.toThrow(/expected MRCONSO.RRF .* found none/);
    await expect(read([join(umls(whole), 'MRDEF.RRF')])).rejects.toThrow(/MRDEF.RRF and MRSTY.RRF name no concepts/);
  });

  it('say which line has an id that a terminal would act on', async () => {
    const folder = umls({ ...whole, 'MRCONSO.RRF': `${MRCONSO}\nC\u001b1|ENG${'|'.repeat(17)}\n` });
    await expect(read([folder])).rejects.toThrow(
      /MRCONSO.RRF:8: CUI: expected an id without control .* found "C\\u001b1"/,
    );
    const file = write('kb.jsonl', JSON.stringify({ concept_id: 'C\u001b1', canonical_name: 'A' }));
    await expect(read([file])).rejects.toThrow(/kb.jsonl:1: concept_id: expected an id without control/);
  });

  it('say which line has too few columns', async () => {
    const folder = umls({ ...whole, 'MRCONSO.RRF': `${MRCONSO}\nC03|ENG|P|\n|ENG${'|'.repeat(17)}\n` });
    await expect(read([folder])).rejects.toThrow(/MRCONSO.RRF:8: expected the 18 columns of MRCONSO .*, found 3/);
    await expect(read([folder])).rejects.toThrow(/MRCONSO.RRF:9: CUI: expected the id of a concept/);
  });
});
