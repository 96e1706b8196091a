import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { buildIndex } from '../../../../src/stream/concepts/linker/build-index.ts';
import { candidates } from '../../../../src/stream/concepts/linker/candidates.ts';
import { type LinkerIndex, loadIndex, writeIndex } from '../../../../src/stream/concepts/linker/linker-index.ts';
import { temporaryFolder } from '../../../cli/run-assay.ts';
import { concept } from './small-kb.ts';

const small = (): Promise<LinkerIndex> =>
  buildIndex([
    concept('C1', ['Ataxia', 'Gait ataxia', 'Ménière’s ataxia'], { types: ['T047'] }),
    concept('C2', ['Dysarthria', 'x'], { hasDefinition: false }),
  ]);

async function written(): Promise<{ readonly file: string; readonly bytes: Buffer; readonly folder: string }> {
  const folder = temporaryFolder();
  const file = join(folder, 'kb.idx');
  writeIndex(await small(), file);
  return { file, folder, bytes: readFileSync(file) };
}

describe('an index file', () => {
  it('gives back the index that was written', async () => {
    const { file, folder } = await written();
    const [index, loaded] = [await small(), await loadIndex(file)];
    expect(readdirSync(folder)).toEqual(['kb.idx']);
    for (const mention of ['ataxia', 'gait ataxie', 'MÉNIÈRE', 'dysarthric', 'x', 'zz'])
      expect(candidates(loaded, mention, 30, 0)).toEqual(candidates(index, mention, 30, 0));
    expect(loaded.knowledgeBase).toEqual(index.knowledgeBase);
    expect(loaded.minDf).toBe(1);
    expect(loaded.arrays).toEqual(index.arrays);
  });

  it('has the same bytes when it is built again', async () => {
    const [one, other] = [await written(), await written()];
    expect(one.bytes.equals(other.bytes)).toBe(true);
  });

  it('lists its arrays in a header of JSON, aligned to eight bytes', async () => {
    const file = join(temporaryFolder(), 'new/folder/kb.idx');
    const size = writeIndex(await small(), file);
    const bytes = readFileSync(file);
    const end = 16 + bytes.readUInt32LE(12);
    const { arrays } = JSON.parse(bytes.toString('utf8', 16, end)) as { arrays: { name: string; offset: number }[] };
    expect([size, bytes.toString('latin1', 0, 8), bytes.readUInt32LE(8)]).toEqual([bytes.length, 'ASSAYIDX', 2]);
    expect(arrays[0]).toEqual({ name: 'trigrams', type: 'uint8', length: expect.any(Number), offset: 0 });
    expect(arrays.every(({ offset }) => offset % 8 === 0)).toBe(true);
  });

  it('is refused when its arrays do not fit together although its checksum is right', async () => {
    const file = join(temporaryFolder(), 'kb.idx');
    const index = await small();
    const lies: Partial<LinkerIndex['arrays']>[] = [
      { slots: index.arrays.slots.map(() => 1) },
      { owners: index.arrays.owners.map(() => 99) },
      { norms: index.arrays.norms.subarray(1) },
    ];
    for (const lie of lies) {
      writeIndex({ ...index, arrays: { ...index.arrays, ...lie } }, file);
      await expect(loadIndex(file)).rejects.toThrow(/damaged or incomplete: its arrays do not fit together/);
    }
  });

  it('is refused when any byte of it was changed, or when it was cut', async () => {
    const { file, bytes } = await written();
    for (let at = 0; at < bytes.length; at += 97) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 0x10;
      writeFileSync(file, damaged);
      await expect(loadIndex(file), `byte ${at}`).rejects.toThrow(/linker index/);
    }
    for (const length of [0, 10, 48, 200, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, length));
      await expect(loadIndex(file), `${length} bytes`).rejects.toThrow(/damaged|not a linker index/);
    }
    writeFileSync(file, Buffer.concat([bytes, Buffer.from('more')]));
    await expect(loadIndex(file)).rejects.toThrow(/damaged/);
  });

  it('is refused when it is of another version, with what to do', async () => {
    const { file, bytes } = await written();
    bytes.writeUInt32LE(7, 8);
    writeFileSync(file, bytes);
    await expect(loadIndex(file)).rejects.toThrow(
      'the linker index has version 7, this assay reads version 2 (use a newer assay, or build it again with assay stream index)',
    );
    bytes.writeUInt32LE(1, 8);
    writeFileSync(file, bytes);
    await expect(loadIndex(file)).rejects.toThrow(/version 1, .* \(build it again with assay stream index\)/);
  });

  it('is refused when it is something else, or not there', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'kb.jsonl');
    writeFileSync(file, '{"concept_id": "C1"}\n'.repeat(10));
    await expect(loadIndex(file)).rejects.toThrow(
      /kb.jsonl: this is not a linker index \(expected a file made by assay stream index/,
    );
    await expect(loadIndex(join(folder, 'no.idx'))).rejects.toThrow(/ENOENT/);
    mkdirSync(join(folder, 'sub'));
    await expect(loadIndex(join(folder, 'sub'))).rejects.toThrow(/cannot be read|not a linker index/);
  });

  it('leaves nothing behind where it cannot be written', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => writeIndex(sample, join(folder, 'file/kb.idx'))).toThrow(/cannot write .*ENOTDIR/);
    expect(readdirSync(folder)).toEqual(['file']);
    expect(() => writeIndex(sample, folder)).toThrow(/it exists and is not a file/);
  });
});

const sample = await small();
