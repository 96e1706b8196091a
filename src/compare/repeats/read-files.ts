import type { Case } from '../../data/case.ts';
import type { DataOptions } from '../../data/data-options.ts';
import type { Item } from '../../data/item.ts';
import { noNotices } from '../../data/item-check.ts';
import { joinFiles } from '../../data/join-files.ts';
import { Problems, UsageError } from '../../data/problems.ts';
import { type RowReader, rowReader } from '../../data/read-rows.ts';
import { reopenable, type Source, sourceOf } from '../../data/source.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { Plan } from '../../recipe/plan.ts';
import { caseReader, formatOf } from '../../formats/case-formats.ts';
import { Fingerprint } from '../../score/fingerprint.ts';
import { makeCaseScorer } from '../../score/score-case.ts';
import { refuseFew, type Repeated } from './read-folders.ts';
import { planParts, type RepeatedCase, type RepeatedRun } from './repeated-run.ts';

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
  refuseTwice(files.predictions);
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

function refuseTwice(predictions: readonly Source[]): void {
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
function casesWithoutGold(cases: Source, predictions: Source, given: DataOptions): AsyncIterable<Case> {
  const options: DataOptions = { ...given, missingGold: 'empty' };
  const problems = new Problems();
  return joinFiles({
    driver: rowReader(cases, 'cases', options, problems),
    gold: NO_ROWS,
    predictions: rowReader(predictions, 'predictions', options, problems),
    names: { driver: cases.name, gold: cases.name, predictions: predictions.name },
    options,
    problems,
    notices: noNotices(),
  });
}

const NO_ROWS: RowReader = {
  async *rows() {},
  ids: () => new Set(),
  isBroken: () => false,
  done: () => ({ role: 'gold', name: 'no gold', path: null, format: 'none', sha256: '', bytes: 0, rows: 0 }),
};

async function scoreOne(
  name: string,
  given: AsyncIterable<Case>,
  scoreCase: ReturnType<typeof makeCaseScorer>,
): Promise<RepeatedRun> {
  const fingerprint = new Fingerprint(false);
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
