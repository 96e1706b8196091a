import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { hasLabel, improvement, labelName, type Measure } from '../measure/measure.ts';
import { type CaseResult, type Group, isOverall } from '../measure/results.ts';
import { unitsWith } from '../measure/unit-sums.ts';
import { unlistedNotices } from '../score/run-folder.ts';
import { readRunWith } from '../score/run-queries.ts';
import { lackingCode, measuresOf, retally } from '../score/retally.ts';
import type { Run } from '../score/run.ts';
import { everyTwo } from '../stats/aligned-lists.ts';
import { alignTables } from '../stats/align-tables.ts';
import { comparePaired, type PairedSettings } from '../stats/paired-comparison.ts';
import { differenceBetween } from '../stats/paired-difference.ts';
import type { MeasuredPart } from '../stats/unit-by-unit.ts';
import type { ResampleSettings } from '../stats/resample-settings.ts';
import type { Breathe } from '../stats/resample.ts';
import { compareNatural, compareText } from '../text/compare.ts';
import {
  aboutMeasure,
  type ComparedPair,
  judgedFamily,
  type ComparedFamily,
  pairedSettings,
} from './compare-verdict.ts';
import type { Comparison, MovedCase, Ranking } from './comparison.ts';
import { type CaseSet, expectPairs, type PairableCase, pairCases, type PairedCases } from './paired-sets.ts';
import { runNames, sameFolder } from './run-names.ts';
import { signatureNotices } from './signature-differences.ts';
import { declaredPrimary, namedMeasures } from './wanted-measures.ts';

export interface CompareOptions extends Partial<Pick<PairedSettings, 'method'> & ResampleSettings> {
  /** Compares runs whose signatures differ, as the notices report; `cases`: only if nothing but the cases differs. */
  readonly force?: boolean | 'cases';
  /** Only these measures, which also makes the family of tests smaller. */
  readonly measures?: readonly string[];
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
  readonly cases: ReadonlyMap<string, PairableCase & Pick<CaseResult, 'measures'>>;
}

const UNPAIRED_SHOWN = 10;

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
  const systems = await Array.fromAsync(runs, async (run) => retally(run, measures));
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
  const declared = options.measures === undefined ? declaredPrimary(all, primary) : [];
  const asked = options.measures === undefined ? all : namedMeasures(all, options.measures, 'the runs have');
  const measures = declared.length > 0 ? declared : asked;

  const pairs = everyTwo(runs.length);
  const rows: ComparedPair[] = [];
  for (const [at, [from, system]] of pairs.entries()) {
    const breathe: Breathe = (share) => options.breathe?.((at + share) / pairs.length);
    // Slices are compared with the baseline only.
    const slices = from === 0 && (options.slices ?? false);
    const found = await differences(groups[from]!, groups[system]!, measures, slices, settings, breathe);
    rows.push(...found.map((row) => ({ ...row, from, system })));
  }
  // One family for the tables and the ranking: they cannot contradict each other.
  const family = judgedFamily(rows, settings, ', or for fewer measures');
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
      ...family.notices,
      declared.length > 0 &&
        `the recipe’s ${declared.length} primary measures are tested, so that the correction is over these; ` +
          `${all.length - declared.length} more can be asked for with --measure`,
      heuristic.length > 0 &&
        `${heuristic.join(', ')}: answered by a heuristic stand-in, not by a language model: the numbers do not describe a model`,
      // What the numbers do not claim, as the baseline's recipe states it.
      limits,
    ].filter((notice) => typeof notice === 'string'),
    level,
    resamples,
    seed,
    family: family.tests,
    measures: family.rows.filter(({ from }) => from === 0).map(({ from: _, ...row }) => row),
    ranking: runs.length < 3 ? [] : rankingOf(measures, runs.length, family.rows),
    moved: movedCases(systems, paired.ids, measures, options.moved ?? 10),
  };
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

/** The differences of one system from another, overall and, if wanted, by slice. */
async function differences(
  before: readonly Group[],
  after: readonly Group[],
  measures: readonly Measure[],
  slices: boolean,
  settings: PairedSettings,
  breathe: Breathe,
) {
  const bySlice = new Map(after.map((group) => [JSON.stringify(group.slice), group]));
  const both = before.flatMap((group): [Group, Group][] => {
    const same = bySlice.get(JSON.stringify(group.slice));
    return same === undefined || (!slices && !isOverall(group.slice)) ? [] : [[group, same]];
  });
  const found = [];
  for (const [at, [from, to]] of both.entries()) {
    refuseLabels(from.table.labels.length, slices || measures.some(({ overLabels }) => overLabels === true));
    const [a, b] = alignTables(from.table, to.table);
    const labels = slices && from.byLabel ? [...a.labels.keys()] : [];
    const parts: MeasuredPart[] = [-1, ...labels].flatMap((label) =>
      measures
        .filter((measure) => label < 0 || hasLabel(measure, a.labels[label]!, unitsWith(a, measure, label)))
        .map((measure) => ({ measure, label })),
    );
    const paired = await comparePaired(a, b, parts, settings, (share) => breathe((at + share) / both.length));
    for (const [place, difference] of paired.entries()) {
      const { measure, label } = parts[place]!;
      const slice = label < 0 ? from.slice : { ...from.slice, [labelName(measure)]: a.labels[label]! };
      found.push({ ...aboutMeasure(measure), slice, ...difference });
    }
  }
  return found;
}

/** Resampling so many labels would take longer than anybody waits. */
function refuseLabels(labels: number, byLabel: boolean): void {
  if (labels <= (byLabel ? 2_000 : 20_000)) return;
  throw new UsageError(
    `the runs have ${labels} labels: too many to compare${byLabel ? ' them, or means over them' : ''}`,
    byLabel
      ? 'name measures that are no means over labels, such as --measure f1, without --slices'
      : 'is the label a free text? score with fewer labels',
  );
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

/** The cases whose value changed most from the baseline's, by f1 or else the first measure that has a value per case. */
export function movedCases(
  [baseline, ...others]: readonly Pick<TalliedRun, 'cases'>[],
  ids: ReadonlySet<string>,
  measures: readonly Measure[],
  most: number,
): MovedCase[] {
  const perCase = measures.filter(({ overLabels }) => overLabels !== true);
  const measure = perCase.find(({ name }) => name === 'f1') ?? perCase[0];
  if (measure === undefined) return [];
  const { name } = measure;
  return others.flatMap((other, at) =>
    [...ids]
      .flatMap((id): MovedCase[] => {
        const [from = null, to = null] = [baseline!, other].map(({ cases }) => cases.get(id)!.measures[name]);
        if (from === null || to === null) return [];
        const difference = differenceBetween(from, to);
        if (difference === 0) return [];
        const change = improvement(measure, from, to) > 0 ? 'better' : 'worse';
        return [{ case: id, system: at + 1, name, baseline: from, other: to, difference, change }];
      })
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || compareText(a.case, b.case))
      .slice(0, most),
  );
}
