import type { Comparison, MeasureComparison } from '../compare/comparison.ts';
import { count, plural, NONE } from '../text/figures.ts';
import { arrowLegend } from './arrows.ts';
import { comparisonNotices, correctionSentences, generalSentences, rowSentences } from './comparison-sentences.ts';
import {
  caseTable,
  movedTable,
  rankingTable,
  signatureSection,
  VERDICT_TERMS,
  verdictTable,
} from './comparison-tables.ts';
import {
  changeSentences,
  clusterSentences,
  correctionText,
  familyText,
  isUnsliced,
  nameList,
  measureTitle,
  systemName,
  unitWord,
} from './comparison-words.ts';
import {
  type Block,
  type Column,
  commandTable,
  type Document,
  type Section,
  type Table,
  termList,
} from './document.ts';
import { programName } from './program-name.ts';
import { caseOption, shellWord } from './shell-word.ts';
import { poolingRemarks } from './pooling.ts';

/** On a terminal: a comparison may have thousands of slices. */
const ROWS_SHOWN = 40;
const right = { align: 'right' } as const;

/** Which system is better at what, how sure that is, and where to look. It holds no time, and on a page no path. */
export function comparisonDocument(comparison: Comparison): Document {
  const { systems, paired } = comparison;
  const others = systems.slice(1).map((_, at) => at + 1);
  return {
    title: `${nameList(systems.slice(1).map(({ name }) => name))} against ${systemName(comparison, 0)}`,
    about: [`${plural(paired, 'case')} paired.`, ...clusterSentences(comparison)].join(' '),
    sections: [
      { title: 'Runs', blocks: [runTable(comparison)] },
      { blocks: [{ list: comparisonNotices(comparison), mark: 'warning' }] },
      ...others.flatMap((system) => systemSections(comparison, system)),
      { title: 'Ranking', blocks: [rankingTable(comparison)] },
      ...movedSections(comparison),
      { title: 'Settings', on: 'page', blocks: [settingTable(comparison)] },
      signatureSection(systems),
      {
        title: 'How to read this',
        on: 'page',
        blocks: [termList(HOW_TO_READ)],
      },
    ],
  };
}

const HOW_TO_READ: readonly (readonly [string, string])[] = [
  ['difference', 'other − baseline; its interval comes from drawing the same cases for both, again and again'],
  ...VERDICT_TERMS,
  [
    'Wilcoxon, McNemar',
    'p of the signed ranks of the differences per case, and of the cases that only one of the two got right; they are not corrected and do not decide',
  ],
  [
    'dz, rank r, standardised',
    'mean difference per case / its standard deviation; matched-pairs rank-biserial correlation; difference / (its standard error × √units)',
  ],
  [NONE, 'undefined; the reason is below the table'],
];

/** The runs; a terminal has columns only for what is not 0 everywhere. */
function runTable({ systems }: Comparison): Table {
  const extra = [
    ['failed', systems.map(({ failed }) => failed)],
    ['no answer', systems.map(({ unanswered }) => unanswered)],
    ['not paired', systems.map(({ unpaired }) => unpaired.n)],
  ] as const;
  const isNamed = systems.some(({ name, folder }) => folder !== '' && !folder.includes(name));
  return {
    columns: [
      { title: 'run', shrinks: true },
      ...(isNamed ? [{ title: 'folder', shrinks: true, on: 'terminal' } as const] : []),
      { title: '' },
      { title: 'cases', ...right },
      ...extra.map(([title, values]): Column => {
        return values.some((value) => value > 0) ? { title, ...right } : { title, ...right, on: 'page' };
      }),
      { title: 'the first not paired', on: 'page' },
    ],
    rows: systems.map(({ name, folder, cases, unpaired }, at) => [
      name,
      ...(isNamed ? [folder] : []),
      { text: at === 0 ? 'baseline' : '', tone: 'quiet' },
      count(cases),
      ...extra.map(([, values]) => count(values[at]!)),
      unpaired.cases.join(', '),
    ]),
  };
}

/** One system beside the baseline: the verdicts, then the cases, then the slices if they were asked for. */
function systemSections(comparison: Comparison, system: number): Section[] {
  const rows = comparison.measures.filter((row) => row.system === system);
  const overall = rows.filter(isUnsliced);
  const slices = rows.filter((row) => !isUnsliced(row));
  const against = `${systemName(comparison, system)} against ${systemName(comparison, 0)}`;
  const several = comparison.systems.length > 2;
  // How verdicts come about holds for all systems and is stated once.
  const general = system === 1 ? generalSentences(comparison) : [];
  const verdicts = (own: readonly MeasureComparison[], title: string): Section => {
    const remarks = [...arrowLegend(own), ...poolingRemarks(own), ...distances(own)];
    const rest = '; --markdown FILE has them all';
    return { title, blocks: [{ ...verdictTable(comparison, system, own), remarks, shown: ROWS_SHOWN, rest }] };
  };
  return [
    verdicts(overall, several ? against : 'Measure'),
    { blocks: [{ list: [...general, ...rowSentences(comparison, overall)], bullets: true }] },
    {
      title: 'Case by case',
      level: 3,
      // A terminal has no room for measures without a value per case, if that is all of them.
      ...(overall.some(({ wins, losses, ties }) => wins + losses + ties > 0) ? {} : { on: 'page' }),
      blocks: [{ ...caseTable(comparison, overall), remarks: caseRemarks(comparison, system, overall) }],
    },
    verdicts(slices, several ? `${against}: slices` : 'Slices'),
    { blocks: [{ list: rowSentences(comparison, slices), bullets: true }] },
    { title: 'Slices, case by case', level: 3, on: 'page', blocks: [caseTable(comparison, slices)] },
  ];
}

