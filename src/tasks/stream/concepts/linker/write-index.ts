import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

import { makeFolders, SHARED } from '../../../../data/make-folders.ts';
import { UsageError } from '../../../../data/problems.ts';
import { sortedJson } from '../../../../data/sorted-json.ts';
import { errorCode } from '../../../../data/source.ts';
import { INDEX_VERSION, type IndexHeader, MARK, padding, PREFIX_BYTES, refuseBigEndian } from './index-layout.ts';
import type { LinkerIndex } from './linker-index.ts';

/** A single write takes no more than 2 GiB. */
const MOST_PER_WRITE = 1 << 26;

type Numbers = Uint8Array | Uint32Array | Float64Array;

/** Where an index is while it is being written. */
export function partialIndexPath(file: string): string {
  return `${file}.partial-${process.pid}`;
}

/** Writes an index aside and renames it: the same index always gives the same bytes. Returns how many. */
export function writeIndex(index: LinkerIndex, file: string): number {
  refuseBigEndian();
  if (existsSync(file) && !statSync(file).isFile())
    throw new UsageError(`cannot write ${file}: there is something that is no file`, 'choose another place');
  const aside = partialIndexPath(file);
  try {
    makeFolders(dirname(file), SHARED);
    const opened = openSync(aside, 'w');
    let bytes: number;
    try {
      bytes = writeAll(opened, index);
    } finally {
      closeSync(opened);
    }
    renameSync(aside, file);
    return bytes;
  } catch (error) {
    if (existsSync(aside)) rmSync(aside);
    throw new UsageError(`cannot write ${file} (${errorCode(error)})`, 'choose another place');
  }
}

function writeAll(opened: number, index: LinkerIndex): number {
  const hash = createHash('sha256');
  let written = 0;
  const write = (bytes: Uint8Array): void => {
    hash.update(bytes);
    for (let at = 0; at < bytes.length;)
      at += writeSync(opened, bytes, at, Math.min(MOST_PER_WRITE, bytes.length - at));
    written += bytes.length;
    const fill = padding(bytes.length);
    if (fill === 0) return;
    const nothing = new Uint8Array(fill);
    hash.update(nothing);
    written += writeSync(opened, nothing);
  };
  const sections = sectionsOf(index);
  const header = Buffer.from(sortedJson(headerOf(index, sections)), 'utf8');
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.write(MARK, 'latin1');
  prefix.writeUInt32LE(INDEX_VERSION, 8);
  prefix.writeUInt32LE(header.length, 12);
  write(prefix);
  write(header);
  for (const section of sections) write(bytesOf(section));
  return written + writeSync(opened, hash.digest());
}

/** In the order in which `loadIndex` reads them. */
function sectionsOf(index: LinkerIndex): Numbers[] {
  return [
    Buffer.from(index.vocabulary.trigrams.join(''), 'utf8'),
    index.vocabulary.df,
    index.aliases.bytes,
    index.aliases.starts,
    index.norms,
    index.kbOrder,
    index.ownerStarts,
    index.owners,
    index.concepts.ids.bytes,
    index.concepts.ids.starts,
    index.concepts.names,
    index.concepts.defined,
    index.concepts.typeLists,
    index.dictionary.slots,
    index.dictionary.tags,
    ...index.bands.flatMap(({ listStarts, postings }) => [listStarts, postings]),
  ];
}

function headerOf(index: LinkerIndex, sections: readonly Numbers[]): IndexHeader {
  return {
    minDf: index.minDf,
    aliasCount: index.aliasCount,
    indexedCount: index.indexedCount,
    conceptCount: index.concepts.names.length,
    trigramCount: index.vocabulary.trigrams.length,
    knowledgeBase: {
      sha256: index.knowledgeBase.sha256,
      files: index.knowledgeBase.files.map(({ name, sha256 }) => ({ name, sha256 })),
      language: index.knowledgeBase.language,
      suppressed: index.knowledgeBase.suppressed,
    },
    typeNames: index.concepts.typeNames.map((types) => [...types]),
    bands: index.bands.map(({ first, count, minNorm, maxNorm, maxTf }) => ({ first, count, minNorm, maxNorm, maxTf })),
    sections: sections.map((section) => section.byteLength),
  };
}

function bytesOf(numbers: Numbers): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
