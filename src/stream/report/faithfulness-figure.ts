import {
  casesNote,
  drawable,
  drawn,
  emptyPlot,
  type Estimate,
  estimateText,
  extent,
  intervalNote,
  leftOutNote,
  missingNote,
  MOST_SERIES,
  NO_CLAIM,
  singleLine,
  type Panel,
  plot,
  type PointMark,
  seriesLook,
  valueAxis,
  withoutValue,
} from '../../report.ts';
import { estimateOf, type VariantValues } from './variant-values.ts';

interface FaithfulnessData {
  readonly variants: readonly FaithfulnessVariant[];
  readonly notes?: readonly string[];
}

type OfEach<T> = Readonly<Record<keyof typeof MEASURES, T>>;

interface FaithfulnessVariant extends OfEach<Estimate> {
  readonly name: string;
  readonly cases: readonly OfEach<number | null>[];
}

const MEASURES = {
  compression: 'compression_ratio',
  inWindow: 'unsupported_in_window',
  inContract: 'unsupported_in_contract',
} as const;

/** Compression and unsupported shares of measured variants, over all and case by case. */
export function faithfulnessData(variants: readonly VariantValues[], notes: readonly string[] = []): FaithfulnessData {
  const ofEach = <T>(valueOf: (measure: string) => T): OfEach<T> => ({
    compression: valueOf(MEASURES.compression),
    inWindow: valueOf(MEASURES.inWindow),
    inContract: valueOf(MEASURES.inContract),
  });
  return {
    notes,
    variants: variants.map((variant) => ({
      name: variant.name,
      ...ofEach((measure) => estimateOf(variant, measure)),
      cases: variant.cases.map(({ measures }) => ofEach((measure) => measures[measure] ?? null)),
    })),
  };
}

const HEAD = { id: 'faithfulness', title: 'Faithfulness against compression' };
const PANELS = [
  { field: 'inWindow', name: 'unsupported in window' },
  { field: 'inContract', name: 'unsupported in contract' },
] as const;
const LOWER = '(lower is better)';
const MEANING =
  'Unsupported: mean share of a summary’s concepts that are not in its window (contract: nor in the summary before it). Lower is better.';

/** Cases drawn for each variant; more would be a cloud, and a file too large to open. */
const MOST_CASES = 300;

/** What compression costs: unsupported concepts against the compression ratio, one large sign a variant. */
export function faithfulnessFigure(data: FaithfulnessData, width?: number): string {
  const variants = data.variants
    .slice(0, MOST_SERIES)
    .map((variant) => ({ ...variant, name: singleLine(variant.name), cases: variant.cases.slice(0, MOST_CASES) }));
  const all = variants.flatMap((variant) => [
    { name: `${variant.name} compression ratio`, estimate: variant.compression },
    ...PANELS.map(({ field, name }) => ({ name: `${variant.name} ${name}`, estimate: variant[field] })),
  ]);
  const missing = withoutValue(all);
  const most = Math.max(0, ...data.variants.map(({ cases }) => cases.length));
  const notes = [
    ...leftOutNote(data.variants.length, variants.length, 'variants'),
    ...leftOutNote(most, MOST_CASES, 'cases of a variant'),
    ...(data.notes ?? []),
    NO_CLAIM,
  ];
  const panels = PANELS.map((panel) => panelOf(variants, panel));
  if (panels.every((panel) => panel === null)) {
    const why = missing === null ? 'there are no runs' : `there is no value for ${missing}`;
    return emptyPlot({ width, ...HEAD, why, notes: ['No interval, n = 0.', MEANING, ...notes] });
  }
  return plot({
    width,
    ...HEAD,
    about: `${MEANING} ${all.map(({ name, estimate }) => `${name}: ${estimateText(estimate)}.`).join(' ')} ${NO_CLAIM}`,
    parts: panels.map((panel, at) => panel ?? `No variant has a value for ${PANELS[at]!.name}.`),
    legend: '↘ better',
    notes: [
      MEANING,
      intervalNote(all.map(({ estimate }) => estimate)),
      casesNote(
        variants.map((one) => ({ name: one.name, estimates: [one.compression, one.inWindow, one.inContract] })),
      ),
      ...missingNote(missing),
      'The axes need not begin at 0.',
      ...notes,
    ],
  });
}

/** Compression to the right, unsupported upwards, so that the better corner is below on the right. */
function panelOf(variants: readonly FaithfulnessVariant[], { field, name }: (typeof PANELS)[number]): Panel | null {
  const [cases, points]: [PointMark[], PointMark[]] = [[], []];
  for (const [at, variant] of variants.entries()) {
    const [x, y] = [drawn(variant.compression), drawn(variant[field])];
    if (x === null || y === null) continue;
    const look = { mark: 'point', ...seriesLook(at) } as const;
    for (const { compression: ratio, [field]: share } of variant.cases)
      if (drawable(ratio) && drawable(share))
        cases.push({ ...look, x: ratio, y: share, hollow: true, size: 1.8, opacity: 0.4, key: 'small: one case' });
    const title = `${variant.name}: compression ${estimateText(variant.compression)}; unsupported ${estimateText(variant[field])} ${LOWER}`;
    const intervals = { xInterval: x.interval, yInterval: y.interval };
    points.push({
      ...look,
      x: x.value,
      y: y.value,
      ...intervals,
      size: 4,
      title,
      name: variant.name,
      key: variant.name,
    });
  }
  if (points.length === 0) return null;
  const marks = [...cases, ...points];
  return {
    height: 140,
    // Summaries longer than the trace make the ratio negative.
    x: { ...valueAxis(extent(marks, 'x'), 5, [-Infinity, 1]), title: 'compression ratio (higher is better)' },
    y: { ...valueAxis(extent(marks, 'y'), 4, [0, 1]), title: `${name} ${LOWER}`, grid: true },
    names: 'beside',
    marks,
  };
}
