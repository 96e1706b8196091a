import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { formatOf } from '../formats/case-formats.ts';
import type { Measure } from '../measure/measure.ts';
import { isOverall } from '../measure/results.ts';
import { compareNatural } from '../text/compare.ts';
import type { Comparison } from './comparison.ts';
import { expectPairs, pairCases } from './paired-sets.ts';
import { type CaseRecord } from '../score/ledger.ts';
import { readCaseResults } from '../score/ledger-files.ts';
import { measuresOf, type Retallied, retally } from '../score/retally.ts';
import type { Run } from '../score/run.ts';
import { sameFolder, shortNames } from './run-names.ts';
import { OTHER_CASES, ruleDifferences, signatureDifferences, signatureParts } from './signature-differences.ts';

export interface PairedRuns {
  readonly systems: readonly Retallied[];
  readonly about: Pick<Comparison, 'systems' | 'paired' | 'failed' | 'failedOtherwise' | 'unit' | 'units' | 'notices'>;
}

const FIRST = 10;

/** Brings runs to the cases that all of them have and none failed on; what stays out is counted and named. */
export async function pairRuns(runs: readonly Run[], force: boolean | 'cases'): Promise<PairedRuns> {
  refuseTwice(runs);
  const notices = signatureNotices(runs, force);
  const cases: Map<string, CaseRecord>[] = [];
  for (const run of runs) {
    const own = new Map<string, CaseRecord>();
    for await (const record of readCaseResults(run.folder)) own.set(record.case, record);
    cases.push(own);
  }
  const paired = pairCases(cases);
  expectPairs(paired, 'runs', 'score the same cases with both systems');
  const { ids, leftOut, clusterOf } = paired;
  const measures = sharedMeasures(runs);
  const systems: Retallied[] = [];
  for (const run of runs) systems.push(await retally(run, { measures, only: (id) => ids.has(id), clusterOf }));
  const clustered = runs[paired.clustered];
  const names = shortNames(runs.map(({ folder }) => folder));
  return {
    systems,
    about: {
      systems: runs.map((run, at) => {
        const left = leftOut
          .filter(({ lacking }) => lacking.length > 0 && !lacking.includes(at))
          .map((one) => one.case);
        return {
          name: names[at]!,
          folder: run.folder,
          signature: run.manifest.signature,
          cases: run.measures.cases.total,
          failed: run.measures.cases.failed,
          unanswered: run.measures.cases.unanswered,
          unpaired: { n: left.length, cases: left.sort(compareNatural).slice(0, FIRST) },
        };
      }),
      paired: ids.size,
      failed: leftOut.filter(({ lacking }) => lacking.length === 0).length,
      ...failedOtherwise(runs),
      unit: clustered === undefined ? 'case' : (clusterColumn(clustered) ?? 'case'),
      units: new Set([...ids].map((id) => clusterOf(id) ?? `case ${id}`)).size,
      notices,
    },
  };
}

/** What each run comes to if failed cases count the other way: what they change must not go unseen. */
function failedOtherwise(runs: readonly Run[]): Pick<Comparison, 'failedOtherwise'> {
  const policies = new Set(runs.flatMap(({ measures }) => measures.failedOtherwise?.failed ?? []));
  const [failed] = policies;
  if (failed === undefined || policies.size > 1) return {};
  const own = runs.map((run) => valuesByName(run.measures.measures.filter(({ slice }) => isOverall(slice))));
  const other = runs.map(({ measures }, at) =>
    measures.failedOtherwise === undefined ? own[at]! : valuesByName(measures.failedOtherwise.measures),
  );
  const measures = [...own[0]!.keys()].flatMap((name) => {
    const values = other.map((one) => one.get(name) ?? null);
    return values.some((value, at) => value !== (own[at]!.get(name) ?? null)) ? [{ name, values }] : [];
  });
  return { failedOtherwise: { failed, measures } };
}

function valuesByName(
  measures: readonly { readonly name: string; readonly value: number | null }[],
): ReadonlyMap<string, number | null> {
  return new Map(measures.map(({ name, value }) => [name, value]));
}

/** Measures that all runs have, as the baseline defines them: only what is measured alike can be compared. */
function sharedMeasures([baseline, ...others]: readonly Run[]): readonly Measure[] {
  const names = others.map((run) => new Set(measuresOf(run).map(({ name }) => name)));
  return measuresOf(baseline!).filter(({ name }) => names.every((own) => own.has(name)));
}

export function clusterColumn(run: Run): string | null {
  const { interval } = run.manifest.recipe.resolved;
  return isRecord(interval) && typeof interval['cluster'] === 'string' ? interval['cluster'] : null;
}

function refuseTwice(runs: readonly Run[]): void {
  const same = sameFolder(runs.map(({ folder }) => folder));
  if (same === null) return;
  const [before, folder] = same;
  throw new UsageError(
    before === folder ? `${folder} is named twice` : `${before} and ${folder} are the same run, which is named twice`,
    'a run does not differ from itself: name the folder of another run',
  );
}

/**
 * Numbers with different signatures are not compared unless the user insists; but the same predictions under other rules
 * are, since then the rules are all that differs.
 */
function signatureNotices(runs: readonly Run[], force: boolean | 'cases'): string[] {
  const [baseline, ...others] = runs;
  const notices: string[] = [];
  for (const other of others) {
    const shares = force === 'cases' || haveSameCaseFile(baseline!, other);
    const apart = signatureDifferences(baseline!.manifest, other.manifest).filter(
      (what) => !shares || !what.startsWith(OTHER_CASES),
    );
    const isSamePredictions = predictedPart(other) === predictedPart(baseline!);
    const rules = isSamePredictions
      ? ruleDifferences(baseline!.manifest, other.manifest, [baseline!.folder, other.folder])
      : null;
    if (rules !== null) {
      notices.push(
        `${baseline!.folder} and ${other.folder} hold the same predictions and differ in rules of the recipe: ${rules}. What is compared is the rules`,
      );
      continue;
    }
    if (apart.length > 0) {
      const what = `${other.folder} was not scored as ${baseline!.folder} was: ${apart.join('; ')}`;
      if (force !== true)
        throw new UsageError(what, 'score both in the same way, or compare all the same with --force');
      notices.push(`${what}. Compared all the same, since --force was given`);
    }
    if (isSamePredictions) notices.push(`${other.folder} and ${baseline!.folder} hold the same predictions`);
  }
  return notices;
}

/** Where answers are cases, those of one case file may differ in which there are: those that both have are compared. */
function haveSameCaseFile(a: Run, b: Run): boolean {
  if ([a, b].some(({ manifest }) => formatOf(manifest).answered === undefined)) return false;
  const filesOf = ({ manifest }: Run): string =>
    manifest.inputs.flatMap(({ role, sha256 }) => (role === 'predictions' ? [] : [`${role} ${sha256}`])).join();
  return filesOf(a) === filesOf(b);
}

function predictedPart(run: Run): string | undefined {
  return signatureParts(run.manifest.signature).get('predicted');
}
