import { isRecord } from '../data/record-fields.ts';
import type { MeasureValue } from '../measure/tally.ts';
import type { MeasuredVariant } from '../tasks/stream/measures/measure-stream.ts';
import { FEW_UNITS } from '../stats/interval.ts';
import { count, counted } from '../text/figures.ts';

/** The measures of the whole, by name. */
export function overallOf({ run }: MeasuredVariant): Map<string, MeasureValue> {
  return new Map(
    run.measures.measures.filter(({ slice }) => Object.keys(slice).length === 0).map((value) => [value.name, value]),
  );
}

/** What the numbers do not claim. */
export function limitsOf(variants: readonly MeasuredVariant[]): string[] {
  const limits = variants[0]?.run.manifest.recipe.resolved['limits'];
  return typeof limits === 'string' ? [limits] : [];
}

/** Whoever answered, as the logs say, and what found the concepts. */
export function modelLines(variants: readonly MeasuredVariant[]): string[] {
  const models = [...new Set(variants.flatMap(({ models: own }) => own))];
  const extractor = conceptsOf(variants)['name'];
  return [
    ...(models.length === 0 ? [] : [`Answers: ${models.join('; ')}.`]),
    ...(typeof extractor === 'string'
      ? [
          `Concepts: ${extractor}${extractor === 'vocabulary' ? ', the small one that ships: to try things, not for results' : ''}.`,
        ]
      : []),
  ];
}

/** What a reader must know before believing the numbers. Holds text from files: escape it. */
export function streamNotices(variants: readonly MeasuredVariant[]): string[] {
  const cases = variants[0]?.run.measures.cases.total ?? 0;
  const heuristic = variants.some((one) => said(one, 'heuristicLogs') > 0);
  return [
    ...(heuristic
      ? ['answered by a heuristic stand-in, not by a language model: these figures say nothing about a model']
      : []),
    ...(conceptsOf(variants)['version'] === 'not stated'
      ? ['the extractor does not state its version: another one would pass for the same']
      : []),
    ...(cases < FEW_UNITS
      ? [`intervals rest on ${counted(cases, 'case')}: from so few, resampling gives them too narrow`]
      : []),
    ...byVariant(variants, 'cases without a run log, in no average', ({ run: { measures } }) => [
      measures.cases.failed,
      measures.cases.total,
    ]),
    ...byVariant(
      variants,
      'summaries that failed their schema, not in unsupported_in_window and unsupported_in_contract, empty in coverage',
      (one) => [said(one, 'summariesNotInFaithfulness'), summariesOf(one)],
    ),
    ...byVariant(variants, 'of these, calls that got no answer', (one) => [said(one, 'unansweredSummaries'), null]),
    ...byVariant(
      variants,
      'cases without a summary, where compression is 1, coverage 0, and nothing is unsupported because nothing was said',
      (one) => [said(one, 'casesWithoutSummary'), one.cases.length],
    ),
    ...byVariant(
      variants,
      'different settings among the logs of a variant, whose figures are averages over both',
      ({ settings }) => [settings > 1 ? settings : 0, null],
    ),
    ...byVariant(variants, 'different models among the logs of a variant', ({ models }) => [
      models.length > 1 ? models.length : 0,
      null,
    ]),
    ...byVariant(
      variants,
      'summaries whose window holds no message (a late flush, or deltas of another kind), all concepts unsupported in it',
      (one) => [said(one, 'emptyWindows'), summariesOf(one) - said(one, 'summariesNotInFaithfulness')],
    ),
    ...byVariant(variants, 'decisions that failed, so that the text stayed in the buffer', (one) => [
      said(one, 'failedDecisions'),
      null,
    ]),
    ...byVariant(variants, 'timestamps not of the trace but of its start and the seq, no times to trust', (one) => [
      said(one, 'fallbackTimestamps'),
      null,
    ]),
    ...byVariant(variants, 'traces that are stubs, no real conversations', (one) => [said(one, 'stubTraces'), null]),
  ];
}

function conceptsOf(variants: readonly MeasuredVariant[]): Readonly<Record<string, unknown>> {
  const concepts = variants[0]?.run.manifest.recipe.resolved['concepts'];
  return isRecord(concepts) ? concepts : {};
}

/** One sentence for all variants that it is true of: how many, of how many. */
function byVariant(
  variants: readonly MeasuredVariant[],
  what: string,
  counts: (variant: MeasuredVariant) => readonly [number, number | null],
): string[] {
  const found = variants.flatMap((one) => {
    const [n, of] = counts(one);
    return n === 0 ? [] : [`${one.variant} ${count(n)}${of === null ? '' : ` of ${count(of)}`}`];
  });
  return found.length === 0 ? [] : [`${what}: ${found.join(', ')}`];
}

function said({ run }: MeasuredVariant, notice: string): number {
  return run.manifest.notices[notice] ?? 0;
}

function summariesOf({ cases }: MeasuredVariant): number {
  return cases.flatMap(({ given }) => (given.logged ?? []).filter(({ item }) => item.kind === 'summary')).length;
}
