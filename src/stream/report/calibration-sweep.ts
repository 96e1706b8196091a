import type { UsedList } from '../calibrate/case-list.ts';
import { SCORE_NAMES, type ScoreName, whyNoScore } from '../calibrate/scores.ts';
import type { ScoredPolicy, PolicySweep } from '../calibrate/sweep.ts';
import {
  count,
  plural,
  type Document,
  type FilledColumn,
  filledTable,
  NONE,
  numberColumns,
  percent,
  quiet,
  type Section,
  type Table,
  type Text,
} from '../../plugin.ts';
import { NO_CLAIM } from '../../report.ts';
import { chosenYaml, gridYaml, sweepHashes } from './calibration-files.ts';
import { hashTable } from './calibration-v3.ts';
import {
  scoreDifference,
  type FrontRow,
  frontRows,
  OBJECTIVES,
  scoreText,
  settingShares,
  surenessText,
} from './calibration-words.ts';

const ROWS_SHOWN = 24;
const CHOSEN = '★';

/** The choice, how sure it is, and the default beside it; the front, constraints and scores. It holds no time. */
export function sweepDocument(sweep: PolicySweep, list: UsedList | null, notices: readonly string[]): Document {
  const { policies, cases, survivors, chosen } = sweep;
  const hashes = sweepHashes(sweep, list);
  const tried = `${plural(policies.length, 'policy', 'policies')} on ${plural(cases.length, 'case')}`;
  return {
    title: 'TokenGate calibration',
    about: `${tried}; ${count(survivors)} keep to every constraint. ${NO_CLAIM}`,
    sections: [
      { blocks: [{ list: notices, mark: 'warning' }] },
      chosen === null ? INCONCLUSIVE : choiceSection(sweep, chosen, list),
      frontSection(sweep),
      { title: 'Constraints', blocks: [constraintTable(sweep)] },
      { title: 'All scores', on: 'page', blocks: [scoreTable(sweep)] },
      {
        title: 'How it is worked out',
        on: 'page',
        blocks: [{ text: METHOD }, { code: gridYaml(sweep), language: 'yaml' }],
      },
      {
        title: 'Sources',
        on: 'page',
        blocks: [
          hashTable(
            [
              ['grid', hashes.grid],
              ['all traces', hashes.inputs],
            ],
            list,
            cases,
          ),
        ],
      },
    ],
  };
}

const METHOD = [
  'Each policy is passed over each trace; no model is asked. A flush counts as regular unless it clears what is held at',
  'the end of the trace. The moment of a flush is the delta that made it; after silence, when the silence had lasted long',
  'enough. Scores are taken per case, then over cases; percentiles interpolate linearly between neighbours.',
  'timer_under_min_pct is a share of all regular flushes. (The program that this sweep follows did not interpolate,',
  'measured as its worst wait the gaps between flushes, and gave timer_under_min_pct as a share of the timers’ flushes.)',
  'Of the policies that keep to every constraint, the front holds those that no other beats: as good in every objective',
  'and better in one. From it the policy closest to the ideal corner is chosen, each objective on a scale from its p05 to',
  'its p95 over the policies (smallest to largest if there are fewer than five), cut off at both ends; the distance is the',
  'root of the mean square. Of equally close policies the first objective decides, then the next, then the order of the',
  'grid. How sure the choice is: cases are drawn with replacement and all of it is done again, derived constraints included.',
].join(' ');

const INCONCLUSIVE: Section = {
  title: 'Inconclusive',
  mark: 'inconclusive',
  blocks: [
    { text: 'No policy keeps to every constraint. Loosen one with --set constraints.NAME=…, or widen the grid.' },
  ],
};

function choiceSection(sweep: PolicySweep, chosen: ScoredPolicy, list: UsedList | null): Section {
  const { usual, stability, objectives } = sweep;
  const resamples = stability?.resamples ?? 1;
  const shares = settingShares(sweep);
  const isDefault = usual.place === chosen.place;
  const broken = usual.violations.map(({ constraint }) => constraint);
  const rows = objectives.map(({ name }, at) => ({
    name,
    own: chosen.scores[name].value,
    other: usual.scores[name].value,
    spread: stability?.spread[at] ?? null,
  }));
  type Compared = (typeof rows)[number];
  const interval = (
    of: 'chosen' | 'usual' | 'difference',
    text: typeof scoreText,
    on?: 'page',
  ): FilledColumn<Compared> | null =>
    stability === null
      ? null
      : [
          { title: '95 %', drop: 1, ...(on === undefined ? {} : { on }) },
          ({ name, spread }) => {
            const ends = spread?.[of] ?? null;
            return quiet(ends === null ? NONE : `${text(name, ends.low)} to ${text(name, ends.high)}`);
          },
        ];
  const beside: (FilledColumn<Compared> | null)[] = [
    [{ title: 'default', align: 'right' }, ({ name, other }) => scoreText(name, other)],
    interval('usual', scoreText, 'page'),
    [
      { title: 'differs by', align: 'right' },
      ({ name, own, other }) => scoreDifference(name, own === null || other === null ? null : own - other),
    ],
    interval('difference', scoreDifference),
  ];
  const compared = filledTable<Compared>(
    [
      [{ title: 'objective' }, ({ name }) => OBJECTIVES[name].title],
      [{ title: 'chosen', align: 'right' }, ({ name, own }) => scoreText(name, own)],
      interval('chosen', scoreText),
      ...(isDefault ? [] : beside),
      [{ title: 'what it is', on: 'page' }, ({ name }) => OBJECTIVES[name].about],
    ],
    rows,
  );
  const often = shares.map(
    ({ name, values: [[value, times] = [0, 0]] }) => `${name} ${value} in ${percent(times, resamples)}`,
  );
  return {
    title: `Chosen: ${chosen.policy.id}`,
    about: gateText(chosen),
    blocks: [
      { code: chosenYaml(sweep, list) ?? '', language: 'yaml', on: 'page' },
      {
        ...compared,
        remarks: [
          isDefault ? 'it is the default policy' : `default: ${gateText(usual)}`,
          ...(broken.length === 0 ? [] : [`the default breaks ${broken.join(', ')}`]),
          ...(stability === null ? [] : ['intervals: bootstrap over cases']),
        ],
      },
      { text: surenessText(sweep) },
      often.length === 0
        ? null
        : { text: `Settings chosen most often: ${often.join(', ')}`, tone: 'quiet', on: 'terminal' },
      {
        on: 'page',
        columns: [{ title: 'setting' }, { title: 'chosen in so many resamples' }],
        rows: shares.map(({ name, values }) => [
          name,
          values.map(([value, times]) => `${value} (${percent(times, resamples)})`).join(', '),
        ]),
      },
      { text: 'Chosen and scored on the same cases: on new ones expect it a little worse.', tone: 'quiet' },
    ],
  };
}

