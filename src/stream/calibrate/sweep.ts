import { compareText, UsageError } from '../../plugin.ts';
import { ends, percentile, resampleTimes } from '../../stats.ts';
import { type GateInput, gateInput } from '../replay/gate-input.ts';
import { USUAL_GATE } from '../replay/token-gate.ts';
import type { Trace } from '../trace-records.ts';
import { alikePolicies, caseStatistics, type CaseTable, policyTable } from './case-table.ts';
import {
  type Candidates,
  choosePolicy,
  dominates,
  leastSpreads,
  type ObjectiveRange,
  paretoFront,
  type Survivor,
  survivorsOf,
  turned,
} from './choose-policy.ts';
import { type PolicyBound, boundsOf, reachPool, timesToReach, type Violation, violationsOf } from './constraints.ts';
import { gridPolicies, type GridPolicies, isSamePolicy, type SweepPolicy } from './policies.ts';
import { type ObjectiveName, type PolicyScores, ScoreReader } from './scores.ts';
import type { SweepGrid } from './sweep-grid.ts';

interface SweepCase {
  readonly caseId: string;
  readonly sha256: string;
  readonly input: GateInput;
}

export function sweepCaseOf(trace: Trace): SweepCase {
  return { caseId: trace.meta.case_id, sha256: trace.sha256, input: gateInput(trace) };
}

export interface ScoredPolicy {
  readonly policy: SweepPolicy;
  readonly place: number;
  readonly scores: PolicyScores;
  readonly violations: readonly Violation[];
  readonly onFront: boolean;
  /** From the ideal corner; null if it is not among those to choose from. */
  readonly distance: number | null;
}

/** An objective with the range in which policies were compared; null if there was nothing to compare. */
interface Objective {
  readonly name: ObjectiveName;
  readonly best: number | null;
  readonly worst: number | null;
  readonly by: ObjectiveRange['by'] | null;
  /** False if policies hardly differ in it, so that it had no say in the choice. */
  readonly used: boolean;
}

export interface PolicySweep {
  readonly grid: SweepGrid;
  readonly cases: readonly Omit<SweepCase, 'input'>[];
  readonly bounds: readonly PolicyBound[];
  /** In the order of the grid. */
  readonly policies: readonly ScoredPolicy[];
  readonly invalid: GridPolicies['invalid'];
  /** By constraint: how many policies it removes, and how many no other would have removed. */
  readonly removed: readonly { readonly constraint: string; readonly policies: number; readonly alone: number }[];
  readonly survivors: number;
  readonly front: readonly ScoredPolicy[];
  readonly objectives: readonly Objective[];
  /** Null if no policy keeps to every constraint. */
  readonly chosen: ScoredPolicy | null;
  /** The default gate; it need not be in the grid. */
  readonly usual: ScoredPolicy;
  readonly stability: Stability | null;
  readonly noStability: string | null;
  /** The default gate is its last row if the grid does not have it. */
  readonly table: CaseTable;
}

const MOST_CELLS = 4_000_000;

/** How much of the work replaying is, by and large; the rest is asking how sure the choice is. */
const REPLAYED = 0.4;

/** Called with the share of the work that is done; awaited. */
type SweepProgress = (share: number) => Promise<void> | void;

