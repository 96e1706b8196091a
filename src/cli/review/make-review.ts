import { basename } from 'node:path';

import { runAnswers } from '../../experiment.ts';
import type { Plan } from '../../index.ts';
import { formatOf, presetNames, presetText } from '../../pipeline.ts';
import {
  type HashedSource,
  hashedSource,
  mapFiles,
  shorten,
  type Source,
  sourceOf,
  storedDigest,
  UNSAFE,
  UsageError,
  VERSION,
  visible,
} from '../../plugin.ts';
import {
  type CreatedReview,
  createReview,
  type PersonInit,
  readTextFolder,
  reviewSecret,
  type ReviewSection,
  sourceOfAnswer,
  sourcesOfCases,
  type Store,
} from '../../review.ts';
import { localFolder } from '../backend-of.ts';
import { answerFiles, nameOfFile, systemFiles } from '../system-file.ts';
import type { StoreFlags } from './review-store.ts';

const LONGEST_NAME = 80;
/** The server indexes them within seconds, and keeps them in memory. */
const MOST_SOURCE_BYTES = 16 << 20;

/** Input of a review that is not in the store yet. */
interface NewReview extends SourceFlags, StoreFlags {
  readonly name: string;
  readonly set: readonly string[];
  readonly people: readonly PersonInit[];
  readonly seed: number;
  readonly expiresAt: string;
  /** Folder of texts that reviewers can search. */
  readonly sources?: string;
}

/** Reads what is to be reviewed; the function it returns creates the review in the store. */
export async function prepareReview(
  plan: Plan,
  init: NewReview,
  note: (line: string) => void,
): Promise<(store: Store) => CreatedReview> {
  const { name, set, people, seed, expiresAt } = init;
  const { sources, notices, files, kinds, itemKind } = await readSources(plan, init, note);
  const folder = init.sources === undefined ? null : await readTextFolder(init.sources, '.', MOST_SOURCE_BYTES);
  const texts = folder?.texts ?? [];
  // How the gold annotations are read again; custom formats are code, and not kept.
  const { formats: _, ...data } = plan.data;
  const origin = {
    assay: VERSION,
    recipe: plan.name,
    set,
    data,
    ...(itemKind === null ? {} : { itemKind }),
    files,
    ...(folder === null ? {} : { texts: { files: texts.length, sha256: folder.hash } }),
  };
  const { task } = plan;
  const content = { form: formOf(plan), task, sources, origin, texts, kinds };
  return (store) => {
    const secret = reviewSecret(localFolder(init));
    const made = createReview(store, { name, ...content, seed, people, secret, expiresAt });
    return { ...made, notices: [...notices, ...made.notices] };
  };
}

/** Refuses names that are no file name, or too long for a list. */
export function refuseName(name: string): void {
  const isShort = name.trim() === name && name !== '' && name.length <= LONGEST_NAME;
  if (!isShort || name.search(UNSAFE) !== -1 || /^[-.]|[/\\]/.test(name))
    throw new UsageError(
      `${visible(shorten(name))} cannot be the name of a review`,
      `expected up to ${LONGEST_NAME} visible characters, no slash, and no dot or hyphen first`,
    );
}

/** The review form of a recipe, which defines the questions. */
export function formOf(plan: Plan): ReviewSection {
  if (plan.review !== null) return plan.review;
  const presets = presetNames().filter((preset) => /^review:/m.test(presetText(preset)));
  throw new UsageError(
    `the recipe ${plan.name} has no review section, which defines the questions`,
    `add one, or use a preset that has it: ${presets.join(', ')}`,
  );
}

interface SourceFlags {
  readonly cases: readonly string[];
  readonly gold: readonly string[];
  readonly predictions: readonly string[];
  readonly run?: string;
}

/** Sources of a review: the files of the call, or the folder of a run. */
interface ReviewFiles {
  readonly cases: Source | undefined;
  readonly gold: Source | undefined;
  readonly systems: readonly { readonly system: string; readonly source: Source }[];
  /** The trace that scores of reviewers go to. */
  readonly traceOf: (caseId: string) => string | null;
}

/** Reads what is to be reviewed, as the format of the recipe has it; `files` are for the record, with the paths of now. */
async function readSources(plan: Plan, flags: SourceFlags, note: (line: string) => void) {
  const { answered } = formatOf(plan);
  const predictions = answered === undefined ? flags.predictions : answerFiles(flags.predictions, note);
  const { cases, gold, systems, traceOf } =
    flags.run === undefined ? namedFiles({ ...flags, predictions }) : runFiles(plan, flags, flags.run);
  const hashes: { readonly role: string; readonly file: HashedSource }[] = [];
  const hashed = (role: string, source: Source): Source =>
    mapFiles(source, (one) => {
      const file = hashedSource(one);
      hashes.push({ role, file });
      return file.source;
    });
  const files = () =>
    Array.fromAsync(hashes, async ({ role, file: { source, digest } }) => {
      // A folder, and a file with others beside it, are more than the bytes that were read through the source.
      const stored = await storedDigest(source.path ?? '').catch(() => null);
      return { role, name: basename(source.name), path: source.path, sha256: (stored ?? digest()).sha256 };
    });
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
    return { sources, notices: [], files: await files(), kinds: [], itemKind: null };
  }
  if (cases === undefined && gold === undefined)
    throw new UsageError(
      'nothing to review: no case file and no gold file',
      'give --cases FILE, or --gold FILE with --predictions FILE',
    );
  const inside = { system: plan.data.system ?? nameOfFile(flags.cases[0] ?? flags.gold[0] ?? ''), source: undefined };
  const read = await sourcesOfCases(plan, {
    cases: cases && hashed(isRun ? 'items' : 'cases', cases),
    gold: gold && hashed('gold', gold),
    systems: outputs.length === 0 ? [inside] : outputs,
    traceOf,
  });
  return { ...read, files: await files() };
}

function namedFiles({ cases, gold, predictions }: SourceFlags): ReviewFiles {
  const systems = systemFiles(predictions);
  const paths = [...cases, ...gold, ...systems.flatMap((one) => one.paths)];
  // Cases are read once for each system.
  if (paths.filter((path) => path === '-').length > 1 || ([...cases, ...gold].includes('-') && systems.length > 1))
    throw new UsageError('standard input (-) can be read once only', 'give the other files by name');
  return {
    cases: cases.length === 0 ? undefined : sourceOf(...cases),
    gold: gold.length === 0 ? undefined : sourceOf(...gold),
    systems: systems.map((one) => ({ system: one.system, source: sourceOf(...one.paths) })),
    traceOf: () => null,
  };
}

function runFiles(plan: Plan, { cases, gold, predictions }: SourceFlags, folder: string): ReviewFiles {
  if (cases.length + gold.length + predictions.length > 0)
    throw new UsageError('--run has its own items and outputs', 'leave --cases, --gold and --predictions out');
  const { system, items, outputs, traceOf } = runAnswers(plan, folder);
  return { cases: items, gold: undefined, systems: [{ system, source: outputs }], traceOf };
}
