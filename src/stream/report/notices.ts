import type { MeasureValue } from '../../index.ts';
import { count, plural, isRecord } from '../../plugin.ts';
import { FEW_UNITS } from '../../stats.ts';
import type { MeasuredVariant } from '../measure/measure-stream.ts';

export function overallOf({ run }: MeasuredVariant): Map<string, MeasureValue> {
  return new Map(
    run.measures.measures.filter(({ slice }) => Object.keys(slice).length === 0).map((value) => [value.name, value]),
  );
}

export function limitsOf(variants: readonly MeasuredVariant[]): string[] {
  const limits = variants[0]?.run.manifest.recipe.resolved['limits'];
  return typeof limits === 'string' ? [limits] : [];
}

/** Which models answered, as the logs state it, and what found the concepts. */
export function answerLines(variants: readonly MeasuredVariant[]): string[] {
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

/** How many of a variant a notice is about, and of how many. */
type VariantCount = (variant: MeasuredVariant) => readonly [number, number | null];

const noticed =
  (notice: string): VariantCount =>
  (one) => [noticeCount(one, notice), null];
const several = (n: number): readonly [number, null] => [n > 1 ? n : 0, null];

/** One sentence for all variants that it is true of. */
const BY_VARIANT: readonly (readonly [what: string, counts: VariantCount])[] = [
  ['cases without a run log, in no average', ({ run }) => [run.measures.cases.failed, run.measures.cases.total]],
  [
    'summaries that failed their schema, not in unsupported_in_window and unsupported_in_contract, empty in coverage',
    (one) => [noticeCount(one, 'summariesNotInFaithfulness'), summariesOf(one)],
  ],
  ['of these, calls that got no answer', noticed('unansweredSummaries')],
  [
    'cases without a summary, where compression is 1, coverage 0, and nothing is unsupported for lack of text',
    (one) => [noticeCount(one, 'casesWithoutSummary'), one.cases.length],
  ],
  [
    'different settings among the logs of a variant, whose figures are averages over both',
    ({ settings }) => several(settings),
  ],
  ['different models among the logs of a variant', ({ models }) => several(models.length)],
  [
    'summaries whose window holds no message (a late flush, or deltas of another kind), all concepts unsupported in it',
    (one) => [noticeCount(one, 'emptyWindows'), summariesOf(one) - noticeCount(one, 'summariesNotInFaithfulness')],
  ],
  ['decisions that failed, so that the text stayed in the buffer', noticed('failedDecisions')],
  ['timestamps not of the trace but of its start and the seq, no times to trust', noticed('fallbackTimestamps')],
  ['traces that are stubs, no real conversations', noticed('stubTraces')],
];

/** What a reader must know before believing the numbers. */
export function streamNotices(variants: readonly MeasuredVariant[]): string[] {
  const cases = variants[0]?.run.measures.cases.total ?? 0;
  const isHeuristic = variants.some((one) => noticeCount(one, 'heuristicLogs') > 0);
  return [
    ...(isHeuristic
      ? ['answered by a heuristic stand-in, not by a language model: these figures show nothing about a model']
      : []),
    ...forcedNotice(conceptsOf(variants)),
    ...(conceptsOf(variants)['version'] === 'not stated'
      ? ['the extractor does not state its version: another one would pass for the same']
      : []),
    ...(cases < FEW_UNITS
      ? [`intervals rest on ${plural(cases, 'case')}: from so few, resampling gives them too narrow`]
      : []),
    ...BY_VARIANT.flatMap(([what, counts]) => {
      const parts = variants.flatMap((one) => {
        const [n, of] = counts(one);
        return n === 0 ? [] : [`${one.variant} ${count(n)}${of === null ? '' : ` of ${count(of)}`}`];
      });
      return parts.length === 0 ? [] : [`${what}: ${parts.join(', ')}`];
    }),
  ];
}

/** `concepts`: of the signature. */
export function forcedNotice({ name, stoplist, replayed }: Readonly<Record<string, unknown>>): string[] {
  if (typeof replayed !== 'string') return [];
  const lists = typeof stoplist === 'string' ? 'with stoplists' : 'without stoplists';
  return [`concepts found by ${String(name)} ${lists} because of --force: the logs were made for ${replayed}`];
}

function conceptsOf(variants: readonly MeasuredVariant[]): Readonly<Record<string, unknown>> {
  const concepts = variants[0]?.run.manifest.recipe.resolved['concepts'];
  return isRecord(concepts) ? concepts : {};
}

function noticeCount({ run }: MeasuredVariant, notice: string): number {
  return run.manifest.notices[notice] ?? 0;
}

function summariesOf({ cases }: MeasuredVariant): number {
  return cases.flatMap(({ given }) => (given.logged ?? []).filter(({ item }) => item.kind === 'summary')).length;
}
