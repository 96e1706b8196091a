import { emptyFigure } from './empty-figure.ts';
import { drawn, estimateText } from './estimate.ts';
import type { FaithfulnessData, FaithfulnessVariant } from './faithfulness-data.ts';
import { faithfulnessPanel, type PanelPoint } from './faithfulness-panel.ts';
import { type Block, svgFigure, textBlock } from './frame.ts';
import { betterEntry, legendBlock, signEntry } from './legend.ts';
import { MOST_SERIES, seriesStyle } from './series-style.ts';
import { casesNote, intervalNote, leftOutNote, missingNote, NO_CLAIM, withoutValue } from './small-print.ts';
import { oneLine } from './text-width.ts';
import { drawable } from './ticks.ts';

const ID = 'faithfulness';
const TITLE = 'Faithfulness against compression';
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
export function faithfulnessFigure(data: FaithfulnessData): string {
  const variants = data.variants
    .slice(0, MOST_SERIES)
    .map((variant) => ({ ...variant, name: oneLine(variant.name), cases: variant.cases.slice(0, MOST_CASES) }));
  const all = variants.flatMap((variant) => [
    { name: `${variant.name} compression ratio`, estimate: variant.compression },
    ...PANELS.map(({ field, name }) => ({ name: `${variant.name} ${name}`, estimate: variant[field] })),
  ]);
  const missing = withoutValue(all);
  const notes = [
    ...leftOutNote(data.variants.length, variants.length, 'variants'),
    ...leftOutNote(Math.max(0, ...data.variants.map(({ cases }) => cases.length)), MOST_CASES, 'cases of a variant'),
    ...(data.notes ?? []),
  ];
  const panels = PANELS.map(({ field, name }) => ({
    name,
    points: variants.flatMap((variant, at) => pointsOf(variant, field, at)),
  }));
  if (panels.every(({ points }) => points.length === 0))
    return emptyFigure(ID, TITLE, missing === null ? 'there are no runs' : `there is no value for ${missing}`, [
      ...notes,
      MEANING,
    ]);

  const estimates = all.map(({ estimate }) => estimate);
  const cases = casesNote(
    variants.map((one) => ({ name: one.name, estimates: [one.compression, one.inWindow, one.inContract] })),
  );
  return svgFigure({
    id: ID,
    title: TITLE,
    desc: `${MEANING} ${all.map(({ name, estimate }) => `${name}: ${estimateText(estimate)}.`).join(' ')} ${NO_CLAIM}`,
    blocks: [
      legendBlock([
        ...variants.map(({ name }, at) => signEntry(name, seriesStyle(at).shape, seriesStyle(at))),
        signEntry('small: one case', 'circle', { colour: '#777777', hollow: true }, 1.8),
        betterEntry('right'),
      ]),
      ...panels.flatMap(({ name, points }): Block[] => [
        textBlock([`${name} ${LOWER}`]),
        points.length === 0 ? textBlock([`No variant has a value for ${name}.`]) : faithfulnessPanel(points),
      ]),
    ],
    notes: [
      MEANING,
      intervalNote(estimates),
      cases,
      ...missingNote(missing),
      'The axes need not begin at 0.',
      ...notes,
      NO_CLAIM,
    ],
  });
}

function pointsOf(variant: FaithfulnessVariant, field: (typeof PANELS)[number]['field'], at: number): PanelPoint[] {
  const x = drawn(variant.compression);
  const y = drawn(variant[field]);
  if (x === null || y === null) return [];
  const cases = variant.cases.flatMap((one): { x: number; y: number }[] => {
    const [ratio, share] = [one.compression, one[field]];
    return drawable(ratio) && drawable(share) ? [{ x: ratio, y: share }] : [];
  });
  const title = `${variant.name}: compression ${estimateText(variant.compression)}; unsupported ${estimateText(variant[field])} ${LOWER}`;
  return [{ name: variant.name, style: seriesStyle(at), x, y, cases, title }];
}
