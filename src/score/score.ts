import { countsOfCells } from '../columns/span-counts.ts';
import { type SpanPlan, spanPlanOf, SpanScoring } from '../columns/span-scoring.ts';
import { type Case, withFailure } from '../data/case.ts';
import { type Foldable, FoldState } from '../data/fold-state.ts';
import { UsageError } from '../data/problems.ts';
import { isSpanCase, type SpanCase } from '../data/span-case.ts';
import { type CaseResult, Tally } from '../measure/tally.ts';
import type { Plan } from '../recipe/plan.ts';
import { groupIntervals } from '../stats/measure-intervals.ts';
import { makeFingerprint } from './fingerprint.ts';
import type { CaseTotals, Measures, WorstCase } from './run.ts';
import { casesWithMostErrors, makeRunCounts } from './run-counts.ts';
import { makeCaseScorer, type SchemeVerdicts } from './score-case.ts';
import { signatureOf } from './signature.ts';
import type { StateSums } from './state-check.ts';

/** A case with all that scoring made of it. */
export interface ScoredCase {
  /** As it was read; one that failed as the recipe counts it (`data.failed`). */
  readonly given: Case;
  /** How plain spans were scored, for those who need no verdicts. */
  readonly spans?: SpanFacts;
  /** What was scored: one, or several where a rule of `prepare` makes several of a case, such as one per annotator. */
  readonly variants: readonly ScoredVariant[];
}

export interface SpanFacts {
  readonly given: SpanCase;
  readonly scoring: SpanScoring;
  readonly result: CaseResult;
}

/** A case as it was prepared, and its verdicts under the recipe's own pairing. */
export interface ScoredVariant extends Omit<SchemeVerdicts, 'scheme'> {
  /** Those under the schemes beside it. */
  readonly schemes: readonly SchemeVerdicts[];
  readonly result: CaseResult;
}

/** What is handed on while scoring goes. */
export interface ScoreSink {
  /** Told of each case once, in the order of the cases. */
  scored?(scored: ScoredCase): void;
  /** All cases are scored and their intervals begin; told again with the share done. */
  intervals?(share: number): void;
  /** Asked after each case: what the next one has to wait for, such as a disk that is slower than scoring. */
  ready?(): Promise<void> | null;
}

/** Several sinks as one, told in their order. */
export function joinSinks(sinks: readonly ScoreSink[]): ScoreSink {
  return {
    scored: (scored) => sinks.forEach((sink) => sink.scored?.(scored)),
    intervals: (share) => sinks.forEach((sink) => sink.intervals?.(share)),
    ready: () => sinks.reduce<Promise<void> | null>((wait, sink) => wait ?? sink.ready?.() ?? null, null),
  };
}

export interface ScoreResult extends Measures {
  readonly comparable: string;
  readonly worst: readonly WorstCase[];
  /** What scoring noticed and let pass, by name: how many. */
  readonly notices: Readonly<Record<string, number>>;
}

/**
 * Scores cases in memory: `add` gives each case's verdicts and what they add up to, `finish` the measures of them all.
 * Holds sums, not cases. Whatever scores, from files, experiments or reviews, goes through here.
 *
 * @example
 * const scoring = new Scoring(await planRecipe('spans/strict'));
 * for (const one of cases) console.log(scoring.add(one).variants[0]?.result.counts);
 * const { measures } = await scoring.finish();
 */
export class Scoring implements Foldable {
  readonly #plan: Plan;
  readonly #scoreCase: (given: Case) => SchemeVerdicts[];
  readonly #tally: Tally;
  readonly #counts: ReturnType<typeof makeRunCounts>;
  readonly #worst = casesWithMostErrors();
  readonly #fingerprint: ReturnType<typeof makeFingerprint>;
  readonly #state = new FoldState();
  readonly #notices = this.#state.keep({ unusedGold: 0, ungroundedGold: 0, unclustered: 0 });
  readonly #cases = this.#state.keep({ total: 0, failed: 0, unanswered: 0 });
  readonly #seen = this.#state.keep({ variants: 0, cannotCountAsEmpty: false });
  readonly #spanPlan: SpanPlan | null;
  #spans: { readonly labels: readonly string[]; readonly scoring: SpanScoring } | null = null;

