import type { Sweep } from '../compare/sweep/sweep.ts';
import { count, counted, pText, signedFigure } from '../text/figures.ts';
import { betterWord } from './arrows.ts';
import { markdownBlock, markdownTable, markdownText } from './markdown-text.ts';
import { casesText, sweepSentences } from './sweep-sentences.ts';
import { differenceInterval, intervalText, valueText } from './sweep-tables.ts';
import { thresholdOf } from '../compare/compare-verdict.ts';

/** The sweep on a page. It holds no time and no path. */
export function recipeSweepMarkdown(sweep: Sweep): string {
  const { recipe, axes, points, systems, set } = sweep;
  const over = axes.map(({ path, written }) => `${path}=${written}`);
  const parts = [
    `# ${markdownText(`${recipe} over ${axes.map(({ path }) => path).join(' and ')}`)}`,
    markdownText(
      `${counted(points.length, 'point')}; ${systems.map((system) => `${system.name}: ${casesText(system)}`).join('; ')}.`,
    ),
    sweepSentences(sweep)
      .map((text) => `- ${markdownText(text)}`)
      .join('\n'),
    '## Values',
    valueRows(sweep),
    ...differenceParts(sweep),
    '## Settings',
    markdownBlock('', [...over.map((line) => `--over ${line}`), ...set.map((line) => `--set ${line}`)].join('\n')),
    HOW_TO_READ,
  ];
  return `${parts.join('\n\n')}\n`;
}

const HOW_TO_READ = `- **own** is the recipe as it stands, before anything is swept
- an interval says where the value would lie if cases like these were drawn again; neighbouring points share their cases, so that intervals which overlap do not mean that two points are alike
- **–** is undefined, or no interval: the reason is in the JSON`;

function valueRows({ axes, points, systems, measures }: Sweep): string {
  const several = systems.length > 1;
  return markdownTable(
    [
      ...axes.map(({ path }) => path),
      'own',
      ...(several ? ['system'] : []),
      ...measures.flatMap((measure) => [`${measure.name} (${betterWord(measure)} is better)`, 'interval', 'n']),
    ],
    [
      ...axes.map(() => 'left' as const),
      'left',
      ...(several ? ['left' as const] : []),
      ...measures.flatMap(() => ['right', 'left', 'right'] as const),
    ],
    points.flatMap((point) =>
      point.systems.map((values, system) => [
        ...point.at.map((place, axis) => axes[axis]!.texts[place]!),
        point.own ? 'own' : '',
        ...(several ? [systems[system]!.name] : []),
        ...values.flatMap((value) => [valueText(value), intervalText(value), count(value.n)]),
      ]),
    ),
  );
}

function differenceParts({ axes, points, systems, tests }: Sweep): string[] {
  if (tests === null) return [];
  const alpha = thresholdOf(tests.level);
  return [
    `## ${markdownText(`Differences from ${systems[0]!.name}`)}`,
    markdownText(`A difference is the system minus ${systems[0]!.name}.`),
    markdownTable(
      [...axes.map(({ path }) => path), 'system', 'measure', 'difference', 'interval', 'p', 'p Holm', 'verdict'],
      [...axes.map(() => 'left' as const), 'left', 'left', 'right', 'left', 'right', 'right', 'left'],
      points.flatMap((point) =>
        point.differences.map((one) => [
          ...point.at.map((place, axis) => axes[axis]!.texts[place]!),
          systems[one.system]!.name,
          one.name,
          signedFigure(one.difference),
          differenceInterval(one),
          pText(one.permutation.pValue, alpha),
          pText(one.adjusted, alpha),
          one.verdict,
        ]),
      ),
    ),
  ];
}
