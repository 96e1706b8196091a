import { betterWord } from './arrows.ts';
import type { Comparison } from '../compare/comparison.ts';
import { valuePair } from './comparison-figures.ts';
import { count, counted, NONE, signedFigure } from '../text/figures.ts';
import { missingTests, testRows, verdictRows } from './comparison-markdown-tables.ts';
import { comparisonNotices } from './comparison-notices.ts';
import { generalSentences, rowSentences } from './comparison-sentences.ts';
import { placesOf, RANKING_LEGEND } from './comparison-tables.ts';
import { clusters, isOverall, listed, systemName } from './comparison-words.ts';
import { markdownBlock, markdownTable, markdownText } from './markdown-text.ts';

/** The whole comparison on a page, for a pull request or an appendix. It holds no time and no path. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { systems, paired } = comparison;
  const others = systems.slice(1).map((_, at) => at + 1);
  const names = listed(systems.slice(1).map(({ name }) => name));
  const parts = [
    `# ${markdownText(`${names} against ${systemName(comparison, 0)}`)}`,
    [`${counted(paired, 'case')} paired.`, ...clusters(comparison)].map(markdownText).join(' '),
    ...bullets('**Before you read the numbers**', comparisonNotices(comparison)),
    ...others.flatMap((system) => systemParts(comparison, system)),
    ...bullets('**How the verdicts come about**', generalSentences(comparison)),
    ...ranking(comparison),
    ...moved(comparison),
    '## Runs',
    runs(comparison),
    '## Settings',
    settings(comparison),
    '## Signatures',
    'They name everything that affects a number. Numbers whose signatures differ in more than the predictions are not comparable.',
    ...systems.flatMap(({ name, signature }) => [`${markdownText(name)}:`, markdownBlock('', signature)]),
    '## How to read this',
    HOW_TO_READ,
  ];
  return `${parts.join('\n\n')}\n`;
}

const HOW_TO_READ = `- **difference**: other − baseline; its interval comes from drawing the same cases for both, again and again
- **p permutation**: the two systems’ answers are swapped case by case and the measure is worked out anew; p is the share of swaps with a difference as large. **p Holm** is the same after Holm’s correction over all tests of this page
- **better**, **worse**: p Holm is below 1 − level and the interval of the difference leaves out 0; which way is better says which
- **too little data**: so few cases that no p could get there, too many resamples without a value, or the difference is at least small (standardised 0.2) but fewer cases were there than it takes to show it (**needed**, at 80 % power)
- **no difference shown**: none of these; it does not mean that the systems are equal
- **Wilcoxon**: signed ranks of the differences per case; **McNemar**: cases that only one of the two got right. Both are not corrected and do not decide
- **dz**: mean difference per case / its standard deviation; **rank r**: matched-pairs rank-biserial correlation; **standardised**: difference / (its standard error × √units)
- **–** is undefined; the reason stands below the table`;

function bullets(title: string, sentences: readonly string[]): string[] {
  return sentences.length === 0 ? [] : [title, sentences.map((text) => `- ${markdownText(text)}`).join('\n')];
}

/** One system beside the baseline: the verdicts, then all tests. */
function systemParts(comparison: Comparison, system: number): string[] {
  const rows = comparison.measures.filter((row) => row.system === system);
  const parts = [rows.filter(isOverall), rows.filter((row) => !isOverall(row))];
  const title = `${systemName(comparison, system)} against ${systemName(comparison, 0)}`;
  return parts.flatMap((own, at) => {
    if (own.length === 0) return [];
    const sentences = rowSentences(comparison, own);
    return [
      `## ${markdownText(at === 0 ? title : `${title}: slices`)}`,
      verdictRows(comparison, system, own),
      ...(sentences.length === 0 ? [] : [sentences.map((text) => `- ${markdownText(text)}`).join('\n')]),
      '### Tests and effect sizes',
      testRows(comparison, own),
      ...missingTests(own),
    ];
  });
}

function ranking(comparison: Comparison): string[] {
  if (comparison.ranking.length === 0) return [];
  return [
    '## Ranking',
    markdownTable(
      ['measure', 'better is', 'place', 'system', 'value'],
      ['left', 'left', 'right', 'left', 'right'],
      comparison.ranking.flatMap((one) =>
        placesOf(one).map(({ system, text }) => [
          one.name,
          betterWord(one),
          text.place,
          systemName(comparison, system),
          text.value,
        ]),
      ),
    ),
    markdownText(`${RANKING_LEGEND}.`),
  ];
}

function moved(comparison: Comparison): string[] {
  const first = comparison.moved[0];
  if (first === undefined) return [];
  return [
    `## ${markdownText(`Cases that moved most, by ${first.name}`)}`,
    markdownTable(
      ['case', 'system', 'from', 'to', 'difference', 'change'],
      ['left', 'left', 'right', 'right', 'right', 'left'],
      comparison.moved.map((one) => [
        one.case,
        systemName(comparison, one.system),
        ...valuePair(one),
        signedFigure(one.difference),
        one.change,
      ]),
    ),
    '`assay explain RUN --case ID` shows every verdict of a case in its text.',
  ];
}

function runs({ systems }: Comparison): string {
  return markdownTable(
    ['run', 'role', 'cases', 'failed', 'without a prediction', 'not paired', 'the first not paired'],
    ['left', 'left', 'right', 'right', 'right', 'right', 'left'],
    systems.map((system, at) => [
      system.name,
      at === 0 ? 'baseline' : 'other',
      count(system.cases),
      count(system.failed),
      count(system.unanswered),
      count(system.unpaired.n),
      system.unpaired.cases.join(', '),
    ]),
  );
}

function settings({ paired, failed, unit, units, level, resamples, seed, family, measures }: Comparison): string {
  const method = measures.find(({ interval }) => interval !== null)?.interval?.method ?? NONE;
  return markdownTable(
    ['setting', 'value'],
    ['left', 'left'],
    [
      ['cases paired', count(paired)],
      ['cases left out since a run failed on them', count(failed)],
      ['unit that is drawn and swapped', `${unit} (${count(units)})`],
      ['level', String(level)],
      ['interval of the difference', method],
      ['resamples', count(resamples)],
      ['smallest p of a resampled test', `1 / ${count(resamples + 1)}`],
      ['seed', String(seed)],
      ['tests that Holm’s correction goes over', count(family)],
    ],
  );
}
