import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { improvement, type Measure } from '../measure/measure.ts';
import { type CaseResult, isOverall } from '../measure/results.ts';
import { unlistedNotices } from '../score/run-folder.ts';
import { readRunWith } from '../score/run-queries.ts';
import { lackingCode, measuresOf, retally } from '../score/retally.ts';
import type { Run } from '../score/run.ts';
import { everyTwo } from '../stats/aligned-lists.ts';
import { alignTables } from '../stats/align-tables.ts';
import { comparePaired } from '../stats/paired-comparison.ts';
import type { IntervalChoice } from '../stats/paired-difference.ts';
import type { ResampleSettings } from '../stats/resample-settings.ts';
import type { Breathe } from '../stats/resample.ts';
import { compareNatural } from '../text/compare.ts';
import { caseChanges, changeMeasure, type ChangedRun, errorPrint } from './case-change.ts';
import {
  aboutMeasure,
  type ComparedPair,
  judgedFamilies,
  type ComparedFamily,
  pairedSettings,
  swapsFor,
} from './compare-verdict.ts';
import { comparedGroups, MOST_LABELS } from './compared-parts.ts';
import type { Comparison, FamilyCorrection, Ranking } from './comparison.ts';
import { type CaseSet, expectPairs, type PairableCase, pairCases, type PairedCases } from './paired-sets.ts';
import { runNames, sameFolder } from './run-names.ts';
import { signatureNotices } from './signature-differences.ts';
import { declaredPrimary, wantedMeasures } from './wanted-measures.ts';

export interface CompareOptions extends Partial<IntervalChoice & ResampleSettings> {
  /** Compares runs whose signatures differ, as the notices report; `cases`: only if nothing but the cases differs. */
  readonly force?: boolean | 'cases';
  /** Only these measures, which are then the family of tests. */
  readonly measures?: readonly string[];
  /** Further measures, tested in a family apart: that of the others stays what it is. */
  readonly also?: readonly string[];
  /** Also every slice: labels, columns, schemes. */
  readonly slices?: boolean;
  /** How many of the cases that moved most are listed for each system. */
  readonly moved?: number;
  readonly breathe?: Breathe;
  /** The recipe of the runs, if it has custom measures: their code is not in a run folder. */
  readonly recipe?: string | object;
}

/** A run with its sums by case: added up again from its ledger, or kept while it was scored. */
export interface TalliedRun extends CaseSet {
  readonly run: Run;
  readonly cases: ReadonlyMap<string, PairableCase & Pick<CaseResult, 'counts' | 'measures'>>;
  /** Prints of the errors of each case. */
  readonly errors: ChangedRun['errors'];
}

const UNPAIRED_SHOWN = 10;
const SLICES = ['slices'] as const;

/** Compares runs over the cases they share; the first is the baseline. */
export async function compareRuns(folders: readonly string[], options: CompareOptions = {}): Promise<Comparison> {
  if (folders.length < 2)
    throw new UsageError('a comparison needs two runs or more', 'name the folders that assay score --out made');
  const runs = await Array.fromAsync(folders, async (folder) => readRunWith(folder, options.recipe));
  const same = sameFolder(runs.map(({ folder }) => folder));
  if (same !== null)
    throw new UsageError(
      same[0] === same[1]
        ? `${same[0]} is named twice`
        : `${same.join(' and ')} are the same run, which is named twice`,
      'a run does not differ from itself: name the folder of another run',
    );
  const notices = [
    ...signatureNotices(runs, options.force ?? false),
    ...unlistedNotices(runs),
    ...new Set(runs.flatMap(leftOutNotices)),
  ];
  // Only what is measured alike can be compared: the measures that all have, as the baseline defines them.
  const names = runs.map((run) => new Set(measuresOf(run).map(({ name }) => name)));
  const measures = measuresOf(runs[0]!).filter(({ name }) => names.every((own) => own.has(name)));
  const systems = await Array.fromAsync(runs, async (run) => {
    const errors = new Map<string, number>();
    const sums = await retally(run, measures, ({ case: id }, verdicts) => errors.set(id, errorPrint(verdicts)));
    return { ...sums, errors };
  });
  return compareTallied(systems, measures, notices, options);
}