  /** `schemes` false: of plain spans the recipe's own scheme alone is worked out, for those who look at nothing else. */
  constructor(plan: Plan, { schemes = true }: { readonly schemes?: boolean } = {}) {
    const cluster = plan.interval?.cluster ?? null;
    this.#plan = plan;
    this.#scoreCase = makeCaseScorer(plan);
    const spans = spanPlanOf(plan);
    this.#spanPlan = spans && { ...spans, schemes: spans.schemes.slice(0, schemes ? undefined : 1) };
    this.#tally = new Tally(plan.measures, plan.slices, cluster);
    this.#counts = makeRunCounts(plan.measures);
    this.#fingerprint = makeFingerprint({ ...whatDecides(plan), columns: plan.slices, cluster });
    for (const part of [this.#tally, this.#counts.state, this.#worst.state, this.#fingerprint.state])
      this.#state.keep(part);
  }

  /** Ends the adding of cases: what they came to, to be merged elsewhere. */
  save(): unknown {
    this.#endSpans();
    return this.#state.save();
  }

  merge(saved: unknown): void {
    this.#state.merge(saved);
  }

  /** What cases.jsonl adds up to as well. */
  get sums(): StateSums {
    return { cases: this.#cases, rules: this.#counts.list().rules, tally: this.#tally.cases };
  }

  #endSpans(): void {
    this.#spans?.scoring.totals(this.#counts.addLike, this.#counts.addLabels);
    this.#spans = null;
  }

  add(read: Case): ScoredCase {
    const spans = isSpanCase(read) ? this.#spansFor(read) : null;
    if (spans !== null && isSpanCase(read)) return this.#addSpans(read, spans);
    this.#fingerprint.add(read);
    const given = withFailure(read, this.#plan.data.failed);
    countCase(this.#cases, read);
    if (given.failed !== null && !this.#seen.cannotCountAsEmpty)
      this.#seen.cannotCountAsEmpty = !this.#addLeftOut(given);
    const variants: (ScoredVariant & { readonly schemes: SchemeVerdicts[] })[] = [];
    for (const own of this.#scoreCase(given)) {
      const { case: scored, scheme, verdicts } = own;
      this.#counts.add(verdicts);
      const result = this.#tally.addCase(scored, scheme, verdicts);
      if (scheme !== null) {
        variants.at(-1)?.schemes.push(own);
        continue;
      }
      variants.push({ case: scored, verdicts, schemes: [], result });
      this.#seen.variants += 1;
      this.#worst.add(result);
      for (const { count } of scored.notCounted ?? []) this.#notices.unusedGold += count;
      for (const item of scored.gold) if (item.grounded === false) this.#notices.ungroundedGold += 1;
    }
    return { given, variants };
  }

  /** A case of plain spans, in columns; its items and verdicts are made when somebody looks at them. */
  #addSpans(given: SpanCase, spans: SpanScoring): ScoredCase {
    this.#fingerprint.addSpans(given);
    this.#cases.total += 1;
    this.#seen.variants += 1;
    spans.score(given);
    const { id } = given;
    const [measures = {}] = spans.schemes.map(({ scheme, cells, verdictOf }) =>
      this.#tally.addCells(id, scheme.name, cells, verdictOf),
    );
    const result: CaseResult = { case: id, counts: countsOfCells(spans.schemes[0]!.cells), measures };
    this.#worst.add(result);
    let variants: readonly ScoredVariant[] | null = null;
    return {
      given,
      spans: { given, scoring: spans, result },
      get variants() {
        if (variants !== null) return variants;
        const [own, ...schemes] = spans.verdicts(given);
        return (variants = [{ case: own!.case, verdicts: own!.verdicts, schemes, result }]);
      },
    };
  }

  /** What scores cases of plain spans, of one reader: others have other numbers for labels. */
  #spansFor(given: SpanCase): SpanScoring | null {
    if (this.#spanPlan === null) return null;
    const { labels } = given.spans.gold;
    if (this.#spans === null) this.#spans = { labels, scoring: new SpanScoring(this.#spanPlan, labels) };
    return this.#spans.labels === labels ? this.#spans.scoring : null;
  }

  /** The measures with their intervals; `told` hears of the share of these that is done. */
  async finish(told: (share: number) => void = () => undefined): Promise<ScoreResult> {
    const { total } = this.#cases;
    const { interval } = this.#plan;
    const { unclustered } = this.#tally;
    if (total === 0) throw new UsageError('there is no case to score');
    refuseUnclustered(interval, unclustered, this.#seen.variants);
    this.#endSpans();
    const groups = this.#tally.groups();
    const breathe = async (share: number): Promise<void> => {
      told(share);
      // Lets an interrupt be heard.
      await new Promise((resume) => setImmediate(resume));
    };
    const settings = interval && { ...interval, unit: interval.cluster ?? 'case' };
    const sure = settings === null ? [] : await groupIntervals(groups, this.#plan.measures, settings, breathe);
    const { full, comparable } = signatureOf(this.#plan, this.#fingerprint, total);
    const failedOtherwise = this.#seen.cannotCountAsEmpty ? null : this.#tally.failedOtherwise();
    return {
      signature: full,
      comparable,
      cases: { ...this.#cases },
      measures: this.#tally.values(groups, sure),
      ...(failedOtherwise === null ? {} : { failedOtherwise }),
      ...this.#counts.list(),
      worst: this.#worst.list(),
      notices: { ...this.#notices, unclustered },
    };
  }

  /** Keeps what a case that is left out would be as an empty answer; false where the recipe's rules cannot look at it. */
  #addLeftOut(given: Case): boolean {
    try {
      for (const { case: scored, scheme, verdicts } of this.#scoreCase(withFailure(given, 'empty')))
        if (scheme === null) this.#tally.addLeftOut(scored, verdicts);
      return true;
    } catch (error) {
      // Nobody asked for this case to be scored: what keeps it from that is not the run's fault.
      if (!(error instanceof UsageError)) throw error;
      return false;
    }
  }
}

/** Counts a case as it was read: unanswered or failed, never both. */
export function countCase(counts: { -readonly [Key in keyof CaseTotals]: number }, read: Case): void {
  counts.total += 1;
  if (read.failed !== null) counts.failed += 1;
  else if (!read.answered) counts.unanswered += 1;
}

/** A cluster column that no case has is a slip: resampling would go by case without a word. */
export function refuseUnclustered(interval: Plan['interval'], unclustered: number, cases: number): void {
  if (interval !== null && interval.cluster !== null && unclustered >= cases)
    throw new UsageError(
      `interval.cluster: no case has a value of ${interval.cluster}`,
      'name a column of the cases, or leave cluster out to resample cases',
    );
}

/** Scores a stream of cases, one at a time, each told to the sink. */
export async function scoreCases(
  plan: Plan,
  cases: AsyncIterable<Case> | Iterable<Case>,
  sink: ScoreSink = {},
): Promise<ScoreResult> {
  const scoring = new Scoring(plan);
  await addCases(scoring, cases, sink);
  return scoring.finish((share) => sink.intervals?.(share));
}

/** Adds a stream of cases, one at a time, each told to the sink. */
export async function addCases(
  scoring: Scoring,
  cases: AsyncIterable<Case> | Iterable<Case>,
  sink: ScoreSink,
): Promise<void> {
  for await (const read of cases) {
    const scored = scoring.add(read);
    sink.scored?.(scored);
    const wait = sink.ready?.() ?? null;
    if (wait !== null) await wait;
  }
}

/** Whether the order in which a case lists its items, and the tokens of its files, can decide anything, and so a number. */
function whatDecides({ prepare, schemes }: Plan): { readonly ordered: boolean; readonly tokens: boolean } {
  const settings = schemes.flatMap(({ pair }) => [...pair.values()]);
  return {
    ordered: prepare.some(({ readsOrder }) => readsOrder) || settings.some(({ ties }) => ties === 'given'),
    tokens: settings.some(({ tokens }) => tokens === 'file'),
  };
}
