import { levelText, counted } from '../text/figures.ts';
import { listed } from './comparison-words.ts';
import { prose } from './prose.ts';
import type { Sweep } from '../compare/sweep/sweep.ts';
import type { Style } from './style.ts';
import { gridLines } from './sweep-grid.ts';
import { casesText, sweepSentences } from './sweep-sentences.ts';
import { differenceTable, OWN_MARK, valueTable } from './sweep-tables.ts';
import { arrowLegend } from './arrows.ts';

/** What a person sees after a sweep: the curve, row by row, and what it comes to in sentences. */
export function recipeSweepText(sweep: Sweep, style: Style): string {
  const { systems, axes } = sweep;
  const others = systems.slice(1).map((_, at) => at + 1);
  const tables =
    axes.length > 1
      ? gridLines(sweep, style)
      : systems.length === 1
        ? [valueTable(sweep, style)]
        : others.map((system) => differenceTable(sweep, system, style));
  const sections = [
    header(sweep, style),
    ...tables,
    legend(sweep, style),
    sweepSentences(sweep).flatMap((text) => prose(text, style, '– ', '  ')),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function header({ recipe, axes, points, systems }: Sweep, style: Style): string[] {
  const over = axes.map(({ path, written }) => `${path} ${written}`).join(' and ');
  return [
    ...prose(`${recipe} over ${over}`, style, '', '', 'strong'),
    ...prose(
      `${counted(points.length, 'point')}; ${listed(systems.map((system) => (systems.length > 1 ? `${system.name} ${casesText(system)}` : casesText(system))))}`,
      style,
    ),
  ];
}

function legend({ axes, measures, points, systems }: Sweep, style: Style): string[] {
  const level = points.flatMap((point) => point.systems.flat()).find(({ interval }) => interval !== null)?.interval;
  const parts = [
    ...(axes.some((axis) => axis.own !== null) ? [`${OWN_MARK} the recipe as it stands`] : []),
    ...(level === null || level === undefined ? [] : [`intervals ${levelText(level.level)}`]),
    ...(systems.length > 1 ? ['▲ better ▼ worse · no difference shown ? too little data'] : []),
    ...(axes.length > 1 && systems.length === 1 ? ['★ the best'] : []),
    ...arrowLegend(measures.slice(0, 1)),
  ];
  return parts.length === 0 ? [] : prose(parts.join('; '), style, '', '', 'quiet');
}