function leftOutNotices(run: Run): string[] {
  return lackingCode(run).flatMap(({ defines, name, why }) =>
    defines === 'measure' ? [`the custom measure ${name} is left out: ${why}`] : [],
  );
}

/** The same with runs at hand, all added up for the same measures. */
export async function compareTallied(
  systems: readonly TalliedRun[],
  all: readonly Measure[],
  notices: readonly string[],
  options: CompareOptions = {},
): Promise<Comparison> {
  const runs = systems.map(({ run }) => run);
  const paired = pairCases(systems);
  expectPairs(paired, 'runs', 'score the same cases with both systems');
  const groups = systems.map(({ tally }) => tally.groups(paired));
  const { interval, primary, limits } = runs[0]!.manifest.recipe.resolved;
  const settings = pairedSettings(interval, options);
  const labels = Math.max(0, ...groups[0]!.map(({ table }) => table.labels.length));
  const manyLabels = labels > MOST_LABELS;
  const wanted = wantedMeasures(all, primary, options, manyLabels);
  const measures = [...wanted.families.keys()];

  const pairs = everyTwo(runs.length).map(([from, system]) => {
    // Slices are compared with the baseline only.
    const slices = from === 0 && (options.slices ?? false);
    const parts = { measures: wanted.families, slices };
    return { from, system, groups: comparedGroups(groups[from]!, groups[system]!, parts) };
  });
  const families = [...new Set([wanted.family, ...wanted.families.values(), ...(options.slices ? SLICES : [])])];
  const parts = pairs.flatMap((pair) => pair.groups.flatMap((group) => group.parts));
  const corrections = families.map((family): FamilyCorrection => {
    const tests = parts.filter((part) => part.isTest && part.family === family).length;
    return { family, method: 'holm', tests, swaps: swapsFor(tests, settings) };
  });
  const swapsOf = new Map(corrections.map(({ family, swaps }) => [family, swaps]));
  const compared: ComparedPair[] = [];
  for (const [at, { from, system, groups: both }] of pairs.entries())
    for (const [place, group] of both.entries()) {
      const drawn = group.parts.map((part) => ({ ...part, swaps: swapsOf.get(part.family)! }));
      const found = await comparePaired(...alignTables(group.from, group.to), drawn, settings, (share) =>
        options.breathe?.((at + (place + share) / both.length) / pairs.length),
      );
      compared.push(
        ...found.map((difference, part): ComparedPair => {
          const { measure, slice, family, sameAs } = drawn[part]!;
          const twin = sameAs === undefined ? {} : { sameAs };
          return { ...aboutMeasure(measure), slice, family, ...twin, ...difference, from, system };
        }),
      );
    }
  // One family for the tables and the ranking: they cannot contradict each other.
  const rows = judgedFamilies(compared, settings);
  const changed = changeMeasure(casesOf(systems, paired.ids), all, declaredPrimary(all, primary));
  const names = runNames(runs);
  const { level, resamples, seed } = settings;
  const heuristic = names.filter((_, at) => (runs[at]!.manifest.notices['heuristicLogs'] ?? 0) > 0);
  return {
    systems: runs.map((run, at) => systemOf(run, names[at]!, at, paired)),
    paired: paired.ids.size,
    failed: paired.leftOut.filter(({ lacking }) => lacking.length === 0).length,
    ...failedOtherwise(runs),
    unit: (paired.clustered < 0 ? null : clusterColumn(runs[paired.clustered]!)) ?? 'case',
    units: groups[0]!.find(({ slice }) => isOverall(slice))!.table.units.length,
    notices: [
      ...notices,
      ...wanted.notices,
      manyLabels &&
        options.slices &&
        groups[0]!.some(({ byLabel }) => byLabel) &&
        `the runs have ${labels} labels, too many to compare label by label: their slices are left out`,
      heuristic.length > 0 &&
        `${heuristic.join(', ')}: answered by a heuristic stand-in, not by a language model: the numbers do not describe a model`,
      // What the numbers do not claim, as the baseline's recipe states it.
      limits,
    ].filter((notice) => typeof notice === 'string'),
    level,
    resamples,
    seed,
    corrections,
    measures: rows.filter(({ from }) => from === 0).map(({ from: _, ...row }) => row),
    ranking: runs.length < 3 ? [] : rankingOf(measures, runs.length, rows),
    ...caseChanges(systems, paired.ids, changed, options.moved ?? 10),
  };
}

