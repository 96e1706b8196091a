import type { MeasuredVariant } from '../tasks/stream/measures/measure-stream.ts';
import { counted } from '../text/figures.ts';
import { prose } from './prose.ts';
import { sideBySideLines } from './side-by-side.ts';
import { limitsOf, modelLines, overallOf, streamNotices } from './stream-notices.ts';
import type { Style } from './style.ts';

const SHOWN = [
  'compression_ratio',
  'trace_coverage',
  'unsupported_in_window',
  'redundancy',
  'summary_count',
  'llm_ctu_total',
];

/** Two or three variants side by side in a few lines, each value with its interval. */
export function streamDemoText(variants: readonly MeasuredVariant[], style: Style): string {
  const [first] = variants;
  if (first === undefined) return '';
  const { recipe } = first.run.manifest;
  return `${[
    `${style.paint(recipe.name, 'strong')}  ${style.paint(counted(first.run.measures.cases.total, 'case'))}`,
    ...[recipe.about, ...limitsOf(variants), ...modelLines(variants)].flatMap((text) => prose(text, style)),
    '',
    ...sideBySideLines(
      variants.map((one) => ({ name: one.variant, values: overallOf(one) })),
      SHOWN,
      style,
    ),
    '',
    ...streamNotices(variants).flatMap((notice) => prose(notice, style, `${style.paint('!', 'warn')} `, '  ')),
  ].join('\n')}\n`;
}
