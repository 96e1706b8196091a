import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { buildIndex } from '../../../../../src/tasks/stream/concepts/linker/build-index.ts';
import { candidates } from '../../../../../src/tasks/stream/concepts/linker/candidates.ts';
import type { LinkerIndex } from '../../../../../src/tasks/stream/concepts/linker/linker-index.ts';
import { loadIndex } from '../../../../../src/tasks/stream/concepts/linker/load-index.ts';
import { writeIndex } from '../../../../../src/tasks/stream/concepts/linker/write-index.ts';
import { temporaryFolder } from '../../../../cli/run-assay.ts';
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
      expect(candidates(loaded, mention)).toEqual(candidates(index, mention));
    expect(loaded.knowledgeBase).toEqual(index.knowledgeBase);
    expect(loaded.minDf).toBe(1);
  });

  it('has the same bytes when it is built again', async () => {
    const [one, other] = [await written(), await written()];
    expect(one.bytes.equals(other.bytes)).toBe(true);
  });

  it('says how many bytes it has', async () => {
    const file = join(temporaryFolder(), 'new/folder/kb.idx');
    expect(writeIndex(await small(), file)).toBe(readFileSync(file).length);
  });

  it('is refused when any byte of it was changed, or when it was cut', async () => {
    const { file, bytes } = await written();
    for (let at = 0; at < bytes.length; at += 97) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 0x10;
      writeFileSync(file, damaged);
      await expect(loadIndex(file), `byte ${at}`).rejects.toThrow(/the index|no linker index/);
    }
    for (const length of [0, 10, 48, 200, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, length));
      await expect(loadIndex(file), `${length} bytes`).rejects.toThrow(/damaged|no linker index/);
    }
    writeFileSync(file, Buffer.concat([bytes, Buffer.from('more')]));
    await expect(loadIndex(file)).rejects.toThrow(/damaged/);
  });

  it('is refused when it is of another version, with what to do', async () => {
    const { file, bytes } = await written();
    bytes.writeUInt32LE(7, 8);
    writeFileSync(file, bytes);
    await expect(loadIndex(file)).rejects.toThrow(
      'the index has version 7, this assay reads version 1 (use a newer assay, or build it again with assay stream index)',
    );
    bytes.writeUInt32LE(0, 8);
    writeFileSync(file, bytes);
    await expect(loadIndex(file)).rejects.toThrow(/version 0, .* \(build it again/);
  });

  it('is refused when it is something else, or not there', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'kb.jsonl');
    writeFileSync(file, '{"concept_id": "C1"}\n'.repeat(10));
    await expect(loadIndex(file)).rejects.toThrow(/kb.jsonl: this is no linker index \(expected a file that assay/);
    await expect(loadIndex(join(folder, 'no.idx'))).rejects.toThrow(/ENOENT/);
    mkdirSync(join(folder, 'sub'));
    await expect(loadIndex(join(folder, 'sub'))).rejects.toThrow(/cannot be read|no linker index/);
  });

  it('leaves nothing behind where it cannot be written', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => writeIndex(sample, join(folder, 'file/kb.idx'))).toThrow(/cannot write .*ENOTDIR/);
    expect(readdirSync(folder)).toEqual(['file']);
    expect(() => writeIndex(sample, folder)).toThrow(/there is something that is no file/);
  });
});

const sample = await small();
