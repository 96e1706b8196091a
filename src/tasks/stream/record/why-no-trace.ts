import { basename } from 'node:path';

import { fileSource } from '../../../data/source.ts';
import type { SeenFile } from '../validate/file-kind.ts';
import { RecordFile, USUAL_LIMITS } from '../validate/record-file.ts';

const TRACE_NAME = /\.trace\.(?:jsonl|ndjson)(?:\.gz)?$/i;
const OTHER_NAME = /\.(?:run|manifest|case_list)\.(?:jsonl|ndjson)(?:\.gz)?$/i;

/**
 * Why a file that is no trace must not be passed over: its name says that it is one, or nothing in it says that it is
 * something else. Null: it is something else.
 */
export async function whyNoTrace(path: string, kind: SeenFile['kind']): Promise<string | null> {
  const name = basename(path);
  if (kind === 'unknown')
    return OTHER_NAME.test(name) ? null : `expected a trace, found ${await firstFault(path)} (${NEXT})`;
  if (!TRACE_NAME.test(name)) return null;
  const found = kind === 'other' ? 'records of another sort' : `a ${kind.replace('-', ' ')}`;
  return `expected a trace by its name, found ${found} (${NEXT})`;
}

const NEXT = 'mend it, record it anew, or take it out of the folder';

async function firstFault(path: string): Promise<string> {
  for await (const batch of new RecordFile(fileSource(path), USUAL_LIMITS).batches())
    for (const record of batch) if ('fault' in record) return `no record that can be read: ${record.fault}`;
  return 'no record at all';
}
