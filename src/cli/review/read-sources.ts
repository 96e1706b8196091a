import { basename } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import { type HashedSource, hashedSource, type Source, sourceOf } from '../../data/source.ts';
import { formatOf } from '../../formats/case-formats.ts';
import type { Plan } from '../../recipe/plan.ts';
import { sourceOfAnswer, sourcesOfCases } from '../../review/review-sources.ts';
import { runAnswers } from '../../experiment.ts';
import { nameOfFile, systemFiles } from '../system-file.ts';

interface SourceFlags {
  readonly cases?: string;
  readonly gold?: string;
  readonly predictions: readonly string[];
  readonly run?: string;
}

/** What is to be reviewed: files that were named, or what assay run left. */
interface ReviewFiles {
  readonly cases: Source | undefined;
  readonly gold: Source | undefined;
  readonly systems: readonly { readonly system: string; readonly source: Source }[];
  /** The trace that scores of reviewers go to. */
  readonly traceOf: (caseId: string) => string | null;
}

/** Reads what is to be reviewed, as the format of the recipe has it; `files` are for the record, with the paths of now. */
export async function readSources(plan: Plan, flags: SourceFlags) {
  const { cases, gold, systems, traceOf } =
    flags.run === undefined ? namedFiles(flags) : runFiles(plan, flags, flags.run);
  const { answered } = formatOf(plan);
  const read: { readonly role: string; readonly file: HashedSource }[] = [];
  const hashed = (role: string, source: Source): Source => {
    const file = hashedSource(source);
    read.push({ role, file });
    return file.source;
  };
  const files = () =>
    read.map(({ role, file: { source, digest } }) => ({
      role,
      name: basename(source.name),
      path: source.path,
      sha256: digest().sha256,
    }));
  // A review of answers is scored from its files again, by these roles.
  const isRun = flags.run !== undefined && answered === undefined;
  const outputs = systems.map(({ system, source }) => ({ system, source: hashed(isRun ? 'outputs' : system, source) }));
  if (answered !== undefined) {
    if (cases === undefined)
      throw new UsageError('nothing to review: no case file', 'give --cases FILE and --predictions FILE');
    const answers = await answered(hashed('cases', cases), outputs, plan);
    const sources = answers.map(sourceOfAnswer).map((answer) => {
      const traceId = answer.system === null ? null : traceOf(answer.caseId);
      return traceId === null ? answer : { ...answer, hidden: { ...answer.hidden, traceId } };
    });
    return { sources, notices: [], files: files() };
  }
  if (cases === undefined && gold === undefined)
    throw new UsageError(
      'nothing to review: no case file and no gold file',
      'give --cases FILE, or --gold FILE with --predictions FILE',
    );
  const inside = { system: plan.data.system ?? nameOfFile(flags.cases ?? flags.gold ?? ''), source: undefined };
  const { sources, notices } = await sourcesOfCases(plan, {
    cases: cases && hashed(isRun ? 'items' : 'cases', cases),
    gold: gold && hashed('gold', gold),
    systems: outputs.length === 0 ? [inside] : outputs,
    traceOf,
  });
  return { sources, notices, files: files() };
}

function namedFiles({ cases, gold, predictions }: SourceFlags): ReviewFiles {
  const systems = systemFiles(predictions);
  const paths = [cases, gold, ...systems.map(({ path }) => path)];
  // Cases are read once for each system.
  if (paths.filter((path) => path === '-').length > 1 || ((cases === '-' || gold === '-') && systems.length > 1))
    throw new UsageError('standard input (-) can be read once only', 'give the other files by name');
  return {
    cases: cases === undefined ? undefined : sourceOf(cases),
    gold: gold === undefined ? undefined : sourceOf(gold),
    systems: systems.map(({ system, path }) => ({ system, source: sourceOf(path) })),
    traceOf: () => null,
  };
}

function runFiles(plan: Plan, { cases, gold, predictions }: SourceFlags, folder: string): ReviewFiles {
  if (cases !== undefined || gold !== undefined || predictions.length > 0)
    throw new UsageError('--run has its own items and outputs', 'leave --cases, --gold and --predictions out');
  const { system, items, outputs, traceOf } = runAnswers(plan, folder);
  return { cases: items, gold: undefined, systems: [{ system, source: outputs }], traceOf };
}
