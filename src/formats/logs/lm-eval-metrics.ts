import type { Fields } from '../../data/item.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import type { Direction } from '../../measure/measure.ts';
import type { ReportedValue } from '../../recipe/plan.ts';
import { entriesOf, finiteNumber, keptFields, measureName, recordOf, wordOf } from './log-text.ts';
import type { ScoreFacts } from './score-log.ts';

/** The filter of a task that has none. */
export const NO_FILTER = 'none';
/** The column that the samples of several tasks are sliced by. */
export const TASK_COLUMN = 'task';

/** `acc`, or `exact_match/strict-match` under a filter. */
export function filteredName(metric: string, filter: string): string | null {
  return measureName(filter === NO_FILTER ? metric : `${metric}/${filter}`);
}

/** Metrics that lm-eval makes of all documents together, by default: the numbers of single ones are not what is averaged. */
const NOT_MEANS = new Set(
  'perplexity word_perplexity byte_perplexity bits_per_byte f1 mcc bleu chrf ter brier_score bypass'.split(' '),
);
const MEANS = new Set(['mean', 'nanmean']);

/** What two tasks say of a score of the same name. */
export function joinedFacts(a: ScoreFacts, b: ScoreFacts): ScoreFacts {
  const direction = a.direction === b.direction ? a.direction : null;
  return { ...a, ...b, direction, settings: { ...a.settings, ...b.settings } };
}

export function metricFacts(metric: string, value: unknown, task: string | null, results: Fields): ScoreFacts {
  const name = task ?? Object.keys(recordOf(results['results']))[0] ?? '';
  const config = recordOf(recordOf(results['configs'])[name]);
  const list = entriesOf(config['metric_list']).filter(isRecord);
  const own = list.find((one) => one['metric'] === metric) ?? {};
  const aggregation = wordOf(own['aggregation']) ?? (NOT_MEANS.has(metric) ? metric : 'mean');
  const isNumber = typeof value === 'boolean' || finiteNumber(value) !== null;
  const leftOut = !isNumber
    ? `a document has ${describe(value)} for it, not one number`
    : MEANS.has(aggregation)
      ? null
      : `lm-eval does not average it over documents (${aggregation})`;
  return {
    direction: directionOf(recordOf(recordOf(results['higher_is_better'])[name])[metric] ?? own['higher_is_better']),
    settings: keptFields({
      [task ?? 'task']: {
        version: recordOf(results['versions'])[name] ?? null,
        shots: recordOf(results['n-shot'])[name] ?? null,
        aggregation,
      },
    }),
    ...(metric.startsWith('acc') || metric === 'exact_match' ? { binary: true } : {}),
    ...(leftOut === null ? {} : { leftOut }),
  };
}

function directionOf(higher: unknown): Direction | null {
  return typeof higher === 'boolean' ? (higher ? 'higher' : 'lower') : null;
}

/** The means of one task as the results file states them. */
export function taskMeans(
  task: string,
  isOne: boolean,
  results: Fields,
  facts: ReadonlyMap<string, ScoreFacts>,
): ReportedValue[] {
  const own = recordOf(recordOf(results['results'])[task]);
  const n = own['sample_len'];
  return Object.entries(own).flatMap(([key, given]): ReportedValue[] => {
    const [metric = '', filter = NO_FILTER] = key.split(',');
    const name = filteredName(metric, filter);
    const value = typeof given === 'number' ? finiteNumber(given) : null;
    const known = name === null ? undefined : facts.get(name);
    if (known === undefined || known.leftOut !== undefined || value === null) return [];
    return [
      {
        score: name!,
        metric: key,
        value,
        n: typeof n === 'number' ? n : null,
        ...(isOne ? {} : { slice: { [TASK_COLUMN]: task } }),
      },
    ];
  });
}
