import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  parseStopFile,
  readStopFiles,
  stopFilesIn,
  stopFileText,
  stoplistHash,
} from '../../../src/stream/concepts/stoplist-files.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { runsHere } from '../../many-runs.ts';

describe('stoplist files', () => {
  it('has remarks, then one entry a line in text order', () => {
    expect(stopFileText(['Count: 2'], ['C2', 'C1'])).toBe('# Count: 2\n#\nC1\nC2\n');
  });

  it('reads the files of the original: remarks, blank lines, double spaces kept', () => {
    expect(parseStopFile("# Count: 2\n#\ndiagnostic  tests\r\npatient's\n\n")).toEqual([
      'diagnostic  tests',
      "patient's",
    ]);
  });

  it('takes a line that begins with a quote and is no JSON as it stands', () => {
    expect(parseStopFile('"patient\n"a\\nb"\n')).toEqual(['"patient', 'a\nb']);
  });

  it('gives back every entry that it was given', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary' })), (entries) => {
        expect(parseStopFile(stopFileText(['x'], entries)).toSorted()).toEqual(entries.toSorted());
      }),
      { seed: 42, numRuns: runsHere(300) },
    );
    const hard = ['# no remark', '"quoted"', ' ends ', 'two\nlines', 'a\u2028b', '', '\\#'];
    expect(parseStopFile(stopFileText([], hard)).toSorted()).toEqual(hard.toSorted());
  });

  it('reads ids in upper and surfaces in lower case; one of the two files may be missing', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'stop_cuis.txt'), 'c0004134\n');
    expect(await stopFilesIn(folder).then(readStopFiles)).toEqual({
      concepts: new Set(['C0004134']),
      surfaces: new Set(),
    });
    writeFileSync(join(folder, 'stop_entities.txt'), 'Patient\n');
    expect((await stopFilesIn(folder).then(readStopFiles)).surfaces).toEqual(new Set(['patient']));
    await expect(stopFilesIn(join(folder, 'none')).then(readStopFiles)).rejects.toThrow('found no folder');
  });

  it('refuses lists that were edited after the metadata beside them was written', async () => {
    const folder = temporaryFolder();
    const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
    put('stop_cuis.txt', 'C1\n');
    // printf 'C1\n' | sha256sum
    const stop_cuis_hash = 'sha256:2493ec15ec53171c773e99f054703cf79094a95d290ae998b4a702c4e03532fb';
    put('stoplists_metadata.json', JSON.stringify({ stop_cuis_hash, stop_entities_hash: stop_cuis_hash }));
    expect((await stopFilesIn(folder).then(readStopFiles)).concepts).toEqual(new Set(['C1']));
    put('stop_cuis.txt', 'C1\nC2\n');
    await expect(stopFilesIn(folder).then(readStopFiles)).rejects.toThrow(
      /stop_cuis\.txt: it was edited.*remove stoplists_metadata\.json/,
    );
    put('stoplists_metadata.json', '[');
    await expect(stopFilesIn(folder).then(readStopFiles)).rejects.toThrow('expected a JSON object with the hashes');
    // The original's metadata has no hashes.
    put('stoplists_metadata.json', '{"stoplists_generated_at":"2026-01-05"}');
    expect((await stopFilesIn(folder).then(readStopFiles)).concepts).toEqual(new Set(['C1', 'C2']));
  });

  it('hashes what is on the lists and which list it is on', () => {
    const of = (concepts: string[], surfaces: string[]): string | null =>
      stoplistHash({ concepts: new Set(concepts), surfaces: new Set(surfaces) });
    expect(of(['C1', 'C2'], ['a'])).toBe(of(['C2', 'C1'], ['a']));
    expect(new Set([of(['C1'], []), of([], ['C1']), of([], []), of(['C1'], ['C1'])]).size).toBe(4);
  });
});
