import { isRecord } from '../../data/record-fields.ts';
import type { Criterion, PairSettings } from '../../pair/criterion.ts';
import type { Plan } from '../../recipe/plan.ts';
import { canonicalJson } from '../../score/canonical-json.ts';
import { recipeHash } from '../../score/signature.ts';

/** Similarities that are 1 or 0: no threshold and no partial credit tells two of them apart. */
const YES_OR_NO = new Set(['exact', 'containment', 'predicted-in-gold', 'gold-in-predicted']);

/**
 * What the numbers may depend on, as a text to compare: the recipe without words, and without the settings of `pair` that
 * its similarity or its unit does not read.
 */
export function readSettings(plan: Plan): string {
  const { data, prepare, judge } = plan.resolved;
  const pair = Object.fromEntries(
    [...(plan.schemes[0]?.pair ?? [])].map(([kind, settings]) => [kind, readPair(kind, settings)]),
  );
  const resolved = { ...plan.resolved, pair, prepare: withoutReasons(prepare), judge: withoutReasons(judge) };
  // The recipe's hash leaves out how files are read.
  const reading = isRecord(data) ? [data['format'], data['columns']] : [];
  return canonicalJson([recipeHash({ ...plan, resolved }), ...reading]);
}

function readPair(kind: string, { accept, assign, ties, partial, unit, tokens, cover }: PairSettings): unknown {
  const isCover = unit === 'cover' || unit === 'cover-token';
  if (unit !== 'item')
    return accept.map(({ name, gate, words, threshold }) => [
      [unit, name],
      isCover ? [threshold, cover ?? null] : gate.includes('label'),
      unit === 'token' ? [words, tokens ?? null] : null,
    ]);
  const credits = accept.every(isYesOrNo) ? null : partial;
  return { accept: accept.map((criterion) => readCriterion(kind, criterion)), assign, ties, partial: credits };
}

function readCriterion(kind: string, criterion: Criterion): unknown {
  const { name, gate, similarity, threshold, tolerance, words, normalise, own, ...relations } = criterion;
  const byText = similarity === 'levenshtein' || similarity === 'relation' || (isYesOrNo(criterion) && kind !== 'span');
  const byPlace = kind === 'span' && (similarity === 'iou' || isYesOrNo(criterion));
  return {
    name,
    gate,
    similarity,
    threshold: isYesOrNo(criterion) ? null : threshold,
    // A custom similarity reads the items alone.
    tolerance: own === null && byPlace ? tolerance : null,
    words: own === null && similarity === 'jaccard' ? words : null,
    normalise: own === null && byText ? normalise : null,
    relations: similarity === 'relation' ? relations : null,
  };
}

function isYesOrNo({ similarity, own }: Criterion): boolean {
  return own === null && YES_OR_NO.has(similarity);
}

/** Rules without the reasons that they give for a verdict. */
function withoutReasons(rules: unknown): unknown {
  if (!isRecord(rules)) return rules;
  return Object.fromEntries(
    Object.entries(rules).map(([name, params]) => [name, isRecord(params) ? { ...params, because: null } : params]),
  );
}
