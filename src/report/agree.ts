import { UsageError } from '../data/problems.ts';
import { peekTable } from '../data/record-table.ts';
import { hashedSource, reopenable, type Source } from '../data/source.ts';
import { holdsSpans, readAnnotations } from '../review/agreement/annotations.ts';
import { numberOf } from '../review/agreement/rating-value.ts';
import { readRatings } from '../review/agreement/ratings.ts';
import { defined } from '../experiment/defined.ts';
import { VERSION } from '../score/version.ts';
import { type ResampleSettings, resampleSettings } from '../stats/resample-settings.ts';
import { type AgreementReport, fileNotes, ratingsResult, spansReport } from './agreement-report.ts';

type RatingsOptions = NonNullable<Parameters<typeof readRatings>[1]>;
type RatingsFile = Parameters<typeof ratingsResult>[2];

/** How the file is read, and what is worked out; each is left out for its default. */
export interface AgreeOptions
  extends
    Partial<ResampleSettings>,
    Pick<RatingsOptions, 'item' | 'rater' | 'label' | 'by' | 'raters' | 'categories' | 'range'>,
    Pick<RatingsFile, 'scale' | 'quorum' | 'weights'>,
    Pick<Parameters<typeof spansReport>[2], 'match' | 'threshold'>,
    NonNullable<Parameters<typeof readAnnotations>[1]> {
  /** What the coefficients should exceed. */
  readonly target?: number;
}

/** Settings of the two kinds of files. */
const FOR_RATINGS = ['item', 'raters', 'rater', 'label', 'by', 'scale', 'weights', 'categories', 'range', 'quorum'];
const FOR_SPANS = ['match', 'threshold', 'offsets'];

/** How far raters agree, in a file of ratings or of documents with the spans of several annotators. */
export async function agree(given: Source, options: AgreeOptions = {}): Promise<AgreementReport> {
  const { level, resamples, seed } = options;
  const settings = resampleSettings(defined({ level, resamples, seed }));
  const { source, digest } = hashedSource(await reopenable(given));
  const { kind, names: columns } = await peekTable(source);
  const isSpans = holdsSpans(kind, columns);
  const misfits = Object.keys(options).filter((key) => (isSpans ? FOR_RATINGS : FOR_SPANS).includes(key));
  if (misfits.length > 0)
    throw new UsageError(
      `${misfits.map((key) => `--${key}`).join(', ')}: the file has ${isSpans ? 'documents with spans' : 'ratings'}, for which there is no such setting`,
    );
  return {
    assay: VERSION,
    file: { name: source.name, ...digest() },
    resampling: { ...settings, over: isSpans ? 'document' : 'item' },
    ...(await (isSpans ? ofSpans : ofRatings)(source, options, settings)),
  };
}

type Part = Pick<AgreementReport, 'raters' | 'notes' | 'ratings' | 'spans'>;

async function ofRatings(source: Source, given: AgreeOptions, settings: ResampleSettings): Promise<Part> {
  const { item, rater, label, by, scale = 'nominal', raters, categories, quorum, weights, target = null } = given;
  const file = await readRatings(source, {
    ...defined({ item, rater, label, by, raters, categories, range: given.range }),
    ...(scale === 'interval' ? { numbers: 'any' } : scale === 'ratio' ? { numbers: 'from-0' } : {}),
  });
  const values = categories?.map((name) => (file.numbers ? (numberOf(name) ?? name) : name));
  const options = { ...settings, ...defined({ quorum, weights, categories: values }), scale };
  const results = file.groups.map((group) => ratingsResult(group, file.raters, options, target));
  return {
    raters: file.raters,
    notes: fileNotes(file, { scaleGiven: given.scale !== undefined, categoriesGiven: categories !== undefined }),
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

async function ofSpans(source: Source, given: AgreeOptions, settings: ResampleSettings): Promise<Part> {
  const { match, offsets, threshold, target = null } = given;
  if (threshold !== undefined && match !== 'iou')
    throw new UsageError('--threshold is the overlap that --match iou asks for', 'add --match iou');
  const { annotators, documents } = await readAnnotations(source, defined({ offsets }));
  const options = { ...settings, ...defined({ threshold, match }) };
  return { raters: annotators, notes: [], ratings: null, spans: spansReport(documents, annotators, options, target) };
}
