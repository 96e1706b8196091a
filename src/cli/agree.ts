import { Command, Option } from 'commander';

import { holdsSpans, readAnnotations } from '../review/agreement/annotations.ts';
import { InputError, UsageError } from '../data/problems.ts';
import { numberOf } from '../review/agreement/rating-value.ts';
import { readRatings } from '../review/agreement/ratings.ts';
import { peekTable } from '../data/records.ts';
import { hashedSource, reopenable, type Source, sourceOf } from '../data/source.ts';
import { agreementDocument } from '../report/agreement.ts';
import { fileNotes } from '../report/agreement-file-notes.ts';
import { type AgreementReport, ratingsResult, spansReport } from '../report/agreement-report.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { safeJson } from '../report/safe-json.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { VERSION } from '../score/version.ts';
import type { AlphaMetric } from '../stats/agreement/krippendorff-alpha.ts';
import type { KappaWeights } from '../stats/agreement/cohen-kappa.ts';
import type { SpanF1Options } from '../stats/agreement/pairwise-span-f1.ts';
import { resampleSettings, type ResampleSettings } from '../stats/resample-settings.ts';
import type { OffsetUnit } from '../text/offsets.ts';
import { refusePlaces, writeWhole } from './write-whole.ts';

interface AgreeFlags {
  readonly item?: string;
  readonly rater?: string;
  readonly label?: string;
  readonly raters?: string;
  readonly by?: string;
  readonly scale?: AlphaMetric;
  readonly weights?: KappaWeights;
  readonly categories?: string;
  readonly range?: string;
  readonly quorum?: string;
  readonly match?: NonNullable<SpanF1Options['match']>;
  readonly threshold?: string;
  readonly offsets?: OffsetUnit;
  readonly target?: string;
  readonly level?: string;
  readonly resamples?: string;
  readonly seed?: string;
  readonly out?: string;
  readonly json?: boolean;
}

const FOR_RATINGS = [
  'item',
  'rater',
  'label',
  'raters',
  'by',
  'scale',
  'weights',
  'categories',
  'range',
  'quorum',
] as const;
const FOR_SPANS = ['match', 'threshold', 'offsets'] as const;

export function agreeCommand(): Command {
  return new Command('agree')
    .argument('<file>', 'ratings (CSV or JSON, wide or long) or documents with spans by annotator; - is standard input')
    .option('--item <column>', 'which column names the item (wide: the first)')
    .option('--raters <names>', 'whom to compare, with commas between (wide: the other columns)')
    .option('--rater <column>', 'long: which column names the rater')
    .option('--label <column>', 'long: which column holds the rating')
    .option('--by <column>', 'one result for each value of this column (usual: dimension)')
    .addOption(
      new Option('--scale <scale>', 'what the ratings are (default: nominal)').choices([
        'nominal',
        'ordinal',
        'interval',
        'ratio',
      ]),
    )
    .addOption(
      new Option('--weights <weights>', "of Cohen's kappa (default: none; quadratic on an ordinal scale)").choices([
        'none',
        'linear',
        'quadratic',
      ]),
    )
    .option('--categories <names>', 'all categories, from low to high, with commas between')
    .option('--range <low..high>', 'ratings are numbers in this range, such as 1..5')
    .option('--quorum <votes>', 'votes a label needs (default: more than half of the ratings given, at least 2)')
    .addOption(
      new Option('--match <how>', 'spans: when two are the same (default: exact)').choices(['exact', 'overlap', 'iou']),
    )
    .option('--threshold <share>', 'spans: for --match iou (default: 0.5)')
    .addOption(new Option('--offsets <unit>', 'spans: unit of offsets').choices(['codepoint', 'utf16', 'byte']))
    .option('--target <value>', 'says whether the coefficients are above it, as sure as the interval is')
    .option('--level <share>', 'level of the intervals (default: 0.95)')
    .option('--resamples <number>', 'bootstrap resamples (default: 10000)')
    .option('--seed <number>', 'of the bootstrap (default: 42)')
    .option('--out <file>', 'write everything as JSON, every item with its votes')
    .option('--json', 'print that JSON on standard output, everything else on standard error')
    .addHelpText(
      'after',
      `
Wide: a row per item, a column per rater. Long: a row per rating, with the
columns item, rater and label (or rating, or value). An empty cell, NA, N/A,
NaN and null are missing ratings.

Examples:
  $ assay agree experts.csv
  $ assay agree claims.csv --raters ann1,ann2 --target 0.75
  $ assay agree likert.csv --scale ordinal --range 1..5 --by dimension
  $ assay agree experts.csv --quorum 2 --out agreement.json
  $ assay agree docs.json --match iou --threshold 0.5`,
    )
    .action(async (path: string, flags: AgreeFlags, command: Command) => {
      const known = command.options.map(({ long }) => long);
      await agree(path, flags).catch((error: unknown) => {
        throw withKnownOptions(error, known);
      });
    });
}

