import { createHash } from 'node:crypto';
import { basename } from 'node:path';

import { startingWith, takeHead } from '../../../../data/chunks.ts';
import { refuseForeign } from '../../../../data/foreign-bytes.ts';
import { readJsonValues } from '../../../../data/json-values.ts';
import { type LineOptions, readLines, type TextRecord } from '../../../../data/lines.ts';
import { InputError, type Problems } from '../../../../data/problems.ts';
import { OpenSource, type Source } from '../../../../data/source.ts';
import { byteOrderMarkLength } from '../../../../data/utf8.ts';
import type { KbFile } from './kb-concept.ts';

const HEAD_BYTES = 65536;
const MAX_RECORD = 64 * 1048576;

/** A file of a knowledge base, read once, a batch of lines or JSON values at a time. */
export interface KbRecords {
  records(): AsyncGenerator<TextRecord[]>;
  /** Once all has been read. */
  file(): KbFile;
}

/** Opens a file, unpacked where it is gzip. `lines` keeps to one record a line; `json` also takes an array apart. */
export function kbRecords(source: Source, kind: 'lines' | 'json', problems: Problems): KbRecords {
  const opened = new OpenSource(source);
  const hash = createHash('sha256');
  const options: LineOptions = { file: source.name, problems, maxBytes: MAX_RECORD };

  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of opened.bytes()) {
      hash.update(chunk);
      yield chunk;
    }
  }

  async function* records(): AsyncGenerator<TextRecord[]> {
    const bytes = hashed();
    try {
      const head = await takeHead(bytes, HEAD_BYTES);
      if (head === null) throw new InputError([{ file: source.name, line: null, message: 'the file is empty' }]);
      refuseForeign(head, source.name);
      const begin = byteOrderMarkLength(head);
      const body = startingWith(head.subarray(begin), bytes);
      const start = head.toString('utf8', begin, begin + HEAD_BYTES);
      yield* kind === 'json' && isOneValue(start) ? readJsonValues(body, options) : readLines(body, options);
    } finally {
      await bytes.return(undefined);
    }
  }

  return {
    records,
    file: () => ({ name: basename(source.name).replace(/\.gz$/i, ''), sha256: hash.copy().digest('hex') }),
  };
}

/** Whether records go over several lines: an array, or an object that is laid out. */
function isOneValue(start: string): boolean {
  return /^\s*\[/.test(start) || /^\s*\{[ \t]*\r?\n/.test(start);
}
