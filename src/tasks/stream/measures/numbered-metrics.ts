import type { CaseResult, MeasureValue } from '../../../measure/tally.ts';
import { DOCUMENT_METRICS, metricField, metricNumber } from '../measure/metric-names.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A case's measures by the seed document's numbers and names: those that it defines, then the recipe's others. */
export function caseMetrics({ measures }: CaseResult, overall: readonly MeasureValue[]): Record<string, Fields> {
  return byField(overall, ({ name, direction, unit }) => ({
    value: measures[name] ?? null,
    direction,
    ...(unit === undefined ? {} : { unit }),
  }));
}

/** The measures of a variant, likewise, with how sure each is. */
export function variantMetrics(overall: readonly MeasureValue[]): Record<string, Fields> {
  return byField(overall, (own) => ({
    value: own.value,
    undefined: own.undefined,
    n: own.n,
    direction: own.direction,
    ...(own.unit === undefined ? {} : { unit: own.unit }),
    interval: own.interval,
    no_interval: own.noInterval,
  }));
}

function byField(overall: readonly MeasureValue[], fields: (own: MeasureValue) => Fields): Record<string, Fields> {
  const found: Record<string, Fields> = {};
  for (const { metric, title, measure, direction } of DOCUMENT_METRICS) {
    const own = overall.find(({ name }) => name === measure);
    found[metricField(measure)] = {
      metric,
      name: measure,
      title,
      ...(own === undefined ? absent(direction) : fields(own)),
    };
  }
  for (const own of overall)
    found[metricField(own.name)] ??= { metric: metricNumber(own.name), name: own.name, ...fields(own) };
  return found;
}

function absent(direction: 'higher' | 'lower'): Fields {
  const why = 'the recipe does not measure it';
  return { value: null, undefined: why, n: 0, direction, interval: null, no_interval: why };
}
