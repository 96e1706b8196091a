import { describe } from '../../plugin.ts';
import { datasetHash, mixedCommits, OTHER_COMMIT, otherCommits } from '../dataset-hash.ts';
import {
  type ManifestMeta,
  type ManifestRecord,
  manifestRecord,
  type ManifestSummary,
  type Provenance,
  type TraceEntry,
} from '../manifest-records.ts';
import { FileFindings, type Findings } from './findings.ts';
import { checkRecords, inOrder, type Invariant } from './invariant.ts';
import type { RecordReader } from './record-file.ts';
import type { CheckedTrace } from './trace-invariants.ts';

export const MANIFEST_TYPES = ['manifest_meta', 'provenance', 'trace_entry', 'summary'] as const;

interface Placed<T> {
  readonly record: T;
  readonly line: number;
}

/** What a manifest turned out to hold. */
interface CheckedManifest {
  readonly file: string;
  meta: ManifestMeta | null;
  provenance: Placed<Provenance> | null;
  readonly entries: Placed<TraceEntry>[];
  summary: Placed<ManifestSummary> | null;
  /** False if records were lost: then there may be entries that are not known. */
  sure: boolean;
}

type ManifestInvariant = Invariant<ManifestRecord, CheckedManifest>;

/** One manifest, record by record, against its schema and against itself. */
export async function checkManifest(path: string, reader: RecordReader): Promise<CheckedManifest> {
  const manifest: CheckedManifest = {
    file: path,
    meta: null,
    provenance: null,
    entries: [],
    summary: null,
    sure: true,
  };
  const findings = new FileFindings(path, reader.findings);
  const check = checkRecords({ schema: manifestRecord, types: MANIFEST_TYPES }, INVARIANTS, findings, manifest);
  await reader.read(path, check);
  check.end();
  return manifest;
}

/** Keeps what is in the manifest; each case and each file is in it once. */
const entriesOnce: ManifestInvariant = (findings, manifest) => {
  const lines = { case_id: new Map<string, number>(), file: new Map<string, number>() };
  return {
    see(record, line) {
      if (record.record_type === 'manifest_meta') manifest.meta ??= record;
      else if (record.record_type === 'provenance') manifest.provenance ??= { record, line };
      else if (record.record_type === 'summary') manifest.summary ??= { record, line };
      else {
        manifest.entries.push({ record, line });
        for (const field of ['case_id', 'file'] as const) {
          const before = lines[field].get(record[field]);
          if (before === undefined) lines[field].set(record[field], line);
          else findings.again(line, field, describe(record[field]), before);
        }
      }
    },
    lost: () => void (manifest.sure = false),
  };
};

/** The totals of the summary are those of the entries. */
const totalsHold: ManifestInvariant = (findings, manifest) => ({
  end(sure) {
    const { summary, entries } = manifest;
    if (!sure || summary === null) return;
    const { record, line } = summary;
    const sum = (field: 'delta_count' | 'turn_count'): number =>
      entries.reduce((total, entry) => total + entry.record[field], 0);
    const failed = typeof record['failed_cases'] === 'number' ? record['failed_cases'] : 0;
    const listed = 'the number of entries';
    for (const [field, expected, what] of [
      ['total_cases', entries.length + failed, failed === 0 ? listed : `${listed} and ${failed} failed`],
      ['successful_cases', entries.length, listed],
      ['total_deltas', sum('delta_count'), 'the sum of delta_count'],
      ['total_turns', sum('turn_count'), 'the sum of turn_count'],
    ] as const)
      if (record[field] !== undefined) findings.compare(line, 'count', field, record[field], expected, `, ${what}`);
  },
});

const hashHolds: ManifestInvariant = (findings, manifest) => ({
  end(sure) {
    const { meta, provenance } = manifest;
    const stated = provenance?.record.trace_dataset_hash;
    if (!sure || meta === null || provenance === null || stated === undefined) return;
    const expected = hashOf(manifest, meta.mas_run_id, provenance.record.case_list_hash ?? null);
    const why = ' of mas_run_id, case_list_hash and the entries';
    findings.compare(provenance.line, 'dataset-hash', 'trace_dataset_hash', stated, expected, why);
  },
});

const INVARIANTS: readonly ManifestInvariant[] = [
  entriesOnce,
  inOrder({ order: MANIFEST_TYPES, single: ['manifest_meta', 'provenance', 'summary'], needed: true }),
  totalsHold,
  hashHolds,
];

function hashOf({ entries }: CheckedManifest, masRunId: string | null, caseListHash: string | null): string {
  const traces = entries.map(({ record }) => [record.case_id, record.sha256] as const);
  return datasetHash({ masRunId, caseListHash, traces });
}

/** What run logs may name the set of a manifest by. */
export interface DatasetNames {
  /** As in the manifest. */
  readonly stated: string;
  /** The same traces hashed before they were frozen: without a case list, and perhaps without the id of a run. */
  readonly unfrozen: readonly string[];
}