/** What the columns of the cases mean, once, and why some of them are empty. */
function caseRemarks(comparison: Comparison, system: number, rows: readonly MeasureComparison[]): string[] {
  const unit = unitWord(comparison);
  const name = comparison.systems.length > 2 ? 'the other' : systemName(comparison, system);
  const yesNo = rows.some(({ mcnemar }) => mcnemar !== null);
  const without = Math.max(0, ...rows.map(({ withoutPair }) => withoutPair));
  return [
    system > 1
      ? null
      : `won, lost, tied: ${unit}s where ${name} is better, worse, the same; dz: mean of the differences per ${unit} / their standard deviation; rank r: rank-biserial correlation; Wilcoxon${yesNo ? ', McNemar' : ''}: p before correction`,
    without === 0
      ? null
      : `up to ${count(without)} ${unit}s have a value in one run only: no win, loss or tie, and no part of a mean over ${unit}s`,
    ...missingTests(rows),
  ].filter((remark) => remark !== null);
}

/** Why tests have no p value, each reason once with the measures it is of. */
function missingTests(rows: readonly MeasureComparison[]): string[] {
  const missing = rows.flatMap((row) =>
    (['wilcoxon', 'mcnemar'] as const).flatMap((test) => {
      const found = row[test];
      if (found === null || found.pValue !== null) return [];
      const name = test === 'wilcoxon' ? 'Wilcoxon' : 'McNemar';
      return [{ reason: `no p of ${name}: ${found.undefined ?? 'no reason given'}`, title: measureTitle(row) }];
    }),
  );
  return [...Map.groupBy(missing, ({ reason }) => reason)].map(
    ([reason, own]) => `${NONE} ${nameList(own.map(({ title }) => title))}: ${reason}`,
  );
}

function movedSections(comparison: Comparison): Section[] {
  const counts: Section = { title: 'Cases', blocks: [{ list: changeSentences(comparison) }] };
  const first = comparison.moved[0];
  if (first === undefined) return [counts];
  const folders = [0, first.system].flatMap((at) => comparison.systems[at]?.folder ?? []);
  const commands = folders.map((folder) => `${programName()} explain ${shellWord(folder)} ${caseOption(first.case)}`);
  return [
    counts,
    { title: `Moved most, by ${first.name}`, blocks: [movedTable(comparison)] },
    {
      title: 'See the first of them',
      on: 'terminal',
      blocks: commands.map((text): Block => ({ text, tone: 'strong', whole: true })),
    },
    { on: 'page', blocks: [{ text: 'assay explain RUN --case ID shows every verdict of a case in its text.' }] },
  ];
}

function settingTable(comparison: Comparison): Table {
  const { paired, failed, unit, units, level, resamples, seed, corrections, measures } = comparison;
  const method = measures.find(({ interval }) => interval !== null)?.interval?.method ?? NONE;
  return {
    columns: [{ title: 'setting' }, { title: 'value' }],
    rows: [
      ['cases paired', count(paired)],
      ['cases left out since a run failed on them', count(failed)],
      ['unit that is drawn and swapped', `${unit} (${count(units)})`],
      ['level', String(level)],
      ['interval of the difference', method],
      ['resamples', count(resamples)],
      ['seed', String(seed)],
      ...corrections.map((one) => [`tests of ${familyText(one)}`, correctionText(one)]),
    ],
  };
}

/** What is compared if the best value is not at an end. */
function distances(rows: readonly MeasureComparison[]): string[] {
  const best = rows.find((row) => row.best !== undefined)?.best;
  return best === undefined ? [] : [`→${best}: diff. and interval are of the distance from ${best}`];
}

/** How a run just scored was compared with its baseline. */
export interface BaselineOptions {
  readonly force: boolean;
  /** Recipe with custom measures. */
  readonly recipe?: string;
  /** Name of the system, if there are several. */
  readonly system: string | null;
}

/** A run just scored beside its baseline: the verdicts, and where the rest is. */
export function baselineDocument(comparison: Comparison, { force, recipe, system }: BaselineOptions): Document {
  const overall = comparison.measures.filter(isUnsliced);
  const folders = comparison.systems.map(({ folder }) => shellWord(folder));
  const named = comparison.corrections.some(({ family }) => family === 'named');
  const measures = named ? ` --measure ${overall.map(({ name }) => shellWord(name)).join(',')}` : '';
  const code = recipe === undefined ? '' : ` --recipe ${shellWord(recipe)}`;
  const command = `${programName()} compare ${folders.join(' ')}${measures} --slices${force ? ' --force' : ''}${code}`;
  return {
    title: `${system === null ? 'Against' : `${system} against`} ${systemName(comparison, 0)}`,
    sections: [
      { blocks: [{ list: comparisonNotices(comparison), mark: 'warning' }] },
      {
        title: 'Measures',
        blocks: [
          { ...verdictTable(comparison, 1, overall), remarks: [...arrowLegend(overall), ...poolingRemarks(overall)] },
        ],
      },
      { blocks: [{ list: correctionSentences(comparison), bullets: true }] },
      { blocks: [commandTable([['Effect sizes, cases that moved', command]])] },
    ],
  };
}
