import { fileSource, isRecord } from '../../plugin.ts';
import { MANIFEST_TYPES } from './manifest-invariants.ts';
import { isMetricsRecord } from './metrics-invariants.ts';
import { type Limits, recordBatches } from './record-file.ts';
import { RUN_LOG_TYPES } from './run-log-invariants.ts';
import { TRACE_TYPES } from './trace-invariants.ts';

export const FILE_KINDS = ['trace', 'run-log', 'manifest', 'case-list', 'metrics'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** What a file is, by its first records: `other` has records of another sort, `unknown` has none that could be read. */
export interface SeenFile {
  readonly kind: FileKind | 'other' | 'unknown';
  /** The case that its records name; null if none of those looked at does. */
  readonly caseId: string | null;
}

/** A record or two may be damaged: the next ones still show what the file is. */
const LOOKED_AT = 20;
/** Batches are what a chunk of the file yields: of one endless line, none has a record. */
const MOST_BATCHES = 1000;

const KINDS: ReadonlyMap<string, FileKind> = new Map<string, FileKind>([
  ...TRACE_TYPES.map((type) => [type, 'trace'] as const),
  ...RUN_LOG_TYPES.map((type) => [type, 'run-log'] as const),
  ...MANIFEST_TYPES.map((type) => [type, 'manifest'] as const),
]);

export async function seeFile(path: string, limits?: Limits): Promise<SeenFile> {
  let kind: SeenFile['kind'] = 'unknown';
  let caseId: string | null = null;
  let looked = 0;
  let batches = 0;
  for await (const batch of recordBatches(fileSource(path), limits)) {
    batches += 1;
    if (batches > MOST_BATCHES) break;
    for (const record of batch) {
      looked += 1;
      if (looked > LOOKED_AT) return { kind, caseId };
      if ('fault' in record || !isRecord(record.value)) continue;
      const { value } = record;
      if (kind === 'unknown' || kind === 'other') kind = kindOf(value);
      if (typeof value['case_id'] === 'string') caseId ??= value['case_id'];
      if (kind !== 'other' && caseId !== null) return { kind, caseId };
    }
  }
  return { kind, caseId };
}

function kindOf(record: Readonly<Record<string, unknown>>): SeenFile['kind'] {
  const type = record['record_type'];
  const known = typeof type === 'string' ? KINDS.get(type) : undefined;
  if (known !== undefined) return known;
  if (isMetricsRecord(record)) return 'metrics';
  const isCaseList = type === undefined && typeof record['case_id'] === 'string' && typeof record['index'] === 'number';
  return isCaseList ? 'case-list' : 'other';
}
