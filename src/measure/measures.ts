import type { z } from 'zod';

import { caseMean, caseShare, macro, meanOf } from './case-measures.ts';
import { f1, overExtraction, precision, recall } from './hit-measures.ts';
import { fieldMean, fieldPercentile, fieldShare, fieldTotal, itemCount, ratioOfSums } from './item-measures.ts';
import { attributeAccuracy, entityRecall, evidenceCoverage, verdictShare, verdictTotal } from './verdict-measures.ts';
import { SettingError, settingError, SettingProblems, suggestion, unknownName } from '../prepare/setting-error.ts';
import { schemaProblems } from '../prepare/schema-problems.ts';
import {
  customForm,
  type CustomParams,
  type FormParams,
  isBuiltIn,
  MEASURE_FORMS,
  measureParams,
  type MeasureParams,
} from './measure-params.ts';
import type { Measure, Outcome, Sums, UnnamedMeasure, ZeroDivision } from './measure.ts';

/** Names that need no further word in a recipe. */
const KNOWN: Readonly<Record<string, object>> = {
  precision: { of: 'precision' },
  recall: { of: 'recall' },
  f1: { of: 'f1' },
  macro_precision: { of: 'macro', measure: 'precision' },
  macro_recall: { of: 'macro', measure: 'recall' },
  macro_f1: { of: 'macro', measure: 'f1' },
  evidence_coverage: { of: 'evidence-coverage' },
  over_extraction: { of: 'over-extraction' },
};

/** A form of measure from user code, with the settings that a recipe may change. */
export interface CustomMeasure {
  readonly name: string;
  readonly shape: z.core.$ZodShape;
  make(params: object): UnnamedMeasure;
}
type CustomMeasures = ReadonlyMap<string, CustomMeasure>;

/**
 * Builds the recipe's `measure` section; its params have defaults filled in, as the manifest shows them. Measures of
 * measures may name any other, whatever the order.
 */
export function buildMeasures(
  wanted: Readonly<Record<string, unknown>>,
  zeroDivision: ZeroDivision,
  custom: CustomMeasures = new Map(),
) {
  const params = new Map<string, AnyParams>();
  const problems = new SettingProblems();
  for (const [name, raw] of Object.entries(wanted))
    problems.attempt(() => params.set(name, measureParamsOf(name, raw, custom)));
  problems.throwIfAny();
  const built = new Map<string, Measure>();
  const build = (name: string, asked: readonly string[]): Measure => {
    const known = built.get(name);
    if (known !== undefined) return known;
    if (asked.includes(name))
      throw settingError(['measure', name], `it is defined by itself (${[...asked, name].join(' -> ')})`);
    const own = params.get(name) ?? usualParams(name, asked, [...params.keys()], custom);
    const made = makeMeasure(own, zeroDivision, { name, custom, other: (other) => build(other, [...asked, name]) });
    built.set(name, made);
    return made;
  };
  const measures = [...params.keys()].flatMap((name) => problems.attempt(() => build(name, [])) ?? []);
  problems.throwIfAny();
  return { measures, params: Object.fromEntries(params) };
}

/** A measure that another one names without the recipe saying what it is. */
function usualParams(
  name: string,
  asked: readonly string[],
  others: readonly string[],
  custom: CustomMeasures,
): AnyParams {
  if (Object.hasOwn(KNOWN, name) || custom.has(name)) return measureParamsOf(name, {}, custom);
  const names = [...new Set([...others, ...Object.keys(KNOWN), ...custom.keys()])].filter(
    (other) => !asked.includes(other),
  );
  throw unknownName(['measure', asked.at(-1) ?? ''], 'measure', name, names);
}

