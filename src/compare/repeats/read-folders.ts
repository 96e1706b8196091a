import { join } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import type { Plan } from '../../recipe/plan.ts';
import { ledgerVerdicts, readLedgerCases } from '../../score/ledger.ts';
import { readRun } from '../../score/read-run.ts';
import { expectCounts } from '../../score/retally.ts';
import type { Run } from '../../score/run.ts';
import { sameFolder } from '../run-names.ts';
import { recipeHash } from '../../score/signature.ts';
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
