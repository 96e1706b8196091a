import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { buildIndex } from '../../../../../src/tasks/stream/concepts/linker/build-index.ts';
import { linkText } from '../../../../../src/tasks/stream/concepts/linker/link-text.ts';
import { linkerExtractor } from '../../../../../src/tasks/stream/concepts/linker/linker-extractor.ts';
import { writeIndex } from '../../../../../src/tasks/stream/concepts/linker/write-index.ts';
import { temporaryFolder } from '../../../../cli/run-assay.ts';
import { concept } from './small-kb.ts';

const index = await buildIndex([
  concept('c0004134', ['Ataxia']),
  concept('C0007758', ['Cerebellar ataxia', 'Ataxia, cerebellar']),
  concept('C0013362', ['Dysarthria'], { hasDefinition: false }),
  concept('C0008031', ['Chest pain'], { hasDefinition: false }),
  concept('C0024485', ['MRI', 'Magnetic resonance imaging']),
]);
const TEXT = 'Progressive Cerebellar ATAXIA with dysarthria; an MRI was taken.';

describe('linkText', () => {
  it('says of every mention where it is, what it may mean and what dropped it', () => {
    const { mentions, concepts } = linkText(index, 'No ataxia but dysarthri.', { stopSurfaces: new Set(['ATAXIA']) });
    expect(concepts).toEqual([]);
    expect(mentions).toMatchObject([
      { start: 3, end: 9, surface: 'ataxia', by: 'alias', isStopped: true, candidates: [] },
      {
        start: 14,
        end: 23,
        surface: 'dysarthri',
        by: 'words',
        isStopped: false,
        candidates: [{ id: 'C0013362', name: 'Dysarthria', alias: 'Dysarthria', dropped: 'no definition' }],
      },
    ]);
  });

  it('shows candidates below the threshold, too', () => {
    const shown = linkText(index, 'ataxia', { showFrom: 0.1 }).mentions[0]!.candidates;
    expect(shown.map(({ id, dropped }) => [id, dropped])).toEqual([
      ['C0004134', null],
      ['C0007758', 'below threshold'],
    ]);
  });
});

describe('linkerExtractor', () => {
  it('gives the ids of a text in upper case, each once, in text order', async () => {
    const extractor = await linkerExtractor({ index });
    expect(await extractor.extract(`${TEXT} ${TEXT}`)).toEqual(['C0007758', 'C0013362', 'C0024485']);
    expect(await extractor.extract('')).toEqual([]);
  });

  it('is the same as linkText, also when asked again', async () => {
    const extractor = await linkerExtractor({ index, threshold: 0.4 });
    for (const text of [TEXT, 'cerebellar ataxias', TEXT])
      expect(await extractor.extract(text)).toEqual(linkText(index, text, { threshold: 0.4 }).concepts);
  });

  it('reads an index file', async () => {
    const file = join(temporaryFolder(), 'kb.idx');
    writeIndex(index, file);
    const [fromFile, inMemory] = [await linkerExtractor({ index: file }), await linkerExtractor({ index })];
    expect(await fromFile.extract(TEXT)).toEqual(await inMemory.extract(TEXT));
    expect(fromFile.identity).toEqual(inMemory.identity);
  });

  it('takes concepts and surfaces off that are on a stoplist, in any case', async () => {
    const extractor = await linkerExtractor({
      index,
      stopConcepts: new Set(['c0013362']),
      stopSurfaces: new Set(['Mri']),
    });
    expect(await extractor.extract(TEXT)).toEqual(['C0007758']);
    expect(extractor.surfaces('MRI, ataxia')).toEqual(['ataxia', 'mri']);
  });

  it('asks less of concepts without a definition where that is wanted', async () => {
    const strict = await linkerExtractor({ index });
    const free = await linkerExtractor({ index, noDefinitionThreshold: null });
    expect(await strict.extract('dysarthri')).toEqual([]);
    expect(await free.extract('dysarthri')).toEqual(['C0013362']);
  });

  it('is named by its knowledge base, its settings and its stoplists', async () => {
    const { identity } = await linkerExtractor({ index });
    expect(identity).toEqual({
      name: 'linker',
      version: '1',
      settings: {
        threshold: 0.7,
        maxK: 10,
        minEntityLength: 3,
        maxWords: 3,
        resolveAbbreviations: true,
        noDefinitionThreshold: 0.95,
        nearest: 30,
        minDf: 1,
        language: null,
        suppressed: null,
      },
      knowledgeBase: index.knowledgeBase.sha256,
      stoplist: null,
    });
    const stopped = await linkerExtractor({ index, stopConcepts: new Set(['C1']) });
    expect(stopped.identity.stoplist).toMatch(/^sha256:[0-9a-f]{64}$/);
    const named = await linkerExtractor({ index, stopConcepts: new Set(['C1']), stoplistHash: 'sha256:abc' });
    expect(named.identity.stoplist).toBe('sha256:abc');
  });

  it('refuses settings that make no sense', async () => {
    await expect(linkerExtractor({ index, threshold: 0 })).rejects.toThrow(/threshold is 0/);
    await expect(linkerExtractor({ index, threshold: Number.NaN })).rejects.toThrow(/threshold is NaN/);
    await expect(linkerExtractor({ index, noDefinitionThreshold: 1.1 })).rejects.toThrow(
      /noDefinitionThreshold is 1.1/,
    );
    await expect(linkerExtractor({ index, maxK: 0.5 })).rejects.toThrow(/maxK is 0.5/);
  });
});
