import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';

import { FileWriter, SHARED } from '../../../../data/write-file.ts';
import { UsageError } from '../../../../data/problems.ts';
import { sortedJson } from '../../../../data/sorted-json.ts';
import { INDEX_VERSION, type IndexHeader, MARK, padding, PREFIX_BYTES, refuseBigEndian } from './index-layout.ts';
import type { LinkerIndex } from './linker-index.ts';

type Numbers = Uint8Array | Uint32Array | Float64Array;

/** Writes an index: the same index always gives the same bytes. Returns how many. */
export function writeIndex(index: LinkerIndex, file: string): number {
  refuseBigEndian();
  if (existsSync(file) && !statSync(file).isFile())
    throw new UsageError(`cannot write ${file}: there is something that is no file`, 'choose another place');
  const out = new FileWriter(file, { folderMode: SHARED });
  const hash = createHash('sha256');
  let written = 0;
  const write = (bytes: Uint8Array): void => {
    for (const piece of [bytes, new Uint8Array(padding(bytes.length))]) {
      hash.update(piece);
      out.write(piece);
      written += piece.length;
    }
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
  const digest = hash.digest();
  out.write(digest);
  out.finish();
  return written + digest.length;
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
