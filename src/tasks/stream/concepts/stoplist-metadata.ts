import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { InputError } from '../../../data/problems.ts';
import { readText } from '../../../data/read-file.ts';
import { isRecord } from '../../../data/record-fields.ts';

export const METADATA_FILE = 'stoplists_metadata.json';

const MOST_BYTES = 1 << 26;

/** Lists beside metadata that says what they were: one that was edited since is not what its hashes and counts say. */
export async function refuseEdited(folder: string, names: readonly string[]): Promise<void> {
  const hashes = await stoplistMetadata(join(folder, METADATA_FILE));
  for (const name of names) {
    const expected = hashes[`${name.replace(/\.txt$/, '')}_hash`];
    const file = join(folder, name);
    // The metadata of others has no hashes, and a list may be left out on purpose.
    if (typeof expected !== 'string' || !existsSync(file)) continue;
    const { sha256 } = await readText(file, MOST_BYTES);
    if (expected !== `sha256:${sha256}`)
      throw new InputError([
        {
          file,
          line: null,
          message: `it was edited after it was made: its hash is not the one in ${METADATA_FILE}`,
          next: `make it again with assay stream stoplist, or remove ${METADATA_FILE} to use a list of your own`,
        },
      ]);
  }
}

/** What the metadata of stoplists says; nothing where there is none. */
export async function stoplistMetadata(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(file)) return {};
  const { text } = await readText(file, MOST_BYTES);
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Said below.
  }
  throw new InputError([
    {
      file,
      line: null,
      message: 'expected a JSON object with the hashes of the lists',
      next: 'make the stoplists again with assay stream stoplist, or remove this file to use lists of your own',
    },
  ]);
}