function* casesOf(systems: readonly TalliedRun[], ids: ReadonlySet<string>) {
  for (const { cases } of systems) for (const id of ids) yield cases.get(id)!;
}

function systemOf(run: Run, name: string, at: number, { leftOut }: PairedCases): Comparison['systems'][number] {
  const { total, failed, unanswered } = run.measures.cases;
  const unpaired = leftOut.filter(({ lacking }) => lacking.length > 0 && !lacking.includes(at)).map((one) => one.case);
  return {
    name,
    folder: run.folder,
    signature: run.manifest.signature,
    cases: total,
    failed,
    unanswered,
    unpaired: { n: unpaired.length, cases: unpaired.sort(compareNatural).slice(0, UNPAIRED_SHOWN) },
  };
}

/** What each run comes to if failed cases count the other way: what they change must not go unseen. */
function failedOtherwise(runs: readonly Run[]): Pick<Comparison, 'failedOtherwise'> {
  const policies = new Set(runs.flatMap(({ measures }) => measures.failedOtherwise?.failed ?? []));
  const [failed] = policies;
  if (failed === undefined || policies.size > 1) return {};
  const valuesOf = (measures: readonly { name: string; value: number | null }[]): Map<string, number | null> =>
    new Map(measures.map(({ name, value }) => [name, value]));
  const own = runs.map((run) => valuesOf(run.measures.measures.filter(({ slice }) => isOverall(slice))));
  const other = runs.map(({ measures }, at) =>
    measures.failedOtherwise === undefined ? own[at]! : valuesOf(measures.failedOtherwise.measures),
  );
  const measures = [...own[0]!.keys()].flatMap((name) => {
    const values = other.map((one) => one.get(name) ?? null);
    return values.some((value, at) => value !== (own[at]!.get(name) ?? null)) ? [{ name, values }] : [];
  });
  return { failedOtherwise: { failed, measures } };
}

/** The column whose cases belong together, as the recipe of a run has it. */
export function clusterColumn({ manifest }: Run): string | null {
  const { interval } = manifest.recipe.resolved;
  return isRecord(interval) && typeof interval['cluster'] === 'string' ? interval['cluster'] : null;
}

/**
 * Places by one measure: 1 + the number of systems shown to be better, by the verdicts over every two systems. Systems
 * that cannot be told apart from the same others share a place.
 */
export function rankingOf(
  measures: readonly Measure[],
  systems: number,
  rows: readonly ComparedFamily<ComparedPair>[],
): Ranking[] {
  return measures.map((measure) => {
    type Place = { system: number; place: number; value: number | null };
    const places = Array.from({ length: systems }, (_, system): Place => ({ system, place: 1, value: null }));
    for (const { name, slice, from, system, baseline, other, verdict } of rows) {
      if (name !== measure.name || !isOverall(slice)) continue;
      places[from]!.value ??= baseline;
      places[system]!.value ??= other;
      if (verdict === 'better') places[from]!.place += 1;
      if (verdict === 'worse') places[system]!.place += 1;
    }
    return {
      ...aboutMeasure(measure),
      places: places
        .map((place) => ({ ...place, tied: places.some((one) => one !== place && one.place === place.place) }))
        .sort((a, b) => a.place - b.place || byValue(measure, a.value, b.value) || a.system - b.system),
    };
  });
}

/** The better value first, none last. */
function byValue(measure: Measure, a: number | null, b: number | null): number {
  return a === null || b === null ? Number(a === null) - Number(b === null) : improvement(measure, a, b);
}
