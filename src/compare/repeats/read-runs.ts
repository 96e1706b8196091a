import { z } from 'zod';

import type { Case } from '../../data/case.ts';
import type { DataOptions } from '../../data/data-options.ts';
import { Problems, UsageError } from '../../data/problems.ts';
import { readCases } from '../../data/read-cases.ts';
import { rowReader } from '../../data/read-rows.ts';
import { type NamedFiles, openFiles } from '../../data/named-files.ts';
import { reopenable, type Source } from '../../data/source.ts';
import { caseReader, formatOf } from '../../formats/case-formats.ts';
import type { Verdict } from '../../judge/verdict.ts';
import { isModulePath } from '../../pair/similarity.ts';
import { SettingError } from '../../prepare/setting-error.ts';
import { type Plan, planRecipe } from '../../recipe/plan.ts';
import { taskTitle } from '../../recipe/task-title.ts';
import { makeFingerprint } from '../../score/fingerprint.ts';
import { damaged, ledgerRecord, ledgerVerdicts } from '../../score/ledger.ts';
import { readLedgerCases, readRun } from '../../score/run-file.ts';
import { expectCounts } from '../../score/retally.ts';
import type { Run } from '../../score/run.ts';
import { makeCaseScorer } from '../../score/score-case.ts';
import { recipeHash } from '../../score/signature.ts';
import { sameFolder } from '../run-names.ts';
import { signatureDifferences, signatureParts } from '../signature-differences.ts';

/** One run of a system, whether read from its folder or just scored. */
export interface RepeatedRun {
  /** What the user called it; its folder or its file if it has no name. */
  readonly name: string;
  /** A hash of what was predicted: equal for runs that said the same. */
  readonly predicted: string;
  readonly cases: ReadonlyMap<string, RepeatedCase>;
}

export interface RepeatedCase extends Pick<Case, 'failed' | 'answered'> {
  /** Those of the recipe's own pairing; places are in the unit of the files. */
  readonly verdicts: readonly Verdict[];
}

/** Runs of one system with what they have in common, before they are compared. */
export interface Repeated {
  /** The recipe by which all of them are looked at. */
  readonly plan: Plan;
  /** False where only predictions were given: then nothing can be right or wrong. */
  readonly hasGold: boolean;
  readonly runs: readonly RepeatedRun[];
  readonly notices: readonly string[];
}

/**
 * Reads the folders of repeated runs. What is not a repeat is refused with what differs, or with `force` noticed. The plan
 * is needed if the recipe has custom code, which a run folder does not hold.
 */
export async function readRepeatedRuns(
  folders: readonly string[],
  plan: Plan | null,
  force: boolean,
): Promise<Repeated> {
  refuseFew(folders.length);
  const found = await Array.fromAsync(folders, async (folder) => readRun(folder));
  const same = sameFolder(found.map(({ folder }) => folder));
  if (same !== null)
    throw noRepeat(
      same[0] === same[1] ? `${same[1]} was given twice` : `${same[0]} and ${same[1]} are the same folder`,
    );
  const [first, ...others] = [found[0]!, ...found.slice(1)];
  const stranger = others.find(({ manifest }) => manifest.task !== first.manifest.task);
  if (stranger !== undefined)
    throw new UsageError(
      `${stranger.folder} is a run of ${taskTitle(stranger.manifest.task)}, ${first.folder} one of ${taskTitle(first.manifest.task)}: they are not runs of one system`,
      'give runs of one system on the same cases',
    );
  const differences = others.flatMap((other) => {
    const apart = signatureDifferences(first.manifest, other.manifest);
    return apart.length === 0 ? [] : [`${other.folder} is no repeat of ${first.folder}: ${apart.join('; ')}`];
  });
  if (differences.length > 0 && !force)
    throw new UsageError(
      differences,
      'score all of them by the same recipe on the same cases and gold; --force compares them anyway',
    );
  const names = found.map(({ about, folder }) => about?.name ?? folder);
  const runs = await Array.fromAsync(found, async (run, at) => {
    const isOwn = names.indexOf(names[at]!) === names.lastIndexOf(names[at]!);
    return readOne(run, isOwn ? names[at]! : run.folder);
  });
  if (plan !== null) refuseOther(plan, first);
  return {
    plan: plan ?? (await planOfManifest(first.folder, first.manifest.recipe)),
    hasGold: true,
    runs,
    notices: differences.map(
      (difference) => `${difference}; compared anyway because of --force, by the recipe of ${first.folder}`,
    ),
  };
}

function refuseFew(runs: number): void {
  if (runs >= 2) return;
  throw new UsageError(
    runs === 0 ? 'no runs were given' : 'one run was given: there is nothing to compare it with',
    'give two or more runs of one system on the same cases',
  );
}

function noRepeat(message: string): UsageError {
  return new UsageError(message, 'a run is no repeat of itself: name each once');
}

function refuseOther(plan: Plan, { folder, manifest }: Run): void {
  const hash = `#${recipeHash(plan).slice(0, 12)}`;
  const recipe = signatureParts(manifest.comparable).get('recipe') ?? '';
  if (recipe === hash) return;
  throw new UsageError(
    `${folder} was scored by another recipe than ${plan.name} (${recipe} in its signature, ${hash} now)`,
    'name the recipe the runs were scored by, with the same --set lines, or leave --recipe out',
  );
}

