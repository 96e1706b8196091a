import {
  type Axis,
  casesNote,
  drawable,
  drawn,
  emptyPlot,
  type Estimate,
  estimateText,
  extent,
  intervalNote,
  leftOutNote,
  type Mark,
  missingNote,
  MOST_SERIES,
  NO_CLAIM,
  singleLine,
  plot,
  type PointMark,
  seriesLook,
  tickText,
  valueAxis,
  withoutValue,
} from '../../report.ts';
import { estimateOf, type VariantValues } from './variant-values.ts';

interface CoverageData {
  readonly variants: readonly CoverageVariant[];
  readonly notes?: readonly string[];
}

interface CoverageVariant {
  readonly name: string;
  /** By budget, rising. */
  readonly points: readonly { readonly budget: number; readonly coverage: Estimate }[];
}

const MEASURE = /^coverage_at_([1-9][0-9]{0,8})$/;

/** The coverage of measured variants at every budget that one of them has. */
export function coverageData(variants: readonly VariantValues[], notes: readonly string[] = []): CoverageData {
  const found = variants.flatMap(({ measures }) => measures.map(({ name }) => Number(MEASURE.exec(name)?.[1] ?? 0)));
  const budgets = [...new Set(found)].filter((budget) => budget > 0).sort((a, b) => a - b);
  return {
    notes,
    variants: variants.map((variant) => ({
      name: variant.name,
      points: budgets.map((budget) => ({ budget, coverage: estimateOf(variant, `coverage_at_${budget}`) })),
    })),
  };
}

const HEAD = { id: 'coverage', title: 'Coverage against budget' };
const MEANING = 'Coverage: share of the trace’s concepts named by the summaries, read up to the budget.';

/** How much of the trace's concepts the summaries hold when only so much of them is read; one line a variant. */
export function coverageFigure(data: CoverageData, width?: number): string {
  const variants = data.variants.slice(0, MOST_SERIES).map(({ name, points }) => ({
    name: singleLine(name),
    points: points.filter(({ budget }) => drawable(budget)),
  }));
  const all = variants.flatMap(({ name, points }) =>
    points.map(({ budget, coverage }) => ({ name: `${name} at ${budget} CTU`, estimate: coverage })),
  );
  const missing = withoutValue(all);
  const notes = [...leftOutNote(data.variants.length, variants.length, 'variants'), ...(data.notes ?? []), NO_CLAIM];
  const marks = variants.flatMap((variant, at) => variantMarks(variant, at, variants.length));
  if (all.every(({ estimate }) => drawn(estimate) === null)) {
    const why = missing === null ? 'no run has coverage by budget' : `there is no value for ${missing}`;
    return emptyPlot({ width, ...HEAD, why, notes: ['No interval, n = 0.', ...notes] });
  }
  const cases = variants.map(({ name, points }) => ({ name, estimates: points.map(({ coverage }) => coverage) }));
  return plot({
    width,
    ...HEAD,
    about: `${MEANING} ${all.map(({ name, estimate }) => `${name}: ${estimateText(estimate)}.`).join(' ')} ${NO_CLAIM}`,
    parts: [
      {
        height: 170,
        x: budgetAxis(variants),
        y: {
          ...valueAxis([0, ...extent(marks, 'y')], 5, [0, 1]),
          title: 'mean coverage (higher is better)',
          grid: true,
        },
        names: 'column',
        marks,
      },
    ],
    notes: [
      MEANING,
      intervalNote(all.map(({ estimate }) => estimate)),
      casesNote(cases),
      ...missingNote(missing),
      ...notes,
    ],
  });
}

/** Room at both ends for the lines that are beside one another. */
const SIDE = 20;

function budgetAxis(variants: readonly CoverageVariant[]): Axis {
  const budgets = [...new Set(variants.flatMap(({ points }) => points.map(({ budget }) => budget)))];
  budgets.sort((a, b) => a - b);
  const [low, high, isLog] = [budgets[0]!, budgets.at(-1)!, budgets[0]! > 0];
  return {
    // One budget is in the middle.
    ends: low < high ? [low, high] : isLog ? [low / 2, low * 2] : [low - 1, low + 1],
    ticks: budgets.map((value) => ({ value, text: tickText(value, 1) })),
    title: isLog ? 'budget (CTU, log scale)' : 'budget (CTU)',
    isLog,
    inset: SIDE,
  };
}

/** Moved a little aside, so that the intervals of several variants do not hide one another. */
function variantMarks({ name, points }: CoverageVariant, at: number, of: number): Mark[] {
  const look = seriesLook(at);
  const dx = (at - (of - 1) / 2) * Math.min(6, (1.5 * SIDE) / Math.max(1, of - 1));
  const places = points.map(({ budget, coverage }): PointMark | null => {
    const shown = drawn(coverage);
    if (shown === null) return null;
    const title = `${name} at ${budget} CTU: ${estimateText(coverage)}`;
    return { mark: 'point', x: budget, y: shown.value, yInterval: shown.interval, dx, ...look, title, key: name };
  });
  const signs = places.filter((place) => place !== null);
  return [
    { mark: 'line', points: places.map((place) => place && ([place.x, place.y] as const)), dx, ...look, key: name },
    ...signs.map((sign, place) => (place === signs.length - 1 ? { ...sign, name } : sign)),
  ];
}
