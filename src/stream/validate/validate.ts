import { basename } from 'node:path';

import { UsageError } from '../../plugin.ts';
import { ParsingCounter, type ParsingStatistics } from '../parsing-statistics.ts';
import { FILE_KINDS, type FileKind, findFiles, type InputFile, seeFile, type SeenFile } from './find-files.ts';
import { type FileCheck, type FileFinding, Findings, type Notice, type NoticePlaces } from './findings.ts';
import { HeldTrace, TraceKeeper } from './held-trace.ts';
import { checkManifest, checkManifestsAgainst, type DatasetNames, datasetNames } from './manifest-invariants.ts';
import { checkAggregate, checkCaseMetrics, isMetricsRecord, readMetricsDocument } from './metrics-invariants.ts';
import { DEFAULT_LIMITS, type Limits, NO_CHECK, RecordReader } from './record-file.ts';
import { checkRunLog } from './run-log-invariants.ts';
import { type CheckedTrace, checkTrace } from './trace-invariants.ts';

export interface ValidateOptions {
  /** Files and folders. */
  readonly paths: readonly string[];
  /** Further files and folders, each of which has to hold something of its kind. */
  readonly holding?: readonly { readonly path: string; readonly kind: FileKind }[];
  /** Whether what is named but not at hand is a fault. */
  readonly complete?: boolean;
  readonly limits?: Limits;
  /** Called for every fault as it is found. */
  readonly report: (finding: FileFinding) => void;
  /** Called before each file with the share of them that is done. */
  readonly breathe?: (share: number) => void | Promise<void>;
  /** Awaited now and then, so that what is reported need not be held. */
  readonly written?: () => void | Promise<void>;
}

export interface Validation {
  /** By kind; `other` were left alone, `unknown` should have been of a kind and are not. */
  readonly files: Readonly<Record<FileKind | 'other' | 'unknown', number>>;
  readonly records: number;
  readonly problems: number;
  /** How often each check failed. */
  readonly checks: Readonly<Partial<Record<FileCheck, number>>>;
  /** Of all traces together. */
  readonly parsing: ParsingStatistics;
  readonly traces: readonly Pick<CheckedTrace, 'file' | 'caseId' | 'turns' | 'deltas' | 'parsing'>[];
  /** Files of the other kinds, in the order in which they were found. */
  readonly others: readonly { readonly file: string; readonly kind: FileKind }[];
  readonly notices: Readonly<Partial<Record<Notice, number>>>;
  readonly noticePlaces: NoticePlaces;
}

interface KnownFile extends InputFile, SeenFile {}

/** Checks traces, run logs, manifests and metric files: each for itself, and against each other. */
export async function validateFiles(options: ValidateOptions): Promise<Validation> {
  const { paths, holding = [], complete = false, limits = DEFAULT_LIMITS } = options;
  const places = [...paths, ...holding.map(({ path }) => path)];
  if (places.length === 0) throw new UsageError('nothing to validate', 'name files of JSON lines, or folders of them');
  const { files, documents, others, closed } = findFiles(places);
  const known: KnownFile[] = [];
  for (const file of files) known.push({ ...file, ...(await seeFile(file.path, limits)) });
  const lines = [...known];
  const of = (kind: KnownFile['kind'], among = known): KnownFile[] => among.filter((file) => file.kind === kind);

  const findings = new Findings(options.report);
  let done = 0;
  const reader = new RecordReader(findings, limits, {
    beforeFile: () => options.breathe?.(done++ / Math.max(1, known.length)),
    betweenBatches: () => options.written?.(),
  });
  const aggregates = [];
  for (const file of documents) {
    const document = await readMetricsDocument(file.path, findings);
    const isOurs = isMetricsRecord(document?.value) || file.named;
    if (document !== null && isOurs) aggregates.push(document);
    known.push({ ...file, named: false, kind: isOurs ? 'metrics' : 'other', caseId: null });
  }
  for (const { path, reason } of closed) findings.add(path, null, 'readable', `cannot be read (${reason})`);
  // A folder that is there and has no file yet: there is nothing to check, which is not a fault.
  const empty = complete ? new Set<string>() : new Set(places.filter((place) => findFiles([place]).isEmpty));
  findings.notice('empty-folder', empty.size);
  for (const { path, kind } of holding) {
    const inside = findFiles([path]).paths;
    if (!empty.has(path) && !of(kind).some((file) => inside.has(file.path)))
      findings.add(path, null, 'missing', `found no ${kindName(kind)}, expected at least one`);
  }
  if (holding.length === 0 && empty.size < new Set(places).size && known.every(({ kind }) => kind === 'other'))
    findings.add(places.join(', '), null, 'missing', 'found no trace, run log or manifest, expected at least one');
  const refused = [...of('unknown'), ...of('other').filter(({ named }) => named)];
  for (const file of refused) await refuse(file, reader);

  const caseLists = [];
  for (const { path } of of('case-list'))
    caseLists.push({ file: path, sha256: (await reader.read(path, NO_CHECK)).sha256 });
  const manifests = [];
  for (const { path } of of('manifest')) manifests.push(await checkManifest(path, reader));
  const datasets = manifests.flatMap(datasetNames);
  const traces = await checkTracesAndLogs(of('trace'), of('run-log'), { datasets, complete }, reader);
  checkManifestsAgainst({ traces, caseLists, complete }, manifests, findings);
  const caseMetrics = [];
  for (const { path } of of('metrics', lines)) caseMetrics.push(await checkCaseMetrics(path, reader));
  for (const document of aggregates) checkAggregate(document, caseMetrics, findings);

  const parsing = new ParsingCounter();
  for (const trace of traces) parsing.addAll(trace.parsing);
  const count = (kind: FileKind): number => of(kind).length;
  return {
    files: {
      trace: count('trace'),
      'run-log': count('run-log'),
      manifest: count('manifest'),
      'case-list': count('case-list'),
      metrics: count('metrics'),
      other: others + of('other').filter(({ named }) => !named).length,
      unknown: refused.length,
    },
    records: reader.records,
    problems: findings.count,
    checks: findings.checks(),
    parsing: parsing.statistics,
    traces,
    others: known.flatMap(({ path, kind }) =>
      kind === 'trace' || kind === 'other' || kind === 'unknown' ? [] : [{ file: path, kind }],
    ),
    notices: findings.notices(),
    noticePlaces: findings.noticePlaces(),
  };
}

