import { basename } from 'node:path';

import { InputError, type Problems } from '../../../../data/problems.ts';
import { Records } from '../../../../data/records.ts';
import type { Source } from '../../../../data/source.ts';
import type { KbFile } from './kb-concept.ts';

/** Opens a file of a knowledge base, to be read once; an empty one is refused. */
export async function kbRecords(source: Source, problems: Problems): Promise<Records> {
  const records = new Records(source, { problems });
  if ((await records.start()) === null)
    throw new InputError([{ file: source.name, line: null, message: 'the file is empty' }]);
  return records;
}

/** Once all has been read. */
export function kbFile(records: Records): KbFile {
  return { name: basename(records.name).replace(/\.gz$/i, ''), sha256: records.content().sha256 };
}
