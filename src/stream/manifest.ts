import { Problems, sortedJson } from '../plugin.ts';
import type { ManifestMeta, ManifestSummary, Provenance, TraceEntry } from './manifest-records.ts';
import { Findings } from './validate/findings.ts';
import { checkManifest } from './validate/manifest-invariants.ts';
import { RecordReader } from './validate/record-file.ts';

/** Traces that belong together, and what they were when they were frozen. */
export interface TraceManifest {
  readonly meta: ManifestMeta;
  readonly provenance: Provenance;
  readonly entries: readonly TraceEntry[];
  readonly summary: ManifestSummary;
}

/** A manifest that holds together; anything else is refused with all that is wrong with it. */
export async function readManifest(file: string): Promise<TraceManifest> {
  const problems = new Problems();
  const findings = new Findings(({ record, message }) => problems.add({ file, line: record, message }));
  const { meta, provenance, entries, summary } = await checkManifest(file, new RecordReader(findings));
  problems.throwIfAny();
  if (meta === null || provenance === null || summary === null) throw new Error('a manifest without problems is whole');
  return {
    meta,
    provenance: provenance.record,
    entries: entries.map(({ record }) => record),
    summary: summary.record,
  };
}

/** The manifest as it is written: a record a line, keys sorted, entries in the order given. */
export function manifestText({ meta, provenance, entries, summary }: TraceManifest): string {
  return [meta, provenance, ...entries, summary].map((record) => `${sortedJson(record)}\n`).join('');
}

/** The list of the cases of a set, which its manifest names by hash. */
export function caseListText(caseIds: readonly string[]): string {
  return caseIds.map((id, index) => `${sortedJson({ case_id: id, index })}\n`).join('');
}
