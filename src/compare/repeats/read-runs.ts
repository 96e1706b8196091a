import { join } from 'node:path';

import type { Case } from '../../data/case.ts';
import type { DataOptions } from '../../data/data-options.ts';
import type { Item } from '../../data/item.ts';
import { Problems, UsageError } from '../../data/problems.ts';
import { readCases } from '../../data/read-cases.ts';
import { rowReader } from '../../data/read-rows.ts';
import { reopenable, type Source, sourceOf } from '../../data/source.ts';
import { caseReader, formatOf } from '../../formats/case-formats.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { Plan } from '../../recipe/plan.ts';
import { makeFingerprint } from '../../score/fingerprint.ts';
import { ledgerVerdicts } from '../../score/ledger.ts';
import { readLedgerCases } from '../../score/ledger-files.ts';
import { readRun } from '../../score/read-run.ts';
import { expectCounts } from '../../score/retally.ts';
import type { Run } from '../../score/run.ts';
import { makeCaseScorer } from '../../score/score-case.ts';
import { recipeHash } from '../../score/signature.ts';
import { sameFolder } from '../run-names.ts';
import { signatureDifferences, signatureParts } from '../signature-differences.ts';
import {
  planParts,
  type RecipeParts,
  recipePartsOf,
  type RepeatedCase,
  type RepeatedQuestion,
  type RepeatedRun,
} from './repeated-run.ts';

/** Runs of one system with what they have in common, before they are compared. */
export interface Repeated {
  readonly question: RepeatedQuestion;
  readonly runs: readonly RepeatedRun[];
  readonly notices: readonly string[];
}

export interface FolderRunsOptions {
  /** Compare runs that were not asked the same. */
  readonly force?: boolean;
  /** The recipe of the runs, where it has code of its own that a run folder does not hold. */
  readonly plan?: Plan | null;
}

/** Reads the folders of repeated runs. What is not a repeat is refused with what differs, or with `force` noticed. */
export async function readRepeatedRuns(
  folders: readonly string[],
  { force = false, plan = null }: FolderRunsOptions = {},
): Promise<Repeated> {
  refuseFew(folders.length);
  const found: Run[] = [];
  for (const folder of folders) found.push(await readRun(folder));
  refuseTwice(found.map(({ folder }) => folder));
  const first = found[0]!;
  const stranger = found.find(({ manifest }) => manifest.task !== first.manifest.task);
  if (stranger !== undefined)
    throw new UsageError(
      `${stranger.folder} is a run of ${stranger.manifest.task}, ${first.folder} one of ${first.manifest.task}: they are not runs of one system`,
      'give runs of one system on the same cases',
    );
  const differences = differencesOf(found);
  if (differences.length > 0 && !force)
    throw new UsageError(
      differences,
      'score all of them by the same recipe on the same cases and gold; --force compares them all the same',
    );
  const runs: RepeatedRun[] = [];
  for (const run of found) runs.push(await readOne(run));
  return {
    question: { ...(plan === null ? recipePartsOf(first) : partsOfGiven(plan, first)), hasGold: true },
    runs,
    notices: differences.map(
      (difference) => `${difference}; compared all the same because of --force, by the recipe of ${first.folder}`,
    ),
  };
}

export function refuseFew(runs: number): void {
  if (runs >= 2) return;
  throw new UsageError(
    runs === 0 ? 'no runs were given' : 'one run was given: there is nothing to compare it with',
    'give two or more runs of one system on the same cases',
  );
}

function refuseTwice(folders: readonly string[]): void {
  const same = sameFolder(folders);
  if (same === null) return;
  const [before, folder] = same;
  throw new UsageError(
    before === folder ? `${folder} was given twice` : `${before} and ${folder} are the same folder`,
    'a run is no repeat of itself: name each once',
  );
}

function partsOfGiven(plan: Plan, run: Run): RecipeParts {
  const hash = `#${recipeHash(plan).slice(0, 12)}`;
  const recipe = signatureParts(run.manifest.comparable).get('recipe') ?? '';
  if (recipe !== hash)
    throw new UsageError(
      `${run.folder} was scored by another recipe than ${plan.name} (${recipe} in its signature, ${hash} now)`,
      'name the recipe the runs were scored by, with the same --set lines, or leave --recipe out',
    );
  return planParts(plan);
}

async function readOne({ folder, manifest }: Run): Promise<RepeatedRun> {
  const cases = new Map<string, RepeatedCase>();
  for await (const { result, records } of readLedgerCases(folder)) {
    const { case: id, failed = null, answered = true } = result;
    const own = records.filter(({ scheme }) => scheme === undefined);
    const verdicts = ledgerVerdicts(own, join(folder, 'ledger.jsonl'), null);
    expectCounts(folder, result, verdicts);
    cases.set(id, { failed, answered, verdicts });
  }
  return { name: folder, predicted: signatureParts(manifest.signature).get('predicted') ?? manifest.signature, cases };
}