/** Readers that other commands share advise options of those: here each is the one that agree has for it, or left out. */
function withKnownOptions(error: unknown, known: readonly (string | undefined)[]): unknown {
  const advice = (next: string): string =>
    next
      .replaceAll('--set data.offsets=', '--offsets ')
      .split(/(?<=[;?]) /)
      .filter((part) => [...part.matchAll(/--[a-z-]+/g)].every(([option]) => known.includes(option)))
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

async function agree(path: string, flags: AgreeFlags): Promise<void> {
  const settings = resampleSettings({
    ...numberFlag('level', flags.level),
    ...numberFlag('resamples', flags.resamples),
    ...numberFlag('seed', flags.seed),
  });
  refusePlaces([
    ['the ratings', path === '-' ? undefined : path],
    ['--out', flags.out],
  ]);
  const { source, digest } = hashedSource(await reopenable(sourceOf(path)));
  const { kind, names } = await peekTable(source);
  const isSpans = holdsSpans(kind, names);
  refuseMisfits(flags, isSpans ? FOR_RATINGS : FOR_SPANS, isSpans ? 'documents with spans' : 'ratings');
  const found = await (isSpans ? ofSpans : ofRatings)(source, flags, settings);
  const report: AgreementReport = {
    assay: VERSION,
    file: { name: source.name, ...digest() },
    resampling: { ...settings, over: isSpans ? 'document' : 'item' },
    ...found,
  };
  const json = safeJson(report);
  if (flags.out !== undefined) writeWhole(flags.out, json, '--out');
  if (flags.json === true) process.stdout.write(json);
  const stream = flags.json === true ? process.stderr : process.stdout;
  stream.write(renderTerminal(agreementDocument(report), terminalStyle(stream)));
}

type Found = Pick<AgreementReport, 'raters' | 'notes' | 'ratings' | 'spans'>;

async function ofRatings(source: Source, flags: AgreeFlags, settings: ResampleSettings): Promise<Found> {
  const { item, rater, label, by, scale = 'nominal' } = flags;
  const raters = namesFlag('raters', flags.raters);
  const categories = namesFlag('categories', flags.categories);
  const quorum = numberFlag('quorum', flags.quorum);
  const target = numberFlag('target', flags.target).target ?? null;
  const file = await readRatings(source, {
    ...(item === undefined ? {} : { item }),
    ...(rater === undefined ? {} : { rater }),
    ...(label === undefined ? {} : { label }),
    ...(by === undefined ? {} : { by }),
    ...raters,
    ...categories,
    ...rangeFlag(flags.range),
    ...(scale === 'interval' ? { numbers: 'any' } : scale === 'ratio' ? { numbers: 'from-0' } : {}),
  });
  const results = file.groups.map((group) =>
    ratingsResult(
      group,
      file.raters,
      {
        ...settings,
        ...quorum,
        scale,
        ...(flags.weights === undefined ? {} : { weights: flags.weights }),
        ...(categories.categories === undefined
          ? {}
          : { categories: categories.categories.map((one) => (file.numbers ? (numberOf(one) ?? one) : one)) }),
      },
      target,
    ),
  );
  return {
    raters: file.raters,
    notes: fileNotes(file, { scaleGiven: flags.scale !== undefined, categoriesGiven: flags.categories !== undefined }),
    spans: null,
    ratings: {
      layout: file.layout.kind,
      scale,
      weights: results[0]?.weights ?? 'none',
      target,
      quorum: quorum.quorum ?? null,
      by: file.layout.by,
      missing: file.missing,
      results,
    },
  };
}

async function ofSpans(source: Source, flags: AgreeFlags, settings: ResampleSettings): Promise<Found> {
  const { match, offsets } = flags;
  const threshold = numberFlag('threshold', flags.threshold);
  if (threshold.threshold !== undefined && match !== 'iou')
    throw new UsageError('--threshold is the overlap that --match iou asks for', 'add --match iou');
  const { annotators, documents } = await readAnnotations(source, offsets === undefined ? {} : { offsets });
  const options = { ...settings, ...threshold, ...(match === undefined ? {} : { match }) };
  const target = numberFlag('target', flags.target).target ?? null;
  return { raters: annotators, notes: [], ratings: null, spans: spansReport(documents, annotators, options, target) };
}

function refuseMisfits(flags: AgreeFlags, misfits: readonly (keyof AgreeFlags)[], holds: string): void {
  const given = misfits.filter((flag) => flags[flag] !== undefined);
  if (given.length > 0)
    throw new UsageError(
      `${given.map((flag) => `--${flag}`).join(', ')}: the file holds ${holds}, for which there is no such setting`,
    );
}

function numberFlag<Name extends string>(name: Name, text: string | undefined): Partial<Record<Name, number>> {
  if (text === undefined) return {};
  const value = numberOf(text.trim());
  if (value === null) throw new UsageError(`--${name} ${text}: expected a number`);
  const found: Partial<Record<string, number>> = { [name]: value };
  return found;
}

function namesFlag<Name extends string>(name: Name, text: string | undefined): Partial<Record<Name, string[]>> {
  if (text === undefined) return {};
  const names = text.split(',').map((one) => one.trim());
  const repeated = names.find((one, at) => names.indexOf(one) !== at);
  if (names.includes('')) throw new UsageError(`--${name} ${text}: expected names with commas between`);
  if (repeated !== undefined) throw new UsageError(`--${name} ${text}: ${repeated} is there twice`);
  const found: Partial<Record<string, string[]>> = { [name]: names };
  return found;
}

function rangeFlag(text: string | undefined): { range?: { low: number; high: number } } {
  if (text === undefined) return {};
  const [low, high, ...more] = text.split('..').map((part) => numberOf(part.trim()));
  if (low == null || high == null || more.length > 0 || low > high)
    throw new UsageError(`--range ${text}: expected two numbers, the lower first`, 'for example --range 1..5');
  return { range: { low, high } };
}