/** Tries every policy of a grid on every case, removes what breaks a constraint, finds the front and chooses from it. */
export async function sweepPolicies(
  cases: readonly SweepCase[],
  grid: SweepGrid,
  progress: SweepProgress = () => undefined,
): Promise<PolicySweep> {
  const { tried, invalid } = gridPolicies(grid);
  const usualGate = { ...USUAL_GATE, maxWait: grid.max_wait };
  const inGrid = tried.findIndex((policy) => isSamePolicy(policy, usualGate));
  const rows = inGrid >= 0 ? tried : [...tried, { ...usualGate, id: 'usual' }];
  if (rows.length * cases.length > MOST_CELLS)
    throw new UsageError(
      `${tried.length} policies on ${cases.length} cases are more than can be held`,
      'take a smaller grid or fewer cases',
    );
  const table = await policyTable(
    cases.length,
    rows.length,
    (at, row) => caseStatistics(cases[at]!.input, rows[row]!, grid.spam.alpha_default),
    (done) => progress((REPLAYED * done) / cases.length),
  );
  const reader = new ScoreReader(table);
  const pool = reachPool(cases.map(({ input }) => timesToReach(input, grid.parameter_grid.min_words)));
  const candidates: Candidates = { grid, policies: tried, reader, pool, alike: alikePolicies(tried, table) };
  const times = reader.everyCase();
  const bounds = boundsOf(grid, pool, times);
  const survivors = survivorsOf(candidates, times);
  const points = survivors.map(({ point }) => point);
  const front = new Set(paretoFront(points).map((at) => survivors[at]!.place));
  const choice = points.length === 0 ? null : choosePolicy(points, leastSpreads(grid));
  const distances = new Map(survivors.map(({ place }, at) => [place, choice?.distances[at] ?? null]));

  const scored = rows.map((policy, place): ScoredPolicy => {
    const scores = reader.scores(place, times);
    const violations = [...violationsOf(bounds, policy, place, reader, times), ...withoutValue(grid, scores)];
    return { policy, place, scores, violations, onFront: front.has(place), distance: distances.get(place) ?? null };
  });
  const policies = scored.slice(0, tried.length);
  const chosen = choice === null ? null : scored[survivors[choice.chosen]!.place]!;
  const usual = scored[inGrid >= 0 ? inGrid : tried.length]!;
  const why = whyNoStability(cases.length, chosen, grid);
  return {
    grid,
    cases: cases.map(({ caseId, sha256 }) => ({ caseId, sha256 })),
    bounds,
    policies,
    invalid,
    removed: removedBy(policies),
    survivors: survivors.length,
    front: policies.filter(({ onFront }) => onFront),
    objectives: grid.selection.objectives.map((name, at) => objectiveOf(name, choice?.ranges[at] ?? null)),
    chosen,
    usual,
    stability:
      why !== null || chosen === null
        ? null
        : await choiceStability(
            candidates,
            cases.length,
            { front: firstOfEach(survivors, front, chosen.place), chosen: chosen.place, usual: usual.place },
            (share) => progress(REPLAYED + (1 - REPLAYED) * share),
          ),
    noStability: why,
    table,
  };
}

/** Of the policies on the front that score alike, the first one; and the chosen one. */
function firstOfEach(survivors: readonly Survivor[], front: ReadonlySet<number>, chosen: number): number[] {
  const firsts = new Map<string, number>();
  for (const { place, point } of survivors)
    if (front.has(place) && !firsts.has(point.join())) firsts.set(point.join(), place);
  return [...new Set([...firsts.values(), chosen])];
}

function objectiveOf(name: ObjectiveName, range: ObjectiveRange | null): Objective {
  if (range === null) return { name, best: null, worst: null, by: null, used: false };
  const { low, high, by, used } = range;
  return { name, best: turned(name, low), worst: turned(name, high), by, used };
}

/** A policy without a value in an objective can be neither ranked nor chosen. */
function withoutValue({ selection }: SweepGrid, scores: PolicyScores): Violation[] {
  return selection.objectives.some((name) => scores[name].value === null)
    ? [{ constraint: 'objective', value: null, bound: null, side: 'at most' }]
    : [];
}

function removedBy(policies: readonly ScoredPolicy[]): PolicySweep['removed'] {
  const all = policies.flatMap(({ violations }) =>
    violations.map(({ constraint }) => ({ constraint, isAlone: violations.length === 1 })),
  );
  return [...Map.groupBy(all, ({ constraint }) => constraint)]
    .map(([constraint, own]) => ({
      constraint,
      policies: own.length,
      alone: own.filter(({ isAlone }) => isAlone).length,
    }))
    .sort((a, b) => b.policies - a.policies || compareText(a.constraint, b.constraint));
}

