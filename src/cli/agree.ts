import { InputError, safeJson, sourceOf, UsageError } from '../plugin.ts';
import { MOST_RESAMPLES } from '../stats.ts';
import { agree, agreementDocument, numberOf } from '../report.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';

const FLAGS = {
  item: flag.string('<column>', 'column that names the item (wide: the first)'),
  raters: names('<names>', 'raters to compare, separated by commas (wide: the other columns)'),
  rater: flag.string('<column>', 'long: column that names the rater'),
  label: flag.string('<column>', 'long: column of the rating'),
  by: flag.string('<column>', 'column to report results by, one for each value (default: dimension)'),
  scale: flag.choice(['nominal', 'ordinal', 'interval', 'ratio'], '<scale>', 'scale of the ratings (default: nominal)'),
  weights: flag.choice(
    ['none', 'linear', 'quadratic'],
    '<weights>',
    "weights of Cohen's kappa (default: none; quadratic on an ordinal scale)",
  ),
  categories: names('<names>', 'all categories, from low to high, separated by commas'),
  range: range('<low..high>', 'range of numeric ratings, such as 1..5'),
  quorum: number('<votes>', 'votes that a label needs (default: more than half of the ratings, at least 2)'),
  match: flag.choice(['exact', 'overlap', 'iou'], '<how>', 'spans: when two are the same (default: exact)'),
  threshold: number('<share>', 'spans: threshold of --match iou (default: 0.5)'),
  offsets: flag.choice(['codepoint', 'utf16', 'byte'], '<unit>', 'spans: unit of offsets'),
  target: number('<value>', 'value that the coefficients should exceed; reports whether their intervals do'),
  level: flag.fraction('<share>', 'confidence level of the intervals (default: 0.95)'),
  resamples: flag.integer('<number>', 'number of bootstrap resamples (default: 10000)', {
    from: 1,
    to: MOST_RESAMPLES,
  }),
  seed: flag.integer('<number>', 'seed of the bootstrap (default: 42)', { from: 0, to: 0xffffffff }),
  out: flag.outputFile('JSON file to write, every item with its votes'),
  json: flag.JSON,
};

export default command({
  name: 'agree',
  arguments: {
    file: {
      ...flag.argument('ratings (CSV or JSON, wide or long) or documents with spans by annotator; - is standard input'),
      file: 'read',
    },
  },
  flags: FLAGS,
  help: `
Wide: a row per item, a column per rater. Long: a row per rating, with the
columns item, rater and label (or rating, or value). An empty cell, NA, N/A,
NaN and null are missing ratings.

Examples:
  $ assay agree experts.csv
  $ assay agree claims.csv --raters ann1,ann2 --target 0.75
  $ assay agree likert.csv --scale ordinal --range 1..5 --by dimension
  $ assay agree experts.csv --quorum 2 --out agreement.json
  $ assay agree docs.json --match iou --threshold 0.5`,
  async run({ file, json: _, out: __, ...options }) {
    const report = await agree(sourceOf(file), options).catch((error: unknown) => {
      throw withKnownOptions(error);
    });
    return { document: () => agreementDocument(report), json: () => safeJson(report) };
  },
});

/** Readers that other commands share advise options of those: here each is the one that agree has for it, or left out. */
function withKnownOptions(error: unknown): unknown {
  const advice = (next: string): string =>
    next
      .replaceAll('--set data.offsets=', '--offsets ')
      .split(/(?<=[;?]) /)
      .filter((part) => [...part.matchAll(/--[a-z-]+/g)].every(([option]) => Object.hasOwn(FLAGS, option.slice(2))))
      .join(' ')
      .replace(/;$/, '');
  if (error instanceof InputError) {
    const problems = error.problems.map(({ next = '', ...problem }) => {
      const own = advice(next);
      return own === '' ? problem : { ...problem, next: own };
    });
    return new InputError(problems, error.total);
  }
  if (error instanceof UsageError && error.next !== null)
    return new UsageError(error.message, advice(error.next) || null);
  return error;
}

function number(value: string, about: string): flag.Flag<number | undefined> {
  return {
    value,
    about,
    read(written, name) {
      const parsed = numberOf(written.trim());
      if (parsed === null) throw new UsageError(`${name} ${written}: expected a number`);
      return parsed;
    },
  };
}

function names(value: string, about: string): flag.Flag<readonly string[] | undefined> {
  return {
    value,
    about,
    read(written, name) {
      const list = written.split(',').map((word) => word.trim());
      const repeated = list.find((word, at) => list.indexOf(word) !== at);
      if (list.includes('')) throw new UsageError(`${name} ${written}: expected names separated by commas`);
      if (repeated !== undefined) throw new UsageError(`${name} ${written}: ${repeated} occurs twice`);
      return list;
    },
  };
}

function range(value: string, about: string): flag.Flag<{ readonly low: number; readonly high: number } | undefined> {
  return {
    value,
    about,
    read(written, name) {
      const [low, high, ...more] = written.split('..').map((part) => numberOf(part.trim()));
      if (low == null || high == null || more.length > 0 || low > high)
        throw new UsageError(`${name} ${written}: expected two numbers, the lower first`, `for example ${name} 1..5`);
      return { low, high };
    },
  };
}
