import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { convert } from '../../../src/data/convert.ts';
import { hashOf } from '../../../src/data/formats/spacy-docbin.ts';
import { decodeMessagePack, encodeMessagePack } from '../../../src/data/message-pack.ts';
import { readCases } from '../../../src/data/read-cases.ts';
import { fileSource, memorySource } from '../../../src/data/source.ts';
import { jsonl, shown, temporaryFolder } from '../reading.ts';
import { converted, readGold } from './read-side.ts';

const TEXT = 'Ann 🙂 met  Bo.';
const SPANS = JSON.stringify({
  id: 'd1',
  text: TEXT,
  spans: [
    { start: 0, end: 3, label: 'PERSON' },
    { start: 11, end: 13, label: 'PERSON' },
  ],
});
const READ = ['PERSON Ann 0..3', 'PERSON Bo 12..14'];

describe('spacy-json', () => {
  it('is no gold without entities if its spans are in groups, of which nothing is read', async () => {
    const spans = { sc: [{ start: 0, end: 3, label: 'PERSON', kb_id: '' }] };
    const gold = jsonl({ text: TEXT, ents: [], spans });
    const sources = { gold: memorySource('g.jsonl', gold), predictions: memorySource('p.jsonl', gold) };
    const reader = readCases(sources, { kinds: ['span'] });
    await expect(Array.fromAsync(reader)).rejects.toThrow('nothing that this recipe scores, but 2 other annotations');
    const { leftOut } = await readGold(
      'a.jsonl',
      jsonl({ text: TEXT, ents: [{ start: 0, end: 3, label: 'P' }], spans }),
    );
    expect(leftOut).toEqual(['span PERSON of the group sc']);
  });

  it('reads ents by code points', async () => {
    const doc = {
      text: TEXT,
      ents: [
        { start: 0, end: 3, label: 'PERSON' },
        { start: 11, end: 13, label: 'PERSON', kb_id: 'Q1' },
      ],
      tokens: [{ id: 0, start: 0, end: 3 }],
      cats: { news: 1 },
    };
    const { cases, format } = await readGold('a.json', JSON.stringify([doc]));
    expect([format, cases[0]!.id, shown(cases[0]!.gold)]).toEqual(['spacy-json', '1', READ]);
    expect(cases[0]!.gold[1]!.fields).toEqual({ kb_id: 'Q1' });
    expect(cases[0]!.fields['cats']).toEqual({ news: 1 });
  });

  it('writes them', async () => {
    const { files, lost } = await converted('a.jsonl', SPANS, 'out.jsonl', { to: 'spacy-json' });
    expect(lost).toEqual([]);
    expect(JSON.parse(files['out.jsonl']!)).toEqual({
      id: 'd1',
      text: TEXT,
      ents: [
        { start: 0, end: 3, label: 'PERSON' },
        { start: 11, end: 13, label: 'PERSON' },
      ],
    });
  });
});

describe('spacy-pairs', () => {
  it('reads pairs of a text and entities, and writes them without the id', async () => {
    const pairs = `[["${TEXT}",{"entities":[[0,3,"PERSON"],[11,13,"PERSON"]]}]]`;
    const { cases, format } = await readGold('a.json', pairs);
    expect([format, cases[0]!.id, shown(cases[0]!.gold)]).toEqual(['spacy-pairs', '1', READ]);
    const { files, lost } = await converted('a.jsonl', SPANS, 'out.json', { to: 'spacy-pairs' });
    expect(JSON.parse(files['out.json']!)).toEqual(JSON.parse(pairs));
    expect(lost).toEqual(['d1: the id']);
  });
});

describe('spacy-training', () => {
  const token = (orth: string, ner: string) => ({ orth, ner });
  it('reads BILUO tags; each paragraph is a case, at the places of its raw text', async () => {
    const paragraphs = [
      {
        raw: 'Ann  Lee left.',
        sentences: [{ tokens: [token('Ann', 'B-PER'), token('Lee', 'L-PER'), token('left', 'O')] }],
      },
      { sentences: [{ tokens: [token('Bo', 'U-PER')] }, { tokens: [token('too', '-')] }] },
    ];
    const { cases, format } = await readGold('a.json', JSON.stringify([{ id: 7, paragraphs }]));
    expect(format).toBe('spacy-training');
    expect(cases.map(({ id, text, gold }) => [id, text, shown(gold)])).toEqual([
      ['7.1', 'Ann  Lee left.', ['PER Ann  Lee 0..8']],
      ['7.2', 'Bo too', ['PER Bo 0..2']],
    ]);
  });

  it('writes a paragraph for each case, with raw text where tokens and spaces do not give it', async () => {
    const { files, lost } = await converted('a.jsonl', SPANS, 'out.json', { to: 'spacy-training' });
    expect(lost).toEqual([]);
    const tokens = ['Ann U-PERSON', '🙂 O', 'met O', 'Bo U-PERSON', '. O'].map((pair, id) => {
      const [orth, ner] = pair.split(' ');
      return { id, orth, ner };
    });
    expect(JSON.parse(files['out.json']!)).toEqual([
      { id: 'd1', paragraphs: [{ raw: TEXT, sentences: [{ tokens }] }] },
    ]);
  });
});

