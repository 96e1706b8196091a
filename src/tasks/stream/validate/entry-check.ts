import { describe } from '../../../data/record-fields.ts';
import { OTHER_COMMIT, otherCommits } from '../dataset-hash.ts';
import type { TraceEntry } from '../manifest-records.ts';
import type { Findings } from './findings.ts';
import type { CheckedManifest, Placed } from './manifest-check.ts';
import type { TraceCounts } from './trace-check.ts';

/** A trace that is at hand, as it was found. */
export interface FoundTrace extends TraceCounts {
  readonly file: string;
  readonly sha256: string;
  readonly storedSha256: string;
  /** False where the file breaks off. */
  readonly whole: boolean;
}

export interface AtHand {
  readonly traces: readonly FoundTrace[];
  readonly caseLists: readonly { readonly file: string; readonly sha256: string }[];
  /** Whether a trace that is not at hand is a fault. */
  readonly complete: boolean;
}

/**
 * Manifests against the files at hand: whether each trace is what it was when it was frozen, and whether there are
 * traces that no manifest lists. No path of a manifest is ever opened: names are only looked up among the files found.
 */
export function checkEntries(manifests: readonly CheckedManifest[], atHand: AtHand, findings: Findings): void {
  const listed = new Set<FoundTrace>();
  for (const manifest of manifests) {
    checkCaseList(manifest, atHand, findings);
    const own: FoundTrace[] = [];
    let absent = 0;
    for (const entry of manifest.entries) {
      const trace = traceOf(entry.record, atHand.traces);
      if (trace !== null) {
        listed.add(trace);
        own.push(trace);
        checkEntry(manifest.file, entry, trace, findings);
      } else if (atHand.complete)
        findings.add(
          manifest.file,
          entry.line,
          'missing',
          `file: found no ${describe(entry.record.file)}, expected the trace of ${entry.record.case_id} among the files`,
        );
      else absent += 1;
    }
    findings.notice('trace-not-at-hand', absent);
    checkCommit(manifest, own, findings);
  }
  if (manifests.length === 0 || manifests.some(({ sure }) => !sure)) return;
  for (const trace of atHand.traces)
    if (!listed.has(trace) && trace.caseId !== null)
      findings.add(
        trace.file,
        trace.metaLine,
        'unlisted',
        `found the trace of ${trace.caseId}, expected only traces that ${manifests.map(({ file }) => file).join(' or ')} lists`,
      );
}

function traceOf(entry: TraceEntry, traces: readonly FoundTrace[]): FoundTrace | null {
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

function checkEntry(file: string, { record, line }: Placed<TraceEntry>, trace: FoundTrace, findings: Findings): void {
  if (!isCalled(trace.file, record.file))
    findings.add(
      file,
      line,
      'missing',
      `file: found ${describe(record.file)}, expected ${describe(trace.file)}, where the trace of ${record.case_id} is`,
    );
  if (trace.caseId !== null && trace.caseId !== record.case_id)
    findings.add(
      file,
      line,
      'case-id',
      `case_id: found ${describe(record.case_id)}, expected ${describe(trace.caseId)} as in ${trace.file}`,
    );
  if (trace.whole && trace.sha256 !== record.sha256) {
    const packed = trace.storedSha256 === record.sha256 ? ' (it is that of the packed bytes)' : '';
    findings.add(
      file,
      line,
      'file-hash',
      `sha256: found ${record.sha256}${packed}, expected ${trace.sha256} of the unpacked bytes of ${trace.file}`,
    );
  }
  if (!trace.sure) return;
  for (const [field, found, expected] of [
    ['delta_count', record.delta_count, trace.deltas],
    ['turn_count', record.turn_count, trace.turns],
  ] as const)
    if (found !== expected)
      findings.add(file, line, 'count', `${field}: found ${found}, expected ${expected} as in ${trace.file}`);
}

/** Traces of other agents than those that a manifest names: what is measured on them says nothing about these. */
function checkCommit({ file, provenance }: CheckedManifest, traces: readonly FoundTrace[], findings: Findings): void {
  const commits = traces.flatMap((trace) =>
    typeof trace.meta?.mac_commit === 'string' ? [{ file: trace.file, commit: trace.meta.mac_commit }] : [],
  );
  for (const message of otherCommits(provenance?.record.mac_commit ?? null, commits))
    findings.add(file, provenance?.line ?? null, 'mac-commit', `mac_commit: ${message} (${OTHER_COMMIT})`);
}

function checkCaseList({ file, provenance }: CheckedManifest, { caseLists }: AtHand, findings: Findings): void {
  const stated = provenance?.record.case_list_hash;
  if (provenance === null || stated === undefined || caseLists.length === 0) return;
  if (caseLists.some(({ sha256 }) => sha256 === stated)) return;
  const expected = caseLists.map((list) => `${list.sha256} of ${list.file}`).join(' or ');
  findings.add(file, provenance.line, 'case-list-hash', `case_list_hash: found ${stated}, expected ${expected}`);
}