function whyNoStability(cases: number, chosen: ScoredPolicy | null, { selection }: SweepGrid): string | null {
  if (chosen === null) return 'nothing was chosen';
  if (cases < 2) return 'there is one case only: nothing to resample';
  return selection.resamples === 0 ? 'it was not asked for (selection.resamples is 0)' : null;
}

interface Stability {
  readonly resamples: number;
  readonly seed: number;
  /** Resamples in which no policy keeps to every constraint. */
  readonly noneLeft: number;
  /** By policy: in how many resamples it was chosen. */
  readonly chosen: Int32Array;
  /** For the policies of the front, of those that score alike the first and the chosen: how often they were on it. */
  readonly onFront: ReadonlyMap<number, number>;
  /** By objective: how the chosen policy and the default came out, and by how much they differed. */
  readonly spread: readonly ObjectiveSpread[];
}

/** The middle 95 % of the resamples; null if some resample had no value. */
interface ObjectiveSpread {
  readonly name: ObjectiveName;
  readonly chosen: Ends | null;
  readonly usual: Ends | null;
  /** Chosen minus default, case by case the same draw. */
  readonly difference: Ends | null;
}

interface Ends {
  readonly low: number;
  readonly high: number;
}

const LEVEL = 0.95;
const BREATH = 50;

/** Whose fate in the resamples is followed, by place. */
interface Followed {
  readonly front: readonly number[];
  readonly chosen: number;
  readonly usual: number;
}

/**
 * How sure a choice is: cases are drawn with replacement, as many as there are, and everything is done again, from the
 * bounds that are derived from the cases to the choice. A choice that other cases of the same kind would not have led
 * to is chosen in few of the resamples.
 */
async function choiceStability(
  candidates: Candidates,
  cases: number,
  followed: Followed,
  progress: (share: number) => Promise<void> | void = () => undefined,
): Promise<Stability> {
  const { grid, reader, policies } = candidates;
  const { resamples, seed, objectives } = grid.selection;
  const chosen = new Int32Array(policies.length);
  const onFront = new Map(followed.front.map((place) => [place, 0]));
  const least = leastSpreads(grid);
  const values = objectives.map(() => ({ chosen: new Float64Array(resamples), usual: new Float64Array(resamples) }));
  let noneLeft = 0;
  let begun = 0;
  for (const times of resampleTimes(cases, { resamples, seed })) {
    const drawn = begun++;
    if (drawn % BREATH === 0) await progress(drawn / resamples);
    for (const [at, name] of objectives.entries()) {
      values[at]!.chosen[drawn] = reader.score(name, followed.chosen, times);
      values[at]!.usual[drawn] = reader.score(name, followed.usual, times);
    }
    const survivors = survivorsOf(candidates, times);
    if (survivors.length === 0) {
      noneLeft += 1;
      continue;
    }
    const points = survivors.map(({ point }) => point);
    chosen[survivors[choosePolicy(points, least).chosen]!.place]! += 1;
    // Policies that do the same share their point.
    const distinct = [...new Set(points)];
    for (const { place, point } of survivors) {
      const count = onFront.get(place);
      if (count !== undefined && !distinct.some((other) => dominates(other, point))) onFront.set(place, count + 1);
    }
  }
  const spread = objectives.map((name, at): ObjectiveSpread => {
    const own = values[at]!;
    const difference = own.chosen.map((value, drawn) => value - own.usual[drawn]!);
    return { name, chosen: middle(own.chosen), usual: middle(own.usual), difference: middle(difference) };
  });
  return { resamples, seed, noneLeft, chosen, onFront, spread };
}

function middle(values: Float64Array): Ends | null {
  if (values.some(Number.isNaN)) return null;
  const sorted = values.toSorted();
  const [low, high] = ends(LEVEL);
  return { low: percentile(sorted, low), high: percentile(sorted, high) };
}