function kindName(kind: FileKind): string {
  return kind === 'metrics' ? 'metric file' : kind.replace('-', ' ');
}

/** A file that should be one of ours and is not: why it cannot be read is reported, or else that it is of another sort. */
async function refuse({ path, kind }: KnownFile, reader: RecordReader): Promise<void> {
  const { findings } = reader;
  const before = findings.count;
  await reader.read(path, NO_CHECK);
  const kinds = FILE_KINDS.map(kindName).join(', ');
  if (kind === 'other') findings.add(path, null, 'schema', `found records of another sort, expected one of ${kinds}`);
  else if (findings.count === before)
    findings.add(path, null, 'count', 'found no record that is a JSON object, expected at least one');
}

/** A trace that is larger than this is checked for itself, but run logs are not compared with it. */
const MOST_HELD_BYTES = 2 ** 28;

/** Each trace, then the logs made from it, so that no more than one trace is held at a time. */
async function checkTracesAndLogs(
  traces: readonly KnownFile[],
  logs: readonly KnownFile[],
  { datasets, complete }: { readonly datasets: readonly DatasetNames[]; readonly complete: boolean },
  reader: RecordReader,
): Promise<CheckedTrace[]> {
  const { findings } = reader;
  const waiting = Map.groupBy(logs, ({ caseId }) => caseId);
  const checked: CheckedTrace[] = [];
  const fileOfCase = new Map<string, string>();
  for (const file of traces) {
    const own = namesOf(file).flatMap((name) => waiting.get(name) ?? []);
    for (const name of namesOf(file)) waiting.delete(name);
    const keeper = own.length === 0 ? null : new TraceKeeper(MOST_HELD_BYTES);
    const trace = await checkTrace(file.path, keeper, reader);
    checked.push(trace);
    const { caseId } = trace;
    const before = caseId === null ? undefined : fileOfCase.get(caseId);
    if (before !== undefined) {
      const message = `case_id: found ${trace.meta?.case_id ?? ''}, the case of ${before} too, expected another`;
      findings.add(file.path, trace.metaLine, 'duplicate', message);
    } else if (caseId !== null) fileOfCase.set(caseId, file.path);
    const kept = trace.sure && trace.whole ? (keeper?.trace(file.path, trace.sha256) ?? null) : null;
    const held = kept === null ? null : new HeldTrace(kept);
    for (const log of own) {
      if (keeper?.tooLarge === true) findings.notice('trace-too-large');
      if (log.caseId !== caseId) findings.notice('case-named-after-file');
      await checkRunLog(log.path, { trace, held, datasets }, reader);
    }
  }
  for (const log of [...waiting.values()].flat()) {
    const name = log.caseId ?? 'this log';
    const message = `found no trace of ${name}, expected the one that it was made from`;
    if (complete) findings.add(log.path, null, 'missing', message);
    else findings.notice('log-without-trace');
    await checkRunLog(log.path, { trace: null, held: null, datasets }, reader);
  }
  return checked;
}

/** What run logs may call the case of a trace: by its id, or by the name of its file without the ending. */
function namesOf({ path, caseId }: KnownFile): string[] {
  const stem = basename(path).replace(/\.(?:jsonl|ndjson)(?:\.gz|\.zst)?$/i, '');
  return [...new Set([caseId ?? stem, stem])];
}
