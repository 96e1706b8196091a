import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

import { InputError } from '../../../../data/problems.ts';
import { errorCode } from '../../../../data/source.ts';
import { checkIndex } from './check-index.ts';
import {
  DIGEST_BYTES,
  headerSchema,
  INDEX_VERSION,
  type IndexHeader,
  MARK,
  MOST_HEADER_BYTES,
  padding,
  PREFIX_BYTES,
  refuseBigEndian,
} from './index-layout.ts';
import type { Band, LinkerIndex } from './linker-index.ts';
import { makeVocabulary } from './vocabulary.ts';

const MOST_PER_READ = 1 << 26;
const BUILD_AGAIN = 'build it again with assay stream index';

/** Reads an index that `writeIndex` wrote. One that is damaged, foreign, or of another version is refused. */
export async function loadIndex(file: string): Promise<LinkerIndex> {
  refuseBigEndian();
  let opened: FileHandle;
  try {
    opened = await open(file);
  } catch (error) {
    throw refusal(file, `cannot be read (${errorCode(error)})`, 'expected an index that assay stream index made');
  }
  try {
    const { size } = await opened.stat();
    return await new IndexReader(file, opened, size).read();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw refusal(file, `cannot be read (${errorCode(error)})`, 'expected an index that assay stream index made');
  } finally {
    await opened.close();
  }
}

class IndexReader {
  readonly #file: string;
  readonly #opened: FileHandle;
  readonly #size: number;
  readonly #hash: Hash = createHash('sha256');
  #at = 0;

  constructor(file: string, opened: FileHandle, size: number) {
    this.#file = file;
    this.#opened = opened;
    this.#size = size;
  }

  async read(): Promise<LinkerIndex> {
    const header = await this.#header();
    const lengths = [...header.sections];
    const bytes = async (): Promise<Uint8Array<ArrayBuffer>> => {
      const length = lengths.shift();
      if (length === undefined) throw this.#damaged('sections are missing');
      return this.#take(length);
    };
    const numbers = async (): Promise<Uint32Array> => new Uint32Array((await this.#ofWidth(4, bytes)).buffer);
    const floats = async (): Promise<Float64Array> => new Float64Array((await this.#ofWidth(8, bytes)).buffer);

    const trigrams = trigramsOf(await bytes());
    const df = await numbers();
    const aliases = { bytes: await bytes(), starts: await numbers() };
    const norms = await floats();
    const kbOrder = await numbers();
    const ownerStarts = await numbers();
    const owners = await numbers();
    const concepts = {
      ids: { bytes: await bytes(), starts: await numbers() },
      names: await numbers(),
      defined: await bytes(),
      typeLists: await numbers(),
      typeNames: header.typeNames,
    };
    const dictionary = { slots: await numbers(), tags: await bytes() };
    const bands: Band[] = [];
    for (const band of header.bands) bands.push({ ...band, listStarts: await numbers(), postings: await bytes() });
    await this.#checkDigest();
    const { knowledgeBase, minDf, aliasCount, indexedCount } = header;
    const index: LinkerIndex = {
      knowledgeBase,
      minDf,
      aliasCount,
      indexedCount,
      vocabulary: makeVocabulary(trigrams, df, aliasCount),
      aliases,
      norms,
      kbOrder,
      ownerStarts,
      owners,
      concepts,
      bands,
      dictionary,
    };
    const fault = checkIndex(index, header);
    if (fault !== null) throw this.#damaged(fault);
    return index;
  }

  async #header(): Promise<IndexHeader> {
    const foreign = (): InputError =>
      refusal(this.#file, 'this is no linker index', 'expected a file that assay stream index made');
    if (this.#size < PREFIX_BYTES + DIGEST_BYTES) throw foreign();
    const prefix = Buffer.from((await this.#take(PREFIX_BYTES)).buffer);
    if (prefix.toString('latin1', 0, MARK.length) !== MARK) throw foreign();
    const version = prefix.readUInt32LE(8);
    if (version !== INDEX_VERSION)
      throw refusal(
        this.#file,
        `the index has version ${version}, this assay reads version ${INDEX_VERSION}`,
        version > INDEX_VERSION ? `use a newer assay, or ${BUILD_AGAIN}` : BUILD_AGAIN,
      );
    const length = prefix.readUInt32LE(12);
    if (length > MOST_HEADER_BYTES) throw this.#damaged('the header is too long');
    const parsed = headerSchema.safeParse(jsonOf(await this.#take(length)));
    if (!parsed.success) throw this.#damaged('the header is not as expected');
    const rest = parsed.data.sections.reduce((sum, bytes) => sum + bytes + padding(bytes), 0);
    if (this.#at + rest + DIGEST_BYTES !== this.#size)
      throw this.#damaged(`expected ${this.#at + rest + DIGEST_BYTES} bytes, found ${this.#size}`);
    return parsed.data;
  }

  /** The next section, in memory of its own. Its padding is read over. */
  async #take(length: number): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#at + length + padding(length) + DIGEST_BYTES > this.#size) throw this.#damaged('it is cut off');
    const bytes = new Uint8Array(length);
    await this.#fill(bytes);
    await this.#fill(new Uint8Array(padding(length)));
    return bytes;
  }

  async #ofWidth(width: number, next: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await next();
    if (bytes.length % width !== 0) throw this.#damaged('a section has an odd length');
    return bytes;
  }

  async #fill(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const { bytesRead } = await this.#opened.read(bytes, at, Math.min(MOST_PER_READ, bytes.length - at), this.#at);
      if (bytesRead === 0) throw this.#damaged('it is cut off');
      this.#hash.update(bytes.subarray(at, at + bytesRead));
      at += bytesRead;
      this.#at += bytesRead;
    }
  }

  async #checkDigest(): Promise<void> {
    const found = this.#hash.digest();
    const stored = Buffer.alloc(DIGEST_BYTES);
    await this.#opened.read(stored, 0, DIGEST_BYTES, this.#at);
    if (!found.equals(stored)) throw this.#damaged('the sha256 at its end is not that of its content');
  }

  #damaged(reason: string): InputError {
    return refusal(this.#file, `the index is damaged: ${reason}`, BUILD_AGAIN);
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
}

/** Three code points each. */
function trigramsOf(bytes: Uint8Array): string[] {
  const characters = [...Buffer.from(bytes).toString('utf8')];
  return Array.from({ length: Math.floor(characters.length / 3) }, (_, at) =>
    characters.slice(at * 3, at * 3 + 3).join(''),
  );
}

function refusal(file: string, message: string, next: string): InputError {
  return new InputError([{ file, line: null, message, next }]);
}