function measureParamsOf(name: string, raw: unknown, custom: CustomMeasures): AnyParams {
  const path = ['measure', name];
  const usual = custom.has(name) ? { of: name } : Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  const given = raw === null || raw === undefined || raw === true || raw === 'on' ? {} : raw;
  if (typeof given !== 'object') throw settingError(path, 'expected a mapping such as { of: f1 }, on or off');
  if (!('of' in given)) {
    if (usual === undefined) {
      const next = suggestion(
        name,
        [...Object.keys(KNOWN), ...custom.keys()],
        'or say what it is, for example { of: f1 }; known by name',
      );
      throw settingError(path, `there is no measure called ${name}`, next);
    }
  } else if (typeof given.of !== 'string' || !(custom.has(given.of) || MEASURE_FORMS.includes(given.of))) {
    const forms = [...MEASURE_FORMS, ...custom.keys()];
    throw unknownName([...path, 'of'], 'form of measure', String(given.of), forms);
  }
  const whole = 'of' in given ? given : { ...usual, ...given };
  const own = 'of' in whole ? custom.get(String(whole.of)) : undefined;
  const schema = own === undefined ? measureParams : customForm(own.name, own.shape);
  const parsed = schema.safeParse(whole);
  if (!parsed.success) throw new SettingError(schemaProblems(schema, whole, parsed.error, path));
  return parsed.data;
}

/** What a measure is called, and others by their names, for those that are made of them. */
interface Naming {
  readonly name: string;
  readonly other: (name: string) => Measure;
  readonly custom: CustomMeasures;
}

type AnyParams = MeasureParams | CustomParams;

type Form = MeasureParams['of'];
type ParamsByForm = { [Of in Form]: FormParams<Of> };
type Maker<Params> = (params: Params, zeroDivision: ZeroDivision, naming: Naming) => UnnamedMeasure;

const MAKERS: { readonly [Of in Form]: Maker<ParamsByForm[Of]> } = {
  precision,
  recall,
  f1,
  accuracy: attributeAccuracy,
  'evidence-coverage': evidenceCoverage,
  'over-extraction': overExtraction,
  count: verdictTotal,
  'entity-recall': entityRecall,
  'verdict-share': verdictShare,
  'item-count': itemCount,
  'field-mean': fieldMean,
  'field-total': fieldTotal,
  'field-share': fieldShare,
  'field-percentile': fieldPercentile,
  ratio: ratioOfSums,
  macro: ({ measure }, _, { other }) => macro(other(measure)),
  mean: ({ measures, harmonic }, _, { other }) => meanOf(measures.map(other), harmonic),
  'case-mean': ({ measure }, ...by) => caseMean(by[1].name, caseMeasure(measure, ...by)),
  'case-share': (params, ...by) => caseShare(by[1].name, caseMeasure(params.measure, ...by), params),
};

function ofForm<Of extends Form>(of: Of, params: ParamsByForm[Of], zeroDivision: ZeroDivision, naming: Naming) {
  return MAKERS[of](params, zeroDivision, naming);
}

/** A measure of one form. The recipe's settings override those of its form. */
function makeMeasure(params: AnyParams, zeroDivision: ZeroDivision, naming: Naming): Measure {
  const { about, unit, symbol, best, by, nothing } = params;
  const { name } = naming;
  const made = isBuiltIn(params)
    ? ofForm(params.of, params, zeroDivision, naming)
    : naming.custom.get(params.of)!.make(params);
  if (typeof by === 'object' && !made.byLabel)
    throw settingError(['measure', name, 'by'], 'a measure of this form has no values by label');
  return {
    ...made,
    name,
    about: about ?? made.about,
    direction: isBuiltIn(params) && 'direction' in params ? (params.direction ?? made.direction) : made.direction,
    range: isBuiltIn(params) && 'range' in params ? params.range : made.range,
    unit: unit ?? made.unit,
    symbol,
    best: best ?? made.best,
    byLabel: by !== 'none' && made.byLabel,
    labelled: typeof by === 'object' ? by : made.labelled,
    ...(nothing === undefined ? {} : { value: (sums: Sums) => because(made.value(sums), nothing) }),
  };
}

/** The recipe's own words for there being no value. */
function because(outcome: Outcome, nothing: string): Outcome {
  return outcome.value === null ? { ...outcome, undefined: nothing } : outcome;
}

/** The measure whose value for each case is looked at. */
function caseMeasure(measure: string | MeasureParams, zeroDivision: ZeroDivision, naming: Naming): Measure {
  const of = typeof measure === 'string' ? naming.other(measure) : makeMeasure(measure, zeroDivision, naming);
  if (of.overLabels === true)
    throw settingError(['measure', naming.name, 'measure'], `${of.name} has no value for a case`);
  return of;
}