describe('spacy-docbin', () => {
  it.each([
    ['coffee', 3197928453018144401n],
    ['', 0n],
    // Symbols are their own numbers: spacy/symbols.pxd.
    ['PERSON', 380n],
    ['ORG', 383n],
    ['nsubj', 429n],
  ])('calls %s %s, as spaCy does', (text, expected) => {
    expect(hashOf(text)).toBe(expected);
  });

  it('writes a table of words and entities, and reads it back at the same places', async () => {
    const { files, lost } = await converted('a.jsonl', SPANS, 'out.spacy', { to: 'spacy-docbin' });
    expect(files).toHaveProperty(['out.spacy']);
    // Runs of white space are tokens in spaCy.
    expect(lost).toEqual(['d1: the id']);
  });

  it('holds what spaCy expects of version 0.1', async () => {
    const { spacyDocbin } = await import('../../../src/data/formats/spacy-docbin.ts');
    if (spacyDocbin.writer?.layout !== 'whole') throw new Error('one file holds all documents');
    const item = (start: number, end: number) => ({ kind: 'span', label: 'PERSON', text: 'Ann', start, end }) as never;
    const bytes = spacyDocbin.writer.whole([
      {
        id: 'd1',
        text: 'Ann  left',
        tokens: null,
        fields: {},
        side: 'gold',
        predicted: null,
        failed: null,
        items: [item(0, 3)],
      },
    ]) as Buffer;
    const packed = decodeMessagePack(inflateSync(bytes)) as Record<string, unknown>;
    expect(packed).toMatchObject({ version: '0.1', attrs: [65, 77, 78], strings: ['', ' ', 'Ann', 'PERSON', 'left'] });
    const tokens = packed['tokens'] as Buffer;
    const cells = Array.from({ length: 9 }, (_, at) => tokens.readBigUInt64LE(8 * at));
    // A word, its IOB mark (3 begins, 2 is outside) and its type; the second of two spaces is a word.
    expect(cells).toEqual([hashOf('Ann'), 3n, 380n, hashOf(' '), 2n, 0n, hashOf('left'), 2n, 0n]);
    expect([...(packed['spaces'] as Buffer)]).toEqual([1, 0, 0]);
    expect((packed['lengths'] as Buffer).readInt32LE(0)).toBe(3);
    const { cases } = await readGold('a.spacy', bytes);
    expect([cases[0]!.text, shown(cases[0]!.gold)]).toEqual(['Ann  left', ['PERSON Ann 0..3']]);
  });

  it('counts its categories, and lists the span groups, which are no entities', async () => {
    const { spacyDocbin } = await import('../../../src/data/formats/spacy-docbin.ts');
    if (spacyDocbin.writer?.layout !== 'whole') throw new Error('one file holds all documents');
    const items = [{ kind: 'span', label: 'PERSON', text: 'Ann', start: 0, end: 3 }];
    const doc = { id: 'd1', text: 'Ann', tokens: null, fields: {}, side: 'gold', predicted: null, failed: null, items };
    const packed = decodeMessagePack(inflateSync(spacyDocbin.writer.whole([doc as never]))) as object;
    // An empty SpanGroups is an empty list or map of MessagePack.
    const groups = [Buffer.from([0x91, 0xc0]), Buffer.from([0x90]), Buffer.from([0x80]), Buffer.alloc(0)];
    const leftOut = [];
    for (const group of groups) {
      const more = { cats: [{ travel: 1, food: 0 }], span_groups: [group] };
      const bytes = deflateSync(encodeMessagePack({ ...packed, ...more }));
      leftOut.push((await readGold('a.spacy', bytes)).leftOut);
      const path = join(temporaryFolder(), 'a.spacy');
      writeFileSync(path, bytes);
      const { losses } = await convert(fileSource(path), join(temporaryFolder(), 'a.jsonl'));
      expect(losses).toContainEqual(expect.objectContaining({ item: 'category "travel"' }));
    }
    expect(leftOut).toEqual([['the span groups'], [], [], []]);
  });

  const refusal = async (changes: object): Promise<string> => {
    const packed = {
      attrs: [65],
      tokens: Buffer.alloc(8),
      lengths: Buffer.from([1, 0, 0, 0]),
      strings: ['x'],
      ...changes,
    };
    return readGold('a.spacy', deflateSync(encodeMessagePack(packed as never))).then(
      () => 'read',
      (error: unknown) => String(error),
    );
  };
  const cells = (count: number, text: string): Buffer => {
    const cell = Buffer.alloc(8);
    cell.writeBigUInt64LE(hashOf(text));
    return Buffer.alloc(8 * count, cell);
  };
  const int32 = (...values: readonly number[]): Buffer => Buffer.from(Int32Array.from(values).buffer);

  it('refuses a table that names one long string again and again, and more documents than fit into it', async () => {
    const long = 'x'.repeat(1 << 18);
    const lengths = int32(...Array.from({ length: 80 }, () => 1));
    expect(await refusal({ tokens: cells(80, long), strings: [long], lengths })).toContain(
      'its texts are longer than its table',
    );
    expect(await refusal({ tokens: cells(300, long), strings: [long], lengths: int32(300) })).toContain(
      'longer than 64 MiB',
    );
    expect(await refusal({ lengths: Buffer.alloc(400_000) })).toContain('more documents than tokens');
    expect(await refusal({ tokens: cells(200_001, 'x'), lengths: int32(200_001) })).toContain(
      'more than 200000 tokens',
    );
    expect(await refusal({ strings: [randomBytes(1 << 23).toString('hex'), 'x'] })).toContain(
      'its strings are longer than 16 MiB',
    );
    expect(await refusal({ lengths: int32(-1) })).toContain('its table is cut off');
    expect(await refusal({ attrs: [{ valueOf: 1, toString: 2 }] })).toContain('it has no words');
  });

  it('refuses what is cut off', async () => {
    await expect(readGold('a.spacy', Buffer.from([0x78, 0x9c, 0x01]))).rejects.toThrow('not a DocBin');
  });
});