/** What keeps later runs from being repeats of the first, one sentence each; none when they are. */
export function differencesOf(runs: readonly Run[]): string[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  return others.flatMap((other) => {
    const apart = signatureDifferences(first.manifest, other.manifest);
    return apart.length === 0 ? [] : [`${other.folder} is no repeat of ${first.folder}: ${apart.join('; ')}`];
  });
}

/** The files of repeated runs: one of predictions for each run. Every source is opened more than once. */
export interface RepeatedFiles {
  readonly cases?: Source | undefined;
  readonly gold?: Source | undefined;
  readonly predictions: readonly Source[];
}

/** The same by name, `-` for standard input, or as sources. */
export interface RepeatedInput {
  readonly cases?: string | Source | undefined;
  readonly gold?: string | Source | undefined;
  readonly predictions: readonly (string | Source)[];
}

/** Opens what can be read again and again: standard input is taken in whole. */
export async function openRepeated({ cases, gold, predictions }: RepeatedInput): Promise<RepeatedFiles> {
  if ([cases, gold, ...predictions].filter((given) => given === '-').length > 1)
    throw new UsageError('standard input (-) can be read once only', 'give the other files by name');
  const open = (given: string | Source): Promise<Source> | Source =>
    typeof given === 'string' ? reopenable(sourceOf(given)) : given;
  return {
    cases: cases === undefined ? undefined : await open(cases),
    gold: gold === undefined ? undefined : await open(gold),
    predictions: await Promise.all(predictions.map(async (given) => open(given))),
  };
}

/** Scores the files of repeated runs. Without any gold the predictions are still followed from run to run. */
export async function scoreRepeatedFiles(plan: Plan, files: RepeatedFiles): Promise<Repeated> {
  refuseFew(files.predictions.length);
  refuseSameFile(files.predictions);
  const { cases, gold } = files;
  const driver = cases ?? gold;
  if (driver === undefined)
    throw new UsageError(
      'nothing says which cases there are: no case file and no gold file',
      'give --cases FILE, or --gold FILE',
    );
  const hasGold = formatOf(plan).goldIs !== null || gold !== undefined || (await holdsGold(driver, plan.data));
  // The schemes beside the recipe's own pairing have no part in this.
  const scoreCase = makeCaseScorer({ ...plan, schemes: plan.schemes.slice(0, 1) });
  const runs: RepeatedRun[] = [];
  for (const predictions of files.predictions) {
    const read = hasGold
      ? caseReader({ cases, gold, predictions }, plan)
      : casesWithoutGold(driver, predictions, plan.data);
    runs.push(await scoreOne(predictions.name, read, scoreCase));
  }
  return { question: { ...planParts(plan), hasGold }, runs, notices: [] };
}

function refuseSameFile(predictions: readonly Source[]): void {
  const seen = new Set<string>();
  for (const { name, path } of predictions) {
    const place = path ?? name;
    if (seen.has(place))
      throw new UsageError(`${name} was given twice`, 'a run is no repeat of itself: name each once');
    seen.add(place);
  }
}

/** Whether a file of cases has gold inside; its faults are found when it is read in earnest. */
async function holdsGold(source: Source, options: DataOptions): Promise<boolean> {
  for await (const batch of rowReader(source, 'cases', options, new Problems()).rows())
    if (batch.some(({ gold }) => gold !== null)) return true;
  return false;
}

/** The cases with what was predicted for them, and an empty gold that nobody counts. */
async function* casesWithoutGold(cases: Source, predictions: Source, data: DataOptions): AsyncGenerator<Case> {
  const problems = new Problems();
  for await (const one of readCases({ cases, predictions }, { ...data, missingGold: 'empty' }, problems))
    if (problems.count === 0) yield one;
  problems.throwIfAny();
}

async function scoreOne(
  name: string,
  given: AsyncIterable<Case>,
  scoreCase: ReturnType<typeof makeCaseScorer>,
): Promise<RepeatedRun> {
  const fingerprint = makeFingerprint();
  const cases = new Map<string, RepeatedCase>();
  for await (const one of given) {
    fingerprint.add(one);
    for (const { case: scored, verdicts } of scoreCase(one))
      cases.set(scored.id, {
        failed: scored.failed,
        answered: scored.answered,
        verdicts: inFileUnits(verdicts, scored),
      });
  }
  if (cases.size === 0) throw new UsageError('there is no case to compare');
  return { name, predicted: fingerprint.predicted(), cases };
}

/** Places as the ledger would hold them, so that files and folders give the same answer. */
function inFileUnits(verdicts: readonly Verdict[], { offsets }: Case): readonly Verdict[] {
  if (offsets === null) return verdicts;
  const placed = (item: Item | null): Item | null =>
    item === null || item.start < 0
      ? item
      : { ...item, start: offsets.fromUtf16(item.start), end: offsets.fromUtf16(item.end) };
  return verdicts.map((verdict) => ({ ...verdict, gold: placed(verdict.gold), predicted: placed(verdict.predicted) }));
}