function gateText({ policy: { minWords, maxWords, silenceMs, maxWaitMs } }: ScoredPolicy): string {
  return `${minWords} to ${maxWords} words, silence ${seconds(silenceMs)}, wait ${seconds(maxWaitMs)}`;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

function frontSection(sweep: PolicySweep): Section {
  const { objectives, stability, front } = sweep;
  const rows = frontRows(sweep);
  const inResamples = (times: number | null): string =>
    stability === null || times === null ? NONE : percent(times, stability.resamples);
  const number = (title: string, drop = 0) => ({ title, align: 'right', drop }) as const;
  const table = filledTable<FrontRow>(
    [
      [{ title: 'policy' }, ({ policy, chosen }) => `${chosen ? CHOSEN : ' '} ${policy.policy.id}`],
      [number('min'), ({ policy }) => count(policy.policy.minWords)],
      [number('max'), ({ policy }) => count(policy.policy.maxWords)],
      [number('silence', 3), ({ policy }) => seconds(policy.policy.silenceMs)],
      [number('wait', 3), ({ policy }) => seconds(policy.policy.maxWaitMs)],
      ...objectives.map(({ name }) => {
        const cell = ({ policy, chosen }: FrontRow): Text => ({
          text: scoreText(name, policy.scores[name].value),
          tone: chosen ? 'strong' : null,
        });
        return [number(OBJECTIVES[name].title), cell] as const;
      }),
      [number('alike', 2), ({ alike }) => quiet(count(alike))],
      [{ ...number('distance'), on: 'page' }, ({ policy: { distance } }) => distance?.toFixed(3) ?? NONE],
      stability === null ? null : [number('chosen', 1), ({ times }) => quiet(inResamples(times))],
      stability === null
        ? null
        : [
            { ...number('on front'), on: 'page' },
            ({ policy: { place } }) => inResamples(stability.onFront.get(place) ?? 0),
          ],
    ],
    rows,
  );
  return {
    title: 'Front',
    blocks: [
      front.length === 0 ? null : { picture: 'pareto.svg', alt: 'Updates against waiting', on: 'page' },
      {
        ...table,
        shown: ROWS_SHOWN,
        rest: ' rows in the report',
        remarks: [
          `${plural(front.length, 'policy', 'policies')} on the front, ${plural(rows.length, 'row')}: those that score alike are one; ${CHOSEN} is chosen`,
          'min, max: words; silence, wait: after how long a timer flushes',
          ...objectives.map(({ name }) => `${OBJECTIVES[name].title}: ${OBJECTIVES[name].about}`),
        ],
      },
    ],
  };
}

function constraintTable({ bounds, removed }: PolicySweep): Table {
  const counts = new Map(removed.map(({ constraint, policies, alone }) => [constraint, [policies, alone].map(count)]));
  const countsOf = (constraint: string): string[] => counts.get(constraint) ?? ['0', '0'];
  return {
    columns: [
      { title: 'constraint' },
      { title: 'requires', shrinks: true },
      { title: 'derived', on: 'page' },
      ...numberColumns('removes', 'alone'),
    ],
    rows: [
      ...bounds.map(({ constraint, score, side, limit, ofMinWords, derived }) => [
        constraint,
        `${score} ${side} ${Math.round(limit * 100) / 100}${ofMinWords ? ' times min_words' : ''}`,
        derived ?? NONE,
        ...countsOf(constraint),
      ]),
      ...(counts.has('objective') ? [['objective', 'has a value', NONE, ...countsOf('objective')]] : []),
    ],
  };
}

function scoreTable({ chosen, usual }: PolicySweep): Table {
  const policies = chosen === null ? [usual] : [chosen, usual];
  const cells = ({ scores }: ScoredPolicy, name: ScoreName): string[] => {
    const { value, n } = scores[name];
    return [value === null ? `${NONE} (${whyNoScore(name)})` : scoreText(name, value), count(n)];
  };
  return {
    columns: [
      { title: 'score' },
      ...policies.flatMap((policy) => numberColumns(policy === chosen ? 'chosen' : 'default', 'n cases')),
    ],
    rows: SCORE_NAMES.map((name) => [name, ...policies.flatMap((policy) => cells(policy, name))]),
  };
}
