import { UsageError } from '../data/problems.ts';
import { type Direction, improvement, type Measure } from '../measure/measure.ts';
import { type Group, isOverall } from '../measure/results.ts';
import { hasLabel, labelName } from '../measure/tally.ts';
import { unitsWith } from '../measure/unit-sums.ts';
import { readRun } from '../score/read-run.ts';
import type { Retallied } from '../score/retally.ts';
import { unlistedNotices } from '../score/run-file.ts';
import type { Run } from '../score/run.ts';
import { everyTwo } from '../stats/aligned-lists.ts';
import { alignTables } from '../stats/align-tables.ts';
import { comparePaired, type PairedSettings } from '../stats/paired-comparison.ts';
import { differenceBetween } from '../stats/paired-difference.ts';
import type { MeasuredPart } from '../stats/unit-by-unit.ts';
import type { ResampleSettings } from '../stats/resample-settings.ts';
import type { Breathe } from '../stats/resample.ts';
import { compareText } from '../text/compare.ts';
import { type PairedRuns, pairRuns } from './compare-pairing.ts';
import {
  aboutMeasure,
  type ComparedPair,
  familyOf,
  judged,
  type Judged,
  pairedSettings,
  tooFewSwaps,
} from './compare-verdict.ts';
import type { Comparison, MeasureComparison, MovedCase, Ranking } from './comparison.ts';
import { declaredPrimary, namedMeasures } from './wanted-measures.ts';

export interface CompareOptions extends Partial<ResampleSettings> {
  /** Compares runs whose signatures differ, which is said in the notices; `cases`: where they differ in the cases alone. */
  readonly force?: boolean | 'cases';
  /** Only these measures, which also makes the family of tests smaller. */
  readonly measures?: readonly string[];
  /** Also every slice: labels, columns, schemes. */
  readonly slices?: boolean;
  /** How many of the cases that moved most are listed for each system. */
  readonly moved?: number;
  readonly breathe?: Breathe;
}

/** Compares runs over the cases they share; the first is the baseline. */
export async function compareRuns(folders: readonly string[], options: CompareOptions = {}): Promise<Comparison> {
  if (folders.length < 2)
    throw new UsageError('a comparison needs two runs or more', 'name the folders that assay score --out made');
  const runs = [];
  for (const folder of folders) runs.push(await readRun(folder));
  const paired = await pairRuns(runs, options.force ?? false);
  const { interval } = runs[0]!.manifest.recipe.resolved;
  const settings = pairedSettings(interval, options);
  const all = paired.systems[0]!.measures;
  const primary =
    options.measures === undefined ? declaredPrimary(all, runs[0]!.manifest.recipe.resolved['primary']) : [];
  const asked = options.measures === undefined ? all : namedMeasures(all, options.measures, 'the runs have');
  const measures = primary.length > 0 ? primary : asked;

  const pairs = everyTwo(runs.length);
  const rows: ComparedPair[] = [];
  for (const [at, [one, other]] of pairs.entries()) {
    const breathe: Breathe = (share) => options.breathe?.((at + share) / pairs.length);
    // Slices are compared with the baseline only.
    const slices = one === 0 && (options.slices ?? false);
    const found = await differences(paired.systems, one, other, measures, slices, settings, breathe);
    rows.push(...found);
  }
  // One family for the tables and the ranking: they cannot contradict each other.
  const family = judged(rows, settings.level);
  const measured = family.filter(({ from }) => from === 0).map(({ from: _, ...row }): MeasureComparison => row);
  return {
    ...paired.about,
    level: settings.level,
    resamples: settings.resamples,
    seed: settings.seed,
    family: familyOf(family),
    measures: measured,
    ranking: runs.length < 3 ? [] : rankingOf(measures, runs.length, family),
    moved: movedCases(paired.systems, measures, options.moved ?? 10),
    notices: [
      ...paired.about.notices,
      ...unlistedNotices(runs),
      ...tooFewSwaps(family, settings, ', or for fewer measures'),
      ...(primary.length === 0 ? [] : [othersLeftOut(paired, measures)]),
      ...standIns(runs, paired),
      ...limitsOf(runs[0]!),
    ],
  };
}

/** Runs whose answers came from a rule and not from a model. */
function standIns(runs: readonly Run[], { about }: PairedRuns): string[] {
  const names = runs.flatMap(({ manifest }, at) =>
    (manifest.notices['heuristicLogs'] ?? 0) > 0 ? [about.systems[at]!.name] : [],
  );
  return names.length === 0
    ? []
    : [
        `${names.join(', ')}: answered by a heuristic stand-in, not by a language model: this says nothing about a model`,
      ];
}

function othersLeftOut({ systems }: PairedRuns, measures: readonly Measure[]): string {
  const others = systems[0]!.measures.length - measures.length;
  return (
    `the recipe’s ${measures.length} primary measures are tested, so that the correction is over these; ` +
    `${others} more can be asked for with --measure`
  );
}