export function datasetNames(manifest: CheckedManifest): DatasetNames[] {
  const stated = manifest.provenance?.record.trace_dataset_hash;
  if (manifest.meta === null || stated === undefined) return [];
  return [{ stated, unfrozen: [manifest.meta.mas_run_id, null].map((run) => hashOf(manifest, run, null)) }];
}

interface FilesAtHand {
  readonly traces: readonly CheckedTrace[];
  readonly caseLists: readonly { readonly file: string; readonly sha256: string }[];
  /** Whether a trace that is not at hand is a fault. */
  readonly complete: boolean;
}

/**
 * Manifests against the files at hand: whether each trace is what it was when it was frozen, and whether there are
 * traces that no manifest lists. No path of a manifest is ever opened: names are only looked up among the files found.
 */
export function checkManifestsAgainst(
  { traces, caseLists, complete }: FilesAtHand,
  manifests: readonly CheckedManifest[],
  all: Findings,
): void {
  const listed = new Set<CheckedTrace>();
  for (const { file, entries, provenance } of manifests) {
    const findings = new FileFindings(file, all);
    const listHash = provenance?.record.case_list_hash;
    if (provenance !== null && listHash !== undefined && caseLists.every(({ sha256 }) => sha256 !== listHash)) {
      const expected = caseLists.map((list) => `${list.sha256} of ${list.file}`).join(' or ');
      if (caseLists.length > 0)
        findings.add(provenance.line, 'case-list-hash', `case_list_hash: found ${listHash}, expected ${expected}`);
    }
    const commits: { readonly file: string; readonly commit: string }[] = [];
    for (const { record, line } of entries) {
      const trace = traceOf(record, traces);
      if (trace !== null) {
        listed.add(trace);
        checkEntry(record, line, trace, findings);
        if (typeof trace.meta?.mac_commit === 'string')
          commits.push({ file: trace.file, commit: trace.meta.mac_commit });
      } else if (complete) {
        const expected = `the trace of ${record.case_id} among the files`;
        findings.add(line, 'missing', `file: found no ${describe(record.file)}, expected ${expected}`);
      } else findings.notice('trace-not-at-hand');
    }
    // What is measured on traces of other agents than those that a manifest names is not about these.
    for (const message of otherCommits(provenance?.record.mac_commit ?? null, commits))
      findings.add(provenance?.line ?? null, 'mac-commit', `mac_commit: ${message} (${OTHER_COMMIT})`);
  }
  if (manifests.length === 0) {
    const stated = traces.flatMap((trace) =>
      typeof trace.meta?.mac_commit === 'string' ? [{ ...trace, commit: trace.meta.mac_commit }] : [],
    );
    for (const { file, message } of mixedCommits(stated))
      all.add(
        file,
        traces.find((trace) => trace.file === file)?.metaLine ?? null,
        'mac-commit',
        `mac_commit: ${message}`,
      );
  }
  if (manifests.length === 0 || manifests.some(({ sure }) => !sure)) return;
  const expected = `only traces that ${manifests.map(({ file }) => file).join(' or ')} lists`;
  for (const trace of traces)
    if (!listed.has(trace) && trace.caseId !== null)
      all.add(trace.file, trace.metaLine, 'unlisted', `found the trace of ${trace.caseId}, expected ${expected}`);
}

function traceOf(entry: TraceEntry, traces: readonly CheckedTrace[]): CheckedTrace | null {
  const named = traces.filter(({ file }) => isCalled(file, entry.file));
  const ofCase = traces.filter(({ caseId }) => caseId === entry.case_id);
  const candidates = [...named.filter((trace) => ofCase.includes(trace)), ...named, ...ofCase];
  return candidates.find(({ sha256 }) => sha256 === entry.sha256) ?? candidates[0] ?? null;
}

/** Whether a path ends in a name, which may have folders in it. */
function isCalled(path: string, name: string): boolean {
  const slashed = path.replaceAll('\\', '/');
  return slashed === name || slashed.endsWith(`/${name}`);
}

function checkEntry(entry: TraceEntry, line: number, trace: CheckedTrace, findings: FileFindings): void {
  const { case_id: id, file, sha256, delta_count: deltas, turn_count: turns } = entry;
  if (!isCalled(trace.file, file))
    findings.compare(line, 'missing', 'file', file, trace.file, `, where the trace of ${id} is`);
  if (trace.caseId !== null) findings.compare(line, 'case-id', 'case_id', id, trace.caseId, ` as in ${trace.file}`);
  if (trace.whole && trace.sha256 !== sha256) {
    const compressed = trace.storedSha256 === sha256 ? ' (it is that of the compressed bytes)' : '';
    const expected = `${trace.sha256} of the decompressed bytes of ${trace.file}`;
    findings.add(line, 'file-hash', `sha256: found ${sha256}${compressed}, expected ${expected}`);
  }
  if (!trace.sure) return;
  findings.compare(line, 'count', 'delta_count', deltas, trace.deltas, ` as in ${trace.file}`);
  findings.compare(line, 'count', 'turn_count', turns, trace.turns, ` as in ${trace.file}`);
}
