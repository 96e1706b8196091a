import { z } from 'zod';

import { UsageError } from '../data/problems.ts';
import { VERDICTS } from '../judge/verdict.ts';
import { paramsMessage } from '../prepare/rule.ts';
import { nearestNames } from '../text/nearest.ts';
import { attributeAccuracy } from './attribute-accuracy.ts';
import { entityRecall } from './entity-recall.ts';
import { evidenceCoverage } from './evidence-coverage.ts';
import { f1 } from './f1.ts';
import { macro } from './macro.ts';
import { meanOf } from './mean-of.ts';
import type { Measure, ZeroDivision } from './measure.ts';
import { overExtraction } from './over-extraction.ts';
import { precision } from './precision.ts';
import { recall } from './recall.ts';
import { verdictTotal } from './verdict-total.ts';

const kind = z.string().nullable().default(null);
const require = z.array(z.string()).default([]);

/** The forms a measure can take in a recipe: `name: { of: form, … }`. */
export const measureParams = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('precision'), kind, require, countExcused: z.boolean().default(false) }),
  z.strictObject({ of: z.literal('recall'), kind, require }),
  z.strictObject({ of: z.literal('f1'), kind, require, beta: z.number().positive().default(1) }),
  z.strictObject({ of: z.literal('accuracy'), kind, attributes: z.array(z.string()).min(1) }),
  z.strictObject({ of: z.literal('evidence-coverage'), kind }),
  z.strictObject({ of: z.literal('over-extraction'), kind }),
  z.strictObject({
    of: z.literal('count'),
    kind,
    verdict: z.enum(VERDICTS),
    rules: z.array(z.string()).default([]),
    exceptRules: z.array(z.string()).default([]),
    credit: z.enum(['any', 'full', 'part']).default('any'),
    direction: z.enum(['higher', 'lower']).optional(),
  }),
  z.strictObject({
    of: z.literal('entity-recall'),
    group: z.string().default('entity_id'),
    field: z.string().nullable().default(null),
    values: z.array(z.string()).default([]),
  }),
  z.strictObject({ of: z.literal('macro'), measure: z.string() }),
  z.strictObject({ of: z.literal('mean'), measures: z.array(z.string()).min(1) }),
]);
type MeasureParams = z.infer<typeof measureParams>;

/** Names that need no further word in a recipe. */
const KNOWN: Readonly<Record<string, unknown>> = {
  precision: { of: 'precision' },
  recall: { of: 'recall' },
  f1: { of: 'f1' },
  macro_precision: { of: 'macro', measure: 'precision' },
  macro_recall: { of: 'macro', measure: 'recall' },
  macro_f1: { of: 'macro', measure: 'f1' },
  evidence_coverage: { of: 'evidence-coverage' },
  over_extraction: { of: 'over-extraction' },
};

export interface BuiltMeasures {
  readonly measures: readonly Measure[];
  /** With defaults filled in, as the manifest shows them. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Builds the recipe's `measure` section. Measures of measures may name any other, whatever the order. */
export function buildMeasures(wanted: Readonly<Record<string, unknown>>, zeroDivision: ZeroDivision): BuiltMeasures {
  const params = new Map<string, MeasureParams>();
  for (const [name, raw] of Object.entries(wanted)) params.set(name, measureParamsOf(name, raw));
  const built = new Map<string, Measure>();
  const build = (name: string, asked: readonly string[]): Measure => {
    const known = built.get(name);
    if (known !== undefined) return known;
    if (asked.includes(name))
      throw new UsageError(`measure.${name} is defined by itself (${[...asked, name].join(' -> ')})`);
    const own = params.get(name) ?? measureParamsOf(name, null);
    const made = make(name, own, zeroDivision, (other) => build(other, [...asked, name]));
    built.set(name, made);
    return made;
  };
  const measures = [...params.keys()].map((name) => build(name, []));
  return { measures, params: Object.fromEntries(params) };
}

function measureParamsOf(name: string, raw: unknown): MeasureParams {
  const usual = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  const given = raw === null || raw === undefined || raw === true || raw === 'on' ? {} : raw;
  if (usual === undefined && (typeof given !== 'object' || given === null || !('of' in given))) {
    const near = nearestNames(name, Object.keys(KNOWN));
    throw new UsageError(
      `measure: ${name} needs to say what it is (of: …)`,
      near.length > 0
        ? `did you mean ${near.join(' or ')}?`
        : `measures known by name: ${Object.keys(KNOWN).join(', ')}`,
    );
  }
  const merged: unknown =
    typeof given === 'object' && given !== null && usual !== undefined && !('of' in given)
      ? { ...usual, ...given }
      : typeof given === 'object' && given !== null && 'of' in given
        ? given
        : usual;
  const parsed = measureParams.safeParse(merged);
  if (!parsed.success) throw new UsageError(paramsMessage(`measure.${name}`, parsed.error));
  return parsed.data;
}

function make(
  name: string,
  params: MeasureParams,
  zeroDivision: ZeroDivision,
  other: (name: string) => Measure,
): Measure {
  switch (params.of) {
    case 'precision':
      return precision(name, params, params.countExcused, zeroDivision);
    case 'recall':
      return recall(name, params, zeroDivision);
    case 'f1':
      return f1(name, params, params.beta, zeroDivision);
    case 'accuracy':
      return attributeAccuracy(name, params.attributes, params.kind, zeroDivision);
    case 'evidence-coverage':
      return evidenceCoverage(name, params.kind, zeroDivision);
    case 'over-extraction':
      return overExtraction(name, params.kind, zeroDivision);
    case 'count':
      return verdictTotal(name, params, params.direction ?? (params.verdict === 'hit' ? 'higher' : 'lower'));
    case 'entity-recall':
      return entityRecall(name, params, zeroDivision);
    case 'macro':
      return macro(name, other(params.measure));
    case 'mean':
      return meanOf(name, params.measures.map(other));
  }
}
