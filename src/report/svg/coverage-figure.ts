import { type Area, BELOW, bottomAxis, leftAxis, widthOfTicks } from './axes.ts';
import type { CoverageData, CoverageVariant } from './coverage-data.ts';
import { coverageLine, endLabels, NAME_ROOM } from './coverage-lines.ts';
import { emptyFigure } from './empty-figure.ts';
import { drawn, estimateText, extent } from './estimate.ts';
import { svgFigure, textBlock } from './frame.ts';
import { legendBlock, lineEntry } from './legend.ts';
import type { Markup } from './markup.ts';
import { MARGIN, TEXT, WIDTH } from './paper.ts';
import { linearScale, logScale, type Scale } from './scale.ts';
import { MOST_SERIES } from './series-style.ts';
import { casesNote, intervalNote, leftOutNote, missingNote, NO_CLAIM, withoutValue } from './small-print.ts';
import { oneLine, textWidth } from './text-width.ts';
import { drawable, ticksOver, tickText } from './ticks.ts';

const ID = 'coverage';
const TITLE = 'Coverage against budget';
const MEANING = 'Coverage: share of the trace’s concepts named by the summaries, read up to the budget.';
const HEIGHT = 190;

/** How much of the trace's concepts the summaries hold when only so much of them is read; one line a variant. */
export function coverageFigure(data: CoverageData): string {
  const variants = data.variants.slice(0, MOST_SERIES).map(({ name, points }) => ({
    name: oneLine(name),
    points: points.filter(({ budget }) => drawable(budget)),
  }));
  const all = variants.flatMap(({ name, points }) =>
    points.map(({ budget, coverage }) => ({ name: `${name} at ${budget} CTU`, estimate: coverage })),
  );
  const missing = withoutValue(all);
  const notes = [...leftOutNote(data.variants.length, variants.length, 'variants'), ...(data.notes ?? [])];
  const values = extent(all.map(({ estimate }) => drawn(estimate)));
  if (values.length === 0)
    return emptyFigure(
      ID,
      TITLE,
      missing === null ? 'no run has coverage by budget' : `there is no value for ${missing}`,
      notes,
    );

  const cases = casesNote(
    variants.map(({ name, points }) => ({ name, estimates: points.map(({ coverage }) => coverage) })),
  );
  const sure = intervalNote(all.map(({ estimate }) => estimate));
  return svgFigure({
    id: ID,
    title: TITLE,
    desc: `${MEANING} ${all.map(({ name, estimate }) => `${name}: ${estimateText(estimate)}.`).join(' ')} ${NO_CLAIM}`,
    blocks: [
      legendBlock(variants.map(({ name }, at) => lineEntry(name, at))),
      textBlock(['mean coverage (higher is better)']),
      { height: HEIGHT, content: plot(variants, values) },
    ],
    notes: [MEANING, sure, cases, ...missingNote(missing), ...notes, NO_CLAIM],
  });
}

function plot(variants: readonly CoverageVariant[], values: readonly number[]): Markup[] {
  const yTicks = ticksOver([0, ...values], 5, [0, 1]);
  const ticks = yTicks.values.map((value) => ({ value, text: tickText(value, yTicks.step) }));
  const names = variants.map(({ name }) => textWidth(name, TEXT)).filter((width) => width <= NAME_ROOM);
  const area: Area = {
    left: MARGIN + widthOfTicks(ticks),
    right: WIDTH - MARGIN - (names.length === 0 ? 0 : Math.max(...names) + 14),
    top: 6,
    bottom: HEIGHT - BELOW,
  };
  const budgets = [...new Set(variants.flatMap(({ points }) => points.map(({ budget }) => budget)))];
  budgets.sort((a, b) => a - b);
  const x = budgetScale(budgets, area);
  const y = linearScale(yTicks.ends, [area.bottom, area.top]);
  const lines = variants.map((variant, at) => coverageLine(variant, at, variants.length, x, y));
  return [
    ...leftAxis(area, y, ticks),
    ...bottomAxis(
      area,
      x,
      budgets.map((value) => ({ value, text: tickText(value, 1) })),
      budgets[0]! > 0 ? 'budget (CTU, log scale)' : 'budget (CTU)',
    ),
    ...lines.flatMap(({ bars }) => bars),
    ...lines.flatMap(({ line }) => line),
    ...endLabels(lines, area),
  ];
}

/** Room at both ends for the lines that stand beside one another. */
const SIDE = 18;

function budgetScale(budgets: readonly number[], { left, right }: Area): Scale {
  const [low, high] = [budgets[0]!, budgets.at(-1)!];
  const range = [left + SIDE, right - SIDE] as const;
  if (low === high) return () => (left + right) / 2;
  return low > 0 ? logScale([low, high], range) : linearScale([low, high], range);
}
