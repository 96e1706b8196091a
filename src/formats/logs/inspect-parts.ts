import type { Fields } from '../../data/item.ts';
import type { Problems } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { finiteJsonBytes } from './finite-json.ts';
import type { LogFile } from './log-file.ts';
import { entriesOf } from './log-text.ts';
import type { ZipEntries } from './zip-entries.ts';

/** An Inspect log, whatever file it is in. */
export interface InspectParts {
  /** All but the samples. */
  readonly header: Fields;
  readonly samples: readonly unknown[];
}

const HEADER = 'header.json';
const START = '_journal/start.json';
/** One entry a sample, or, in logs of long samples, the first of several below a folder. */
const SAMPLE_ENTRY = /^samples\/[^/]+(?:\.json|\/sample\.json)$/;

/** Whether an archive is a log of Inspect. */
export function isInspectArchive({ names }: ZipEntries): boolean {
  return [HEADER, START].some((name) => names.includes(name));
}

/** Reads one; null where something is wrong with it. */
export async function inspectParts(file: LogFile, problems: Problems): Promise<InspectParts | null> {
  const parts = file.entries === null ? await jsonParts(file) : await archiveParts(file.name, file.entries, problems);
  if (parts === null || parts.samples.length > 0) return parts;
  problems.add({
    file: file.name,
    line: null,
    field: 'samples',
    message: 'the log has no samples',
    next: 'it was written with --no-log-samples, or nothing ran',
  });
  return null;
}

async function jsonParts(file: LogFile): Promise<InspectParts> {
  let log: Fields = {};
  for await (const { values } of file.records()) log = values;
  const { samples, ...header } = log;
  return { header, samples: entriesOf(samples) };
}

async function archiveParts(file: string, entries: ZipEntries, problems: Problems): Promise<InspectParts | null> {
  let isBroken = false;
  const parse = async (entry: string): Promise<unknown> => {
    try {
      return JSON.parse(finiteJsonBytes(await entries.read(entry)).toString('utf8'));
    } catch (error) {
      if (error instanceof SyntaxError) problems.add({ file, line: null, field: entry, message: 'not JSON' });
      else problems.addThrown(error);
      isBroken = true;
      return null;
    }
  };
  // A log that was cut off has no header yet, only how it began.
  const header = await parse(entries.names.includes(HEADER) ? HEADER : START);
  const samples: unknown[] = [];
  for (const entry of entries.names.filter((name) => SAMPLE_ENTRY.test(name)))
    samples.push(withoutTranscript(await parse(entry)));
  return isBroken ? null : { header: isRecord(header) ? { status: 'started', ...header } : {}, samples };
}

/** The transcript may be a thousand times as long as the rest. */
function withoutTranscript(sample: unknown): unknown {
  if (!isRecord(sample)) return sample;
  const { messages: _, events: _events, events_data: _data, store: _store, ...rest } = sample;
  return rest;
}
