import { UsageError } from '../../../data/problems.ts';
import { fileSource } from '../../../data/source.ts';
import { ParsingCounter, type ParsingStatistics } from '../parsing-statistics.ts';
import { datasetNames } from './dataset-names.ts';
import { checkEntries, type FoundTrace } from './entry-check.ts';
import { FILE_KINDS, type FileKind, seeFile } from './file-kind.ts';
import { findFiles } from './find-files.ts';
import { type Finding, Findings, type Notice } from './findings.ts';
import { type CheckedManifest, ManifestCheck } from './manifest-check.ts';
import {
  CaseMetricsCheck,
  checkAggregate,
  isMetricsRecord,
  type MetricsDocument,
  readMetricsDocument,
} from './metrics-check.ts';
import { Reading } from './reading.ts';
import { type Limits, USUAL_LIMITS } from './record-file.ts';
import { checkTracesAndLogs, type KnownFile } from './traces-and-logs.ts';

export interface ValidateOptions {
  /** Files and folders. */
  readonly paths: readonly string[];
  /** Further files and folders, in each of which there has to be something of its kind. */
  readonly holding?: readonly { readonly path: string; readonly kind: FileKind }[];
  /** Whether what is named but not at hand is a fault. */
  readonly complete?: boolean;
  readonly limits?: Limits;
  /** Told of every fault as it is found. */
  readonly report: (finding: Finding) => void;
  /** Told before each file which share of them is done. */
  readonly breathe?: (share: number) => void | Promise<void>;
  /** Waited for now and then, so that what is reported need not be held. */
  readonly written?: () => void | Promise<void>;
}

export interface Validation {
  /** By kind; `other` were left alone, `unknown` should have been of a kind and are not. */
  readonly files: Readonly<Record<FileKind | 'other' | 'unknown', number>>;
  readonly records: number;
  readonly problems: number;
  /** Of all traces together. */
  readonly parsing: ParsingStatistics;
  readonly traces: readonly Pick<FoundTrace, 'file' | 'caseId' | 'turns' | 'deltas' | 'parsing'>[];
  /** Files of the other kinds, in the order in which they were found. */
  readonly others: readonly { readonly file: string; readonly kind: FileKind }[];
  readonly notices: Readonly<Partial<Record<Notice, number>>>;
}

/** Checks traces, run logs, manifests and metric files: each for itself, and against each other. */
export async function validateFiles(options: ValidateOptions): Promise<Validation> {
  const { paths, holding = [], complete = false, limits = USUAL_LIMITS } = options;
  const places = [...paths, ...holding.map(({ path }) => path)];
  if (places.length === 0) throw new UsageError('nothing to validate', 'name files of JSON lines, or folders of them');
  const { files, documents, others, closed } = findFiles(places);
  const known: KnownFile[] = [];
  for (const file of files) known.push({ ...file, ...(await seeFile(fileSource(file.path), limits)) });
  const of = (kind: KnownFile['kind']): KnownFile[] => known.filter((file) => file.kind === kind);

  const findings = new Findings(options.report);
  let done = 0;
  const reading = new Reading(findings, limits, {
    beforeFile: () => options.breathe?.(done++ / Math.max(1, known.length)),
    betweenPieces: () => options.written?.(),
  });
  const aggregates: MetricsDocument[] = [];
  for (const file of documents) {
    const document = await readMetricsDocument(file.path, findings);
    const isOurs = isMetricsRecord(document?.value);
    if (document !== null && (isOurs || file.named)) aggregates.push(document);
    known.push({ ...file, named: false, kind: isOurs || file.named ? 'metrics' : 'other', caseId: null });
  }
  for (const { path, reason } of closed) findings.add(path, null, 'readable', `cannot be read (${reason})`);
  const empty = complete ? new Set<string>() : new Set(places.filter(isEmptyFolder));
  findings.notice('empty-folder', empty.size);
  for (const { path, kind } of holding) if (!empty.has(path)) expectKind(path, kind, of(kind), findings);
  if (holding.length === 0 && empty.size < new Set(places).size && known.every(({ kind }) => kind === 'other'))
    findings.add(places.join(', '), null, 'missing', 'found no trace, run log or manifest, expected at least one');
  const refused = [...of('unknown'), ...of('other').filter(({ named }) => named)];
  for (const file of refused) await refuse(file, reading);

  const caseLists = [];
  for (const { path } of of('case-list')) {
    const { sha256 } = await reading.into(path, { take: () => undefined, lost: () => undefined });
    caseLists.push({ file: path, sha256 });
  }
  const manifests: CheckedManifest[] = [];
  for (const { path } of of('manifest')) {
    const check = new ManifestCheck(path, findings);
    await reading.into(path, check);
    manifests.push(check.end());
  }
  const datasets = manifests.flatMap(datasetNames);
  const traces = await checkTracesAndLogs(of('trace'), of('run-log'), { datasets, complete }, reading);
  checkEntries(manifests, { traces, caseLists, complete }, findings);
  const caseMetrics: CaseMetricsCheck[] = [];
  for (const { path } of of('metrics').filter((file) => files.some(({ path: own }) => own === file.path))) {
    const check = new CaseMetricsCheck(path, findings);
    await reading.into(path, check);
    caseMetrics.push(check);
  }
  for (const document of aggregates) checkAggregate(document, caseMetrics, findings);
  const parsing = new ParsingCounter();
  for (const trace of traces) parsing.addAll(trace.parsing);
  return {
    files: {
      ...countKinds(known),
      other: others + of('other').filter(({ named }) => !named).length,
      unknown: refused.length,
    },
    records: reading.records,
    problems: findings.count,
    parsing: parsing.statistics,
    traces,
    others: known.flatMap(({ path, kind }) =>
      kind === 'trace' || kind === 'other' || kind === 'unknown' ? [] : [{ file: path, kind }],
    ),
    notices: findings.notices(),
  };
}

function countKinds(known: readonly KnownFile[]): Record<FileKind, number> {
  const counts: Record<FileKind, number> = { trace: 0, 'run-log': 0, manifest: 0, 'case-list': 0, metrics: 0 };
  for (const { kind } of known) if (kind !== 'other' && kind !== 'unknown') counts[kind] += 1;
  return counts;
}

/** A folder that is there and has no file yet: there is nothing to check, which is no fault. */
function isEmptyFolder(place: string): boolean {
  const { files, documents, others, closed } = findFiles([place]);
  return files.length + documents.length + others + closed.length === 0;
}

function expectKind(path: string, kind: FileKind, files: readonly KnownFile[], findings: Findings): void {
  const found = findFiles([path]);
  const inside = new Set([...found.files, ...found.documents].map((file) => file.path));
  if (!files.some((file) => inside.has(file.path)))
    findings.add(path, null, 'missing', `found no ${kindName(kind)}, expected at least one`);
}

function kindName(kind: FileKind): string {
  return kind === 'metrics' ? 'metric file' : kind.replace('-', ' ');
}

/** A file that should be one of ours and is not: what cannot be read is told, or else that it is of another sort. */
async function refuse({ path, kind }: KnownFile, reading: Reading): Promise<void> {
  const { findings } = reading;
  const before = findings.count;
  await reading.into(path, { take: () => undefined, lost: () => undefined });
  const kinds = FILE_KINDS.map(kindName).join(', ');
  if (kind === 'other') findings.add(path, null, 'schema', `found records of another sort, expected one of ${kinds}`);
  else if (findings.count === before)
    findings.add(path, null, 'count', 'found no record that is a JSON object, expected at least one');
}
