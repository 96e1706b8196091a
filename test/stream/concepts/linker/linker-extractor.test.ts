import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { buildIndex } from '../../../../src/stream/concepts/linker/build-index.ts';
import { linkerExtractor } from '../../../../src/stream/concepts/linker/linker-extractor.ts';
import { writeIndex } from '../../../../src/stream/concepts/linker/linker-index.ts';
import { stoplistHash } from '../../../../src/stream/concepts/stoplist-files.ts';
import { temporaryFolder } from '../../../cli/run-assay.ts';
import { concept } from './small-kb.ts';

const index = await buildIndex([
  concept('c0004134', ['Ataxia']),
  concept('C0007758', ['Cerebellar ataxia', 'Ataxia, cerebellar']),
  concept('C0013362', ['Dysarthria'], { hasDefinition: false }),
  concept('C0008031', ['Chest pain'], { hasDefinition: false }),
  concept('C0024485', ['MRI', 'Magnetic resonance imaging']),
]);
const TEXT = 'Progressive Cerebellar ATAXIA with dysarthria; an MRI was taken.';

const stoplist = (concepts: readonly string[], surfaces: readonly string[] = []) => ({
  concepts: new Set(concepts),
  surfaces: new Set(surfaces),
});

describe('linkerExtractor', () => {
  it('gives the ids of a text in upper case, each once, in text order', async () => {
    const extractor = await linkerExtractor({ index });
    expect(await extractor.extract(`${TEXT} ${TEXT}`)).toEqual(['C0007758', 'C0013362', 'C0024485']);
    expect(await extractor.extract('')).toEqual([]);
  });

  it('explains every mention: where it is, what it may mean and what dropped it', async () => {
    const { explain } = await linkerExtractor({ index, stoplist: stoplist([], ['ATAXIA']) });
    expect(await explain('No ataxia but dysarthri.')).toEqual([
      { surface: 'ataxia', lookedUp: null, start: 3, end: 9, dropped: 'stoplist', candidates: [] },
      {
        surface: 'dysarthri',
        lookedUp: null,
        start: 14,
        end: 23,
        dropped: null,
        candidates: [
          {
            id: 'C0013362',
            name: 'Dysarthria',
            alias: 'Dysarthria',
            score: expect.closeTo(0.87, 1),
            dropped: 'no definition',
          },
        ],
      },
    ]);
  });

  it('explains candidates from 0.5 on, also those below the threshold', async () => {
    const { explain } = await linkerExtractor({ index });
    const [mention] = await explain('ataxic');
    expect(mention?.candidates).toMatchObject([{ id: 'C0004134', dropped: 'below threshold' }]);
  });

  it('extracts what it explains, also when asked again', async () => {
    const { extract, explain } = await linkerExtractor({ index, threshold: 0.4 });
    for (const text of [TEXT, 'cerebellar ataxias', TEXT]) {
      const taken = (await explain(text)).flatMap(({ candidates }) => candidates.filter((one) => one.dropped === null));
      expect(await extract(text)).toEqual([...new Set(taken.map(({ id }) => id))].sort());
    }
  });

  it('reads an index file', async () => {
    const file = join(temporaryFolder(), 'kb.idx');
    writeIndex(index, file);
    const [fromFile, inMemory] = [await linkerExtractor({ index: file }), await linkerExtractor({ index })];
    expect(await fromFile.extract(TEXT)).toEqual(await inMemory.extract(TEXT));
    expect(fromFile.identity).toEqual(inMemory.identity);
  });

  it('takes concepts and surfaces off that are on a stoplist, in any case', async () => {
    const extractor = await linkerExtractor({ index, stoplist: stoplist(['c0013362'], ['Mri']) });
    expect(await extractor.extract(TEXT)).toEqual(['C0007758']);
    expect(await extractor.surfaces('MRI, ataxia')).toEqual(['ataxia', 'mri']);
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
    const stopped = await linkerExtractor({ index, stoplist: stoplist(['C1']) });
    expect(stopped.identity.stoplist).toBe(stoplistHash(stoplist(['C1'])));
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