/** What the numbers do not claim, as the baseline's recipe says it. */
function limitsOf({ manifest }: Run): string[] {
  const { limits } = manifest.recipe.resolved;
  return typeof limits === 'string' ? [limits] : [];
}

/** The differences of one system from another, overall and, if wanted, by slice. */
async function differences(
  systems: readonly Retallied[],
  one: number,
  other: number,
  measures: readonly Measure[],
  slices: boolean,
  settings: PairedSettings,
  breathe: Breathe,
): Promise<ComparedPair[]> {
  const before = systems[one]!.tally.groups();
  const after = new Map(systems[other]!.tally.groups().map((group) => [JSON.stringify(group.slice), group]));
  const both = before.flatMap((group): [Group, Group][] => {
    const same = after.get(JSON.stringify(group.slice));
    return same === undefined || (!slices && !isOverall(group.slice)) ? [] : [[group, same]];
  });
  const found: ComparedPair[] = [];
  for (const [at, [from, to]] of both.entries()) {
    refuseLabels(from.table.labels.length, slices ? null : measures);
    const [a, b] = alignTables(from.table, to.table);
    const labels = slices && from.byLabel ? [...a.labels.keys()] : [];
    const parts: MeasuredPart[] = [-1, ...labels].flatMap((label) =>
      measures
        .filter((measure) => label < 0 || hasLabel(measure, a.labels[label]!, unitsWith(a, measure, label)))
        .map((measure) => ({ measure, label })),
    );
    const paired = await comparePaired(a, b, parts, settings, (share) => breathe((at + share) / both.length));
    paired.forEach((difference, place) => {
      const { measure, label } = parts[place]!;
      const slice = label < 0 ? from.slice : { ...from.slice, [labelName(measure)]: a.labels[label]! };
      found.push({ ...aboutMeasure(measure), slice, ...difference, from: one, system: other });
    });
  }
  return found;
}

/** Resampling so many labels would take longer than anybody waits; `measures` are those of the whole alone. */
function refuseLabels(labels: number, measures: readonly Measure[] | null): void {
  const most = measures === null || measures.some(({ overLabels }) => overLabels === true) ? 2_000 : 20_000;
  if (labels <= most) return;
  throw new UsageError(
    `the runs have ${labels} labels: too many to compare${most === 2_000 ? ' them, or means over them' : ''}`,
    most === 2_000
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
  rows: readonly Judged<ComparedPair>[],
): Ranking[] {
  return measures.map(({ name, direction, best }) => {
    const better = Array.from({ length: systems }, () => 0);
    const values: (number | null)[] = Array.from({ length: systems }, () => null);
    for (const row of rows) {
      if (row.name !== name || Object.keys(row.slice).length > 0) continue;
      values[row.from] ??= row.baseline;
      values[row.system] ??= row.other;
      if (row.verdict === 'better') better[row.from]! += 1;
      if (row.verdict === 'worse') better[row.system]! += 1;
    }
    const places = better.map((above, system) => ({ system, place: 1 + above, value: values[system] ?? null }));
    return {
      name,
      direction,
      ...(best === undefined ? {} : { best }),
      places: places
        .map((place) => ({ ...place, tied: places.some((one) => one !== place && one.place === place.place) }))
        .sort((a, b) => a.place - b.place || byValue({ direction, best }, a.value, b.value) || a.system - b.system),
    };
  });
}

/** The better value first, none last. */
function byValue(
  measure: { direction: Direction; best: number | undefined },
  a: number | null,
  b: number | null,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const { direction, best } = measure;
  return improvement(best === undefined ? { direction } : { direction, best }, a, b);
}

/** The cases whose value changed most from the baseline's, by f1 or else the first measure that has a value per case. */
export function movedCases(systems: readonly Retallied[], measures: readonly Measure[], most: number): MovedCase[] {
  const perCase = measures.filter(({ byCase }) => byCase);
  const measure = perCase.find(({ name }) => name === 'f1') ?? perCase[0];
  if (measure === undefined) return [];
  const { name } = measure;
  const before = new Map(systems[0]!.cases.map((record) => [record.case, record.measures[name] ?? null]));
  return systems.slice(1).flatMap((system, at) =>
    system.cases
      .flatMap((record): MovedCase[] => {
        const baseline = before.get(record.case) ?? null;
        const other = record.measures[name] ?? null;
        if (baseline === null || other === null) return [];
        const difference = differenceBetween(baseline, other);
        if (difference === 0) return [];
        const change = improvement(measure, baseline, other) > 0 ? 'better' : 'worse';
        return [{ case: record.case, system: at + 1, name, baseline, other, difference, change }];
      })
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || compareText(a.case, b.case))
      .slice(0, most),
  );
}
