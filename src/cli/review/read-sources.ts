import { basename } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import { type HashedSource, hashedSource, type Source, sourceOf } from '../../data/source.ts';
import { formatOf } from '../../formats/case-formats.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { ReviewSource } from '../../review/create-review.ts';
import { sourceOfAnswer, sourcesOfCases } from '../../review/review-sources.ts';
import { runAnswers } from '../run-answers.ts';
import { nameOfFile, systemFile, systemFiles } from '../system-file.ts';

export interface SourceFlags {
  readonly cases?: string;
  readonly gold?: string;
  readonly predictions?: readonly string[];
  readonly run?: string;
}

export interface ReadSources {
  readonly sources: readonly ReviewSource[];
  readonly notices: readonly string[];
  /** What was read, for the record. */
  readonly files: readonly OriginFile[];
}

/** A file that a review was made of; the path is where it was then. */
export interface OriginFile {
  readonly role: string;
  readonly name: string;
  readonly path: string | null;
  readonly sha256: string;
}

/** Reads what is to be reviewed, as the task of the recipe has it. */
export async function readSources(plan: Plan, flags: SourceFlags): Promise<ReadSources> {
  if (flags.run !== undefined) return readRun(plan, flags.run, flags);
  refuseSharedInput(flags);
  const { cases, gold, predictions = [] } = flags;
  const hashed = new HashedSources();
  const open = (role: string, path: string | undefined): Source | undefined =>
    path === undefined ? undefined : hashed.of(role, sourceOf(path));
  const systems = systemFiles(predictions).map(({ system, path }) => ({
    system,
    source: hashed.of(system, sourceOf(path)),
  }));
  const { answered } = formatOf(plan);
  if (answered !== undefined) {
    const caseSource = open('cases', cases);
    if (caseSource === undefined)
      throw new UsageError('nothing to review: no case file', 'give --cases FILE and --predictions FILE');
    const sources = (await answered(caseSource, systems, plan)).map(sourceOfAnswer);
    return { sources, notices: [], files: hashed.files() };
  }
  const files = { cases: open('cases', cases), gold: open('gold', gold) };
  if (files.cases === undefined && files.gold === undefined)
    throw new UsageError(
      'nothing to review: no case file and no gold file',
      'give --cases FILE, or --gold FILE with --predictions FILE',
    );
  const inside = { system: plan.data.system ?? nameOfFile(cases ?? gold ?? ''), source: undefined };
  const read = await sourcesOfCases(plan, { ...files, systems: systems.length === 0 ? [inside] : systems });
  return { ...read, files: hashed.files() };
}

/** What assay run left: its items, its outputs, and traces that scores of reviewers go to. */
async function readRun(plan: Plan, folder: string, flags: SourceFlags): Promise<ReadSources> {
  if (flags.cases !== undefined || flags.gold !== undefined || flags.predictions !== undefined)
    throw new UsageError('--run brings its own items and outputs', 'leave --cases, --gold and --predictions out');
  const { system, items, outputs, traceOf } = runAnswers(plan, folder);
  const hashed = new HashedSources();
  const { answered } = formatOf(plan);
  // A review of answers is scored from these again, under these roles.
  const cases = hashed.of(answered === undefined ? 'items' : 'cases', items);
  const source = hashed.of(answered === undefined ? 'outputs' : system, outputs);
  if (answered !== undefined) {
    const sources = (await answered(cases, [{ system, source }], plan)).map(sourceOfAnswer).map((one) => {
      const traceId = one.system === null ? null : traceOf(one.caseId);
      return traceId === null ? one : { ...one, hidden: { ...one.hidden, traceId } };
    });
    return { sources, notices: [], files: hashed.files() };
  }
  const read = await sourcesOfCases(plan, { cases, systems: [{ system, source }], traceOf });
  return { ...read, files: hashed.files() };
}

function refuseSharedInput({ cases, gold, predictions = [] }: SourceFlags): void {
  const given = [cases, gold, ...predictions.map((one) => systemFile(one).path)];
  const isShared = given.filter((path) => path === '-').length > 1;
  // Cases are read once for each system.
  if (isShared || ((cases === '-' || gold === '-') && predictions.length > 1))
    throw new UsageError('standard input (-) can be read once only', 'give the other files by name');
}

/** What a review was made of is kept with it. */
class HashedSources {
  readonly #files = new Map<string, { readonly role: string; readonly file: HashedSource }>();

  of(role: string, source: Source): Source {
    const file = hashedSource(source);
    this.#files.set(`${role} ${source.name}`, { role, file });
    return file.source;
  }

  files(): ReadSources['files'] {
    return [...this.#files.values()].map(({ role, file: { source, digest } }) => ({
      role,
      name: basename(source.name),
      path: source.path,
      sha256: digest().sha256,
    }));
  }
}
