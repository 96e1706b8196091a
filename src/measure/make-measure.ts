import { settingError } from '../prepare/setting-error.ts';
import { attributeAccuracy } from './attribute-accuracy.ts';
import { caseMean } from './case-mean.ts';
import { caseShare } from './case-share.ts';
import { entityRecall } from './entity-recall.ts';
import { evidenceCoverage } from './evidence-coverage.ts';
import { f1 } from './f1.ts';
import { fieldMean } from './field-mean.ts';
import { fieldPercentile } from './field-percentile.ts';
import { fieldShare } from './field-share.ts';
import { fieldTotal } from './field-total.ts';
import { itemCount } from './item-count.ts';
import { numberScope } from './item-numbers.ts';
import { macro } from './macro.ts';
import { meanOf } from './mean-of.ts';
import type { MeasureParams } from './measure-params.ts';
import type { Direction, Measure, Outcome, Sums, ZeroDivision } from './measure.ts';
import { overExtraction } from './over-extraction.ts';
import { precision } from './precision.ts';
import { ratioOfSums } from './ratio-of-sums.ts';
import { recall } from './recall.ts';
import { verdictShare } from './verdict-share.ts';
import { verdictTotal } from './verdict-total.ts';

/** A measure of one form; `other` gives those that it is made of. What it says of itself goes before what its form says. */
export function makeMeasure(
  name: string,
  params: MeasureParams,
  zeroDivision: ZeroDivision,
  other: (name: string) => Measure,
): Measure {
  const { about, unit, best, by, nothing } = params;
  const made = ofForm(name, params, zeroDivision, other);
  return {
    ...made,
    ...(by === undefined ? {} : labelledAs(by, made.byLabel, name)),
    ...(best === undefined ? {} : { best }),
    ...(nothing === undefined ? {} : { value: (sums: Sums) => because(made.value(sums), nothing) }),
    ...(about === undefined ? {} : { about }),
    ...(unit === undefined ? {} : { unit }),
  };
}

function ofForm(
  name: string,
  params: MeasureParams,
  zeroDivision: ZeroDivision,
  other: (name: string) => Measure,
): Measure {
  switch (params.of) {
    case 'precision':
      return precision(name, params, params, zeroDivision);
    case 'recall':
      return recall(name, params, zeroDivision, params.within);
    case 'f1':
      return f1(name, params, params.beta, zeroDivision);
    case 'accuracy':
      return attributeAccuracy(name, params.attributes, params.kind, zeroDivision);
    case 'evidence-coverage':
      return evidenceCoverage(name, params.kind, zeroDivision);
    case 'over-extraction':
      return overExtraction(name, params, zeroDivision);
    case 'count':
      return verdictTotal(name, params, params.direction ?? usualDirection(params));
    case 'entity-recall':
      return entityRecall(name, params, zeroDivision);
    case 'verdict-share': {
      const { kind, verdict, among } = params;
      return verdictShare(name, kind, verdict, among, params.direction ?? usualDirection(params), zeroDivision);
    }
    case 'item-count':
      return itemCount(name, numberScope({ ...params, field: undefined }), params, params.direction);
    case 'field-mean':
      return fieldMean(name, numberScope(params), params.direction, params.range);
    case 'field-total':
      return fieldTotal(name, numberScope(params), params.direction, params.range);
    case 'field-share':
      return fieldShare(name, numberScope(params), params, params.direction, zeroDivision);
    case 'field-percentile':
      return fieldPercentile(name, numberScope(params), params.p, params.direction, params.range);
    case 'ratio': {
      const { scale, complement } = params;
      const terms = { over: numberScope(params.over), under: numberScope(params.under), scale, complement };
      return ratioOfSums(name, terms, params.direction, params.range, zeroDivision);
    }
    case 'macro':
      return macro(name, other(params.measure));
    case 'mean':
      return meanOf(name, params.measures.map(other), params.harmonic);
    case 'case-mean':
      return caseMean(name, caseMeasure(name, params.measure, zeroDivision, other));
    case 'case-share':
      return caseShare(name, caseMeasure(name, params.measure, zeroDivision, other), params, params.direction);
  }
}

/** The recipe's own words for there being no value. */
function because(outcome: Outcome, nothing: string): Outcome {
  return outcome.value === null ? { ...outcome, undefined: nothing } : outcome;
}

/** The measure whose value for each case is looked at. */
function caseMeasure(
  name: string,
  measure: string | MeasureParams,
  zeroDivision: ZeroDivision,
  other: (name: string) => Measure,
): Measure {
  const of = typeof measure === 'string' ? other(measure) : makeMeasure(name, measure, zeroDivision, other);
  if (!of.byCase) throw settingError(['measure', name, 'measure'], `${of.name} has no value for a case`);
  return of;
}

function labelledAs(
  by: NonNullable<MeasureParams['by']>,
  hasLabels: boolean,
  name: string,
): Pick<Measure, 'byLabel' | 'labelled'> {
  if (by === 'none') return { byLabel: false };
  if (!hasLabels) throw settingError(['measure', name, 'by'], 'a measure of this form has no values by label');
  return { byLabel: true, labelled: by };
}

function usualDirection({ verdict }: { readonly verdict: string }): Direction {
  return verdict === 'hit' ? 'higher' : 'lower';
}