/** How a manifest has each kind of item paired, as a recipe would write it: alternatives by name. */
const writtenPair = z.record(
  z.string(),
  z
    .looseObject({ accept: z.array(z.looseObject({ name: z.string(), similarity: z.string() })) })
    .transform(({ accept, ...settings }) => ({
      ...settings,
      accept: Object.fromEntries(accept.map(({ name, own: _, ...criterion }) => [name, criterion] as const)),
    })),
);

/** The recipe a run was scored by, from its manifest. Code of the user's own is not in there: then the recipe is needed. */
export async function planOfManifest(folder: string, recipe: Run['manifest']['recipe']): Promise<Plan> {
  const { modules: _, custom, ...resolved } = recipe.resolved;
  const { data: pair } = writtenPair.safeParse(resolved['pair']);
  if (pair === undefined) throw damaged(`${folder}/manifest.json: recipe.resolved.pair: not a recipe`);
  const own = Object.values(pair)
    .flatMap(({ accept }) => Object.values(accept))
    .find(({ similarity }) => isModulePath(similarity));
  if (own !== undefined || custom !== undefined)
    throw new UsageError(
      `${folder} was scored with custom code${own === undefined ? '' : ` (similarity ${own.similarity})`}, which is not in the run folder`,
      'name the recipe it belongs to: --recipe FILE',
    );
  try {
    // The schemes beside the recipe's own pairing have no part in this.
    const plan = await planRecipe({ ...resolved, pair, schemes: {} });
    return { ...plan, name: recipe.name };
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const { path, message } = error.problems[0]!;
    throw damaged(`${folder}/manifest.json: recipe.resolved.${path.join('.')}: ${message}`);
  }
}

async function readOne({ folder, manifest }: Run, name: string): Promise<RepeatedRun> {
  const cases = new Map<string, RepeatedCase>();
  for await (const { result, records } of readLedgerCases(folder, { schemes: false })) {
    const { case: id, failed = null, answered = true } = result;
    const verdicts = ledgerVerdicts(records, folder, null);
    expectCounts(folder, result, verdicts);
    cases.set(id, { failed, answered, verdicts });
  }
  return { name, predicted: signatureParts(manifest.signature).get('predicted') ?? manifest.signature, cases };
}

/** The files of repeated runs by name, `-` for standard input, or as sources: one of predictions for each run. */
export interface RepeatedInput {
  readonly cases?: NamedFiles | undefined;
  readonly gold?: NamedFiles | undefined;
  readonly predictions: readonly NamedFiles[];
}

/** Scores the files of repeated runs. Without any gold the predictions are still followed from run to run. */
export async function scoreRepeatedFiles(plan: Plan, input: RepeatedInput): Promise<Repeated> {
  if ([input.cases, input.gold, ...input.predictions].flat().filter((given) => given === '-').length > 1)
    throw new UsageError('standard input (-) can be read once only', 'give the other files by name');
  // Every source is opened more than once: standard input is taken in whole.
  const open = async (given: NamedFiles): Promise<Source> => reopenable(openFiles(given));
  const cases = input.cases === undefined ? undefined : await open(input.cases);
  const gold = input.gold === undefined ? undefined : await open(input.gold);
  const predictions = await Promise.all(input.predictions.map(async (given) => open(given)));
  refuseFew(predictions.length);
  const places = predictions.map(({ name, path }) => path ?? name);
  const twice = predictions.find((_, at) => places.indexOf(places[at]!) < at);
  if (twice !== undefined) throw noRepeat(`${twice.name} was given twice`);
  const driver = cases ?? gold;
  if (driver === undefined)
    throw new UsageError('the cases are unknown: no case file and no gold file', 'give --cases FILE, or --gold FILE');
  const hasGold = formatOf(plan).goldIs !== null || gold !== undefined || (await holdsGold(driver, plan.data));
  // The schemes beside the recipe's own pairing have no part in this.
  const scoreCase = makeCaseScorer({ ...plan, schemes: plan.schemes.slice(0, 1) });
  const runs: RepeatedRun[] = [];
  for (const own of predictions) {
    const fingerprint = makeFingerprint();
    const scored = new Map<string, RepeatedCase>();
    const problems = new Problems();
    const read = hasGold
      ? caseReader({ cases, gold, predictions: own }, plan)
      : readCases({ cases: driver, predictions: own }, { ...plan.data, missingGold: 'empty' }, problems);
    for await (const given of read) {
      if (problems.count > 0) continue;
      fingerprint.add(given);
      for (const { case: one, verdicts } of scoreCase(given)) {
        // As the ledger would hold them, so that files and folders give the same answer.
        const lines = verdicts.map((verdict) => ledgerRecord(verdict, one.offsets));
        const { failed, answered } = one;
        scored.set(one.id, { failed, answered, verdicts: ledgerVerdicts(lines, own.name, null) });
      }
    }
    problems.throwIfAny();
    if (scored.size === 0) throw new UsageError('there is no case to compare');
    runs.push({ name: own.name, predicted: fingerprint.predicted(), cases: scored });
  }
  return { plan, hasGold, runs, notices: [] };
}

/** Whether a file of cases has gold inside; its faults are found when it is read in earnest. */
async function holdsGold(source: Source, options: DataOptions): Promise<boolean> {
  for await (const batch of rowReader(source, 'cases', options, new Problems()).rows())
    if (batch.some(({ gold }) => gold !== null)) return true;
  return false;
}
