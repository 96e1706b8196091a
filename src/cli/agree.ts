import { holdsSpans, readAnnotations } from '../review/agreement/annotations.ts';
import { InputError, UsageError } from '../data/problems.ts';
import { numberOf } from '../review/agreement/rating-value.ts';
import { readRatings } from '../review/agreement/ratings.ts';
import { peekTable } from '../data/records.ts';
import { hashedSource, reopenable, type Source, sourceOf } from '../data/source.ts';
import { agreementDocument } from '../report/agreement.ts';
import { type AgreementReport, fileNotes, ratingsResult, spansReport } from '../report/agreement-report.ts';
import { safeJson } from '../report/safe-json.ts';
import { VERSION } from '../score/version.ts';
import { MOST_RESAMPLES, resampleSettings, type ResampleSettings } from '../stats/resample-settings.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';

const FOR_RATINGS = {
  item: flag.text('<column>', 'column that names the item (wide: the first)'),
  raters: names('<names>', 'raters to compare, separated by commas (wide: the other columns)'),
  rater: flag.text('<column>', 'long: column that names the rater'),
  label: flag.text('<column>', 'long: column of the rating'),
  by: flag.text('<column>', 'column to report results by, one for each value (default: dimension)'),
  scale: flag.oneOf(['nominal', 'ordinal', 'interval', 'ratio'], '<scale>', 'scale of the ratings (default: nominal)'),
  weights: flag.oneOf(
    ['none', 'linear', 'quadratic'],
    '<weights>',
    "weights of Cohen's kappa (default: none; quadratic on an ordinal scale)",
  ),
  categories: names('<names>', 'all categories, from low to high, separated by commas'),
  range: range('<low..high>', 'range of numeric ratings, such as 1..5'),
  quorum: number('<votes>', 'votes that a label needs (default: more than half of the ratings, at least 2)'),
};

const FOR_SPANS = {
  match: flag.oneOf(['exact', 'overlap', 'iou'], '<how>', 'spans: when two are the same (default: exact)'),
  threshold: number('<share>', 'spans: threshold of --match iou (default: 0.5)'),
  offsets: flag.oneOf(['codepoint', 'utf16', 'byte'], '<unit>', 'spans: unit of offsets'),
};

const FLAGS = {
  ...FOR_RATINGS,
  ...FOR_SPANS,
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

type AgreeFlags = flag.FlagValues<typeof FLAGS>;

export const agreeCommand = command({
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
  async run({ file, ...flags }) {
    const report = await agreement(file, flags).catch((error: unknown) => {
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

async function agreement(path: string, flags: AgreeFlags): Promise<AgreementReport> {
  const { level, resamples, seed } = flags;
  const settings = resampleSettings(flag.defined({ level, resamples, seed }));
  const { source, digest } = hashedSource(await reopenable(sourceOf(path)));
  const { kind, names: columns } = await peekTable(source);
  const isSpans = holdsSpans(kind, columns);
  refuseMisfits(flags, isSpans ? FOR_RATINGS : FOR_SPANS, isSpans ? 'documents with spans' : 'ratings');
  return {
    assay: VERSION,
    file: { name: source.name, ...digest() },
    resampling: { ...settings, over: isSpans ? 'document' : 'item' },
    ...(await (isSpans ? ofSpans : ofRatings)(source, flags, settings)),
  };
}

type Agreement = Pick<AgreementReport, 'raters' | 'notes' | 'ratings' | 'spans'>;

async function ofRatings(source: Source, flags: AgreeFlags, settings: ResampleSettings): Promise<Agreement> {
  const { item, rater, label, by, scale = 'nominal', raters, categories, quorum, weights, target = null } = flags;
  const file = await readRatings(source, {
    ...flag.defined({ item, rater, label, by, raters, categories, range: flags.range }),
    ...(scale === 'interval' ? { numbers: 'any' } : scale === 'ratio' ? { numbers: 'from-0' } : {}),
  });
  const values = categories?.map((name) => (file.numbers ? (numberOf(name) ?? name) : name));
  const options = { ...settings, ...flag.defined({ quorum, weights, categories: values }), scale };
  const results = file.groups.map((group) => ratingsResult(group, file.raters, options, target));
  return {
    raters: file.raters,
    notes: fileNotes(file, { scaleGiven: flags.scale !== undefined, categoriesGiven: categories !== undefined }),
    spans: null,
    ratings: {
      layout: file.layout.kind,
      scale,
      weights: results[0]?.weights ?? 'none',
      target,
      quorum: quorum ?? null,
      by: file.layout.by,
      missing: file.missing,
      results,
    },
  };
}

async function ofSpans(source: Source, flags: AgreeFlags, settings: ResampleSettings): Promise<Agreement> {
  const { match, offsets, threshold, target = null } = flags;
  if (threshold !== undefined && match !== 'iou')
    throw new UsageError('--threshold is the overlap that --match iou asks for', 'add --match iou');
  const { annotators, documents } = await readAnnotations(source, flag.defined({ offsets }));
  const options = { ...settings, ...flag.defined({ threshold, match }) };
  return { raters: annotators, notes: [], ratings: null, spans: spansReport(documents, annotators, options, target) };
}

function refuseMisfits(flags: AgreeFlags, misfits: object, holds: string): void {
  const written = Object.keys(flags).filter((key) => Object.hasOwn(misfits, key));
  if (written.length > 0)
    throw new UsageError(
      `${written.map((key) => `--${key}`).join(', ')}: the file has ${holds}, for which there is no such setting`,
    );
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
