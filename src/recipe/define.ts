import {
  type Definition,
  describeDefinition,
  type FormatInit,
  type MeasureInit,
  type Params,
  type CustomRuleInit,
  type SimilarityInit,
} from './definition.ts';

// What they describe is built with the recipe that names it: importing these loads no schema and no stage.

/**
 * A custom measure: a ratio of sums over verdicts, or the mean of a value per case. It gets its n, interval and
 * slices as built-in ones do.
 *
 * @example defineMeasure({
 *   name: 'long_recall', about: 'recall of gold of at least `min` characters', params: { min: 10 },
 *   over: ({ verdict, gold }, { min }) => Number(verdict === 'hit' && gold!.text.length >= min),
 *   under: ({ gold, verdict }, { min }) => Number(verdict !== 'excused' && (gold?.text.length ?? 0) >= min),
 * })
 */
export function defineMeasure<P extends Params = Params>(init: MeasureInit<P>): Definition {
  return { ...describeDefinition('measure', init), init };
}

/**
 * A rule of `prepare` or `judge`. No item can get lost in it: what leaves is set aside with a reason, and a verdict is
 * changed, never removed. `explain` and the waterfall show it by its name.
 *
 * @example defineRule({
 *   stage: 'judge', name: 'excuse-short', about: 'spurious predictions below `min` characters are excused', params: { min: 3 },
 *   judge: ({ verdict, predicted }, { min }) =>
 *     verdict === 'spurious' && predicted!.text.length < min ? { verdict: 'excused', because: `shorter than ${min}` } : null,
 * })
 */
export function defineRule<P extends Params = Params>(init: CustomRuleInit<P>): Definition {
  return { ...describeDefinition('rule', init), init };
}

/**
 * A similarity, 0 (nothing in common) to 1 (the same), for `pair.similarity`.
 *
 * @example defineSimilarity({ name: 'same-start', about: 'same first word', compare: (gold, predicted) => … })
 */
export function defineSimilarity(init: SimilarityInit): Definition {
  return { ...describeDefinition('similarity', init), compare: init.compare };
}

/**
 * A format of JSON records, by how a record of it is written in a built-in one, which checks offsets, ids and fields.
 *
 * @example defineFormat({ name: 'tagged', about: '…', example: '…', as: 'spans', detects: (record) => 'entities' in record,
 *   convert: ({ key, body, entities }) => ({ id: key, text: body, spans: entities }) })
 */
export function defineFormat(init: FormatInit): Definition {
  return { ...describeDefinition('format', init), init };
}
