import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import type { ConceptExtractor } from '../../../src/stream/concepts/extractor.ts';
import { recordedExtractor } from '../../../src/stream/concepts/recorded.ts';
import { recordingExtractor } from '../../../src/stream/concepts/recorded.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';

// printf ataxia | sha256sum
const ATAXIA = 'sha256:690c32d5c36ccca350386a718164a39aff23346625f84e4bec39a84e7eafca9d';
const hashOf = (text: string): string => `sha256:${hash('sha256', text)}`;

function file(lines: readonly unknown[], name = 'concepts.jsonl'): string {
  const path = join(temporaryFolder(), name);
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

/** Finds the words that begin with a capital C, and counts how often it is asked. */
function counting(): ConceptExtractor & { asked: number } {
  const words = (text: string): string[] => [...new Set(text.match(/C\d+/g) ?? [])].sort();
  const extractor = {
    asked: 0,
    identity: { name: 'words', version: '1', settings: { b: 1, a: null }, knowledgeBase: hashOf('kb'), stoplist: null },
    extract: async (text: string) => {
      extractor.asked += 1;
      return words(text);
    },
    surfaces: async (text: string) => words(text).map((word) => word.toLowerCase()),
  };
  return extractor;
}

describe('recordedExtractor', () => {
  it('answers by the hash of the text, given as a hash or by the text itself, packed or not', async () => {
    const lines = [
      { text_hash: ATAXIA, concepts: ['c0004134'] },
      { text: 'brain\n😀', concepts: ['C2', 'C1', 'C2'] },
      { text: '', concepts: [] },
    ];
    for (const name of ['a.jsonl', 'a.jsonl.gz']) {
      const extractor = await recordedExtractor(file(lines, name));
      expect(await extractor.extract('ataxia')).toEqual(['C0004134']);
      expect(await extractor.extract('brain\n😀')).toEqual(['C1', 'C2']);
      expect(await extractor.extract('')).toEqual([]);
      expect(extractor.surfaces).toBeUndefined();
    }
  });

  it('says which text was not recorded and what to do, never an empty set', async () => {
    const extractor = await recordedExtractor(file([{ text: 'a', concepts: [] }]));
    const asking = extractor.extract('Ataxia\u001b[2J');
    await expect(asking).rejects.toThrow(`no concept set was recorded for the text ${hashOf('Ataxia\u001b[2J')}`);
    await expect(asking).rejects.toThrow(/10 characters, "Ataxia\\u001b\[2J"\) \(record it with the extractor/);
  });

  it('says all that is wrong with a file at once, with lines', async () => {
    const path = file([
      { text: 'a', concepts: ['C1'] },
      { text: 'a', concepts: ['C2'] },
      { concepts: ['C1'] },
      { text_hash: hashOf('a'), text: 'ataxia', concepts: [] },
      { text: 'b', concepts: 'C1' },
      '{"text":',
      [1],
      { text: 'a', concepts: ['c1'] },
    ]);
    const reading = recordedExtractor(path);
    await expect(reading).rejects.toMatchObject({
      problems: [
        { line: 2, message: expect.stringContaining('another answer to the text of line 1') },
        { line: 3, message: 'expected text_hash or text, found neither' },
        { line: 4, message: 'it is not the hash of the text beside it', next: `that hash is ${ATAXIA}` },
        { line: 5, field: 'concepts', message: 'expected a list, found "C1"' },
        { line: 6, message: expect.stringContaining('cut off') },
        { line: 7, message: 'expected a JSON object, found a list of 1' },
      ],
    });
    await expect(recordedExtractor(file([]))).rejects.toThrow('no recorded concept set in this file');
  });

  it('refuses ids that a terminal would act on, and more concepts than a text can have', async () => {
    const many = Array.from({ length: 10_001 }, (_, at) => `C${at}`);
    const path = file([
      { text: 'a', concepts: ['C1\u001b[2J'] },
      { text: 'b', concepts: many },
      { text: 'c', concepts: many.slice(1) },
    ]);
    await expect(recordedExtractor(path)).rejects.toMatchObject({
      problems: [
        { line: 1, field: 'concepts.0' },
        { line: 2, field: 'concepts' },
      ],
    });
  });

  it('takes stopped concepts away, and refuses stopped surfaces, which it cannot know', async () => {
    const path = file([{ text: 'a', concepts: ['C1', 'C2'] }]);
    const stopped = await recordedExtractor(path, { concepts: new Set(['C1']), surfaces: new Set() });
    expect(await stopped.extract('a')).toEqual(['C2']);
    expect(stopped.identity.stoplist).not.toBeNull();
    const refused = recordedExtractor(path, { concepts: new Set(), surfaces: new Set(['patient']) });
    await expect(refused).rejects.toThrow('a stoplist of surface forms cannot be applied');
  });
});

describe('recordingExtractor', () => {
  const identityOf = ({ identity }: ConceptExtractor) => identity;

  it('writes what was answered, in an order that does not depend on the questions', async () => {
    const folder = temporaryFolder();
    const texts = ['C1 and C2', 'nothing', 'C3'];
    for (const [name, asked] of [
      ['a', texts],
      ['b', texts.toReversed()],
    ] as const) {
      const recording = await recordingExtractor(counting(), join(folder, name));
      for (const text of asked) await recording.extract(text);
      expect(existsSync(join(folder, name))).toBe(false);
      await recording.close?.();
    }
    const written = readFileSync(join(folder, 'a'), 'utf8');
    expect(written).toBe(readFileSync(join(folder, 'b'), 'utf8'));
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'b']);
    const [head, ...lines] = written.trimEnd().split('\n');
    expect(JSON.parse(head!)).toEqual({ extractor: identityOf(counting()) });
    const hashes = lines.map((line) => (JSON.parse(line) as { text_hash: string }).text_hash);
    expect(hashes).toEqual(texts.map(hashOf).toSorted());
  });

  it('gives back through recorded what it was told, surfaces too, and names the extractor behind it', async () => {
    const path = join(temporaryFolder(), 'recording.jsonl');
    const recording = await recordingExtractor(counting(), path);
    await recording.extract('C1 and C2');
    await recording.close?.();
    const recorded = await recordedExtractor(path);
    expect(await recorded.extract('C1 and C2')).toEqual(['C1', 'C2']);
    expect(await recorded.surfaces?.('C1 and C2')).toEqual(['c1', 'c2']);
    expect(recorded.identity).toEqual({
      name: 'recorded',
      version: '1',
      settings: {
        recording: `sha256:${hash('sha256', readFileSync(path))}`,
        from: 'words 1',
        from_settings: '{"a":null,"b":1}',
        from_stoplist: null,
      },
      knowledgeBase: hashOf('kb'),
      stoplist: null,
    });
  });

  it('adds to a file of the same extractor, without asking again, and refuses that of another', async () => {
    const path = join(temporaryFolder(), 'recording.jsonl');
    const first = await recordingExtractor(counting(), path);
    await first.extract('C1');
    await first.close?.();
    const inner = counting();
    const second = await recordingExtractor(inner, path);
    expect(await second.extract('C1')).toEqual(['C1']);
    expect(await second.extract('C2')).toEqual(['C2']);
    expect(await second.extract('C2')).toEqual(['C2']);
    expect(inner.asked).toBe(1);
    await second.close?.();
    const recorded = await recordedExtractor(path);
    expect([await recorded.extract('C1'), await recorded.extract('C2')]).toEqual([['C1'], ['C2']]);
    const other = { ...counting(), identity: { ...counting().identity, version: '2' } };
    await expect(recordingExtractor(other, path)).rejects.toThrow('was recorded from an extractor with other settings');
  });
});
