import type { Problems } from '../../data/problems.ts';
import { type NamedRecord, Records } from '../../data/records.ts';
import type { Digest, Source } from '../../data/source.ts';
import { hasExactNumbers } from './exact-numbers.ts';

export interface RecordReader {
  records(): AsyncGenerator<NamedRecord[]>;
  /** Of what was read, once it has been read to its end. */
  digest(): Digest;
}

const TOO_LONG = 'one item a record is expected, and longer ones are not taken';

/** The records of a file of items. What ends the reading is a problem of that file: others are still read. */
export function recordReader(source: Source, problems: Problems): RecordReader {
  const file = new Records(source, { problems, tooLong: TOO_LONG });
  return { records: () => itemRecords(file, problems), digest: () => file.digest() };
}

async function* itemRecords(file: Records, problems: Problems): AsyncGenerator<NamedRecord[]> {
  const refuse = (message: string): void => problems.add({ file: file.name, line: null, message });
  const before = problems.count;
  let any = false;
  try {
    const start = await file.start();
    if (start === null || start.isBlank) {
      refuse('the file is empty, expected at least one record');
      return;
    }
    for await (const batch of file.objects()) {
      const exact = batch.filter(
        ({ text, line }) => text === null || hasExactNumbers({ text, line }, file.name, problems),
      );
      any ||= exact.length > 0;
      if (exact.length > 0) yield exact;
    }
    if (!any && problems.count === before) refuse('no record was found in this file');
  } catch (error) {
    problems.addThrown(error);
  } finally {
    await file.close();
  }
}
