import type { UsedList } from '../tasks/stream/calibrate/case-list.ts';
import { SCORE_NAMES, whyNoScore } from '../tasks/stream/calibrate/scores.ts';
import type { Sweep } from '../tasks/stream/calibrate/sweep.ts';
import { count, counted, percent } from '../text/figures.ts';
import { markdownBlock, markdownTable, markdownText } from './markdown-text.ts';
import { chosenYaml, gridYaml, sweepHashes } from './stream-calibration-files.ts';
import {
  differenceText,
  frontRows,
  inUnit,
  OBJECTIVES,
  SAME_CASES,
  scoreText,
  settingShares,
  surenessText,
} from './stream-calibration-words.ts';
import { NO_CLAIM } from './svg/small-print.ts';

/** The sweep on a page. It holds no time, so the same input gives the same bytes. */
export function sweepMarkdown(sweep: Sweep, list: UsedList | null, notices: readonly string[]): string {
  const { policies, cases, survivors } = sweep;
  return `${[
    '# TokenGate calibration',
    `${counted(policies.length, 'policy', 'policies')} replayed on ${counted(cases.length, 'case')}; ${count(survivors)} keep to every constraint. ${NO_CLAIM}`,
    ...(notices.length === 0
      ? []
      : ['**Before you use it**', notices.map((notice) => `- ${markdownText(notice)}`).join('\n')]),
    ...choiceParts(sweep, list),
    ...frontParts(sweep),
    ...constraintParts(sweep),
    ...scoreParts(sweep),
    '## How it is worked out',
    METHOD,
    markdownBlock('yaml', gridYaml(sweep)),
    '## Where it comes from',
    hashTable(sweep, list),
  ].join('\n\n')}\n`;
}

const METHOD = `Each policy is passed over each trace; no model is asked. A flush counts as regular unless it clears what is held
at the end of the trace. The moment of a flush is the delta that made it; after silence, when the silence had lasted long
enough. Scores are taken per case, then over cases; percentiles interpolate linearly between neighbours.
timer_under_min_pct is a share of all regular flushes. (The program that this sweep follows took the nearest rank,
measured as its worst wait the gaps between flushes, and gave timer_under_min_pct as a share of the timers' flushes.) Of
the policies that keep to every constraint, the front holds those that no other beats: as good in every objective and
better in one. From it the policy nearest to the ideal corner is chosen, each objective on a scale from its p05 to its
p95 over the policies (smallest to largest where there are fewer than five), cut off at both ends; the distance is the
root of the mean square. Of equally near policies the first objective decides, then the next, then the order of the
grid. How sure the choice is: cases are drawn with replacement and all of it is done again, derived constraints included.`;

function choiceParts(sweep: Sweep, list: UsedList | null): string[] {
  const { chosen, usual, objectives, stability } = sweep;
  if (chosen === null) return ['## Cannot tell', 'No policy keeps to every constraint, so none is chosen.'];
  const range = (pair: { low: number; high: number } | null | undefined, text: (value: number) => string): string =>
    pair === null || pair === undefined ? '–' : `${text(pair.low)} to ${text(pair.high)}`;
  const rows = objectives.map(({ name }, at) => {
    const [own, other] = [chosen.scores[name].value, usual.scores[name].value];
    const spread = stability?.spread[at];
    return [
      OBJECTIVES[name].title,
      OBJECTIVES[name].about,
      scoreText(name, own),
      range(spread?.chosen, (value) => scoreText(name, value)),
      scoreText(name, other),
      range(spread?.usual, (value) => scoreText(name, value)),
      own === null || other === null ? '–' : differenceText(name, own - other),
      range(spread?.difference, (value) => differenceText(name, value)),
    ];
  });
  const shares = settingShares(sweep).map(({ name, values }) => [
    name,
    values.map(([value, times]) => `${value} (${percent(times, stability?.resamples ?? 1)})`).join(', '),
  ]);
  const broken = usual.violations.map(({ constraint }) => constraint);
  return [
    `## Chosen: ${chosen.policy.id}`,
    markdownBlock('yaml', chosenYaml(sweep, list) ?? ''),
    markdownText(`${surenessText(sweep)} ${SAME_CASES}`),
    ...(shares.length === 0
      ? []
      : [markdownTable(['setting', 'chosen in so many resamples'], ['left', 'left'], shares)]),
    markdownTable(
      ['objective', 'what it is', 'chosen', '95 %', 'default', '95 %', 'differs by', '95 %'],
      ['left', 'left', 'right', 'left', 'right', 'left', 'right', 'left'],
      rows,
    ),
    `The default is ${usual.policy.minWords} to ${usual.policy.maxWords} words, silence ${inUnit('ms', usual.policy.silenceMs)}, wait ${inUnit('ms', usual.policy.maxWaitMs)}${broken.length === 0 ? '' : `; it breaks ${broken.join(', ')}`}. Intervals: bootstrap over cases.`,
  ];
}

function frontParts(sweep: Sweep): string[] {
  const { objectives, stability, front } = sweep;
  if (front.length === 0) return [];
  const rows = frontRows(sweep).map(({ policy: { policy, scores, distance, place }, alike, chosen, times }) => [
    `${policy.id}${chosen ? ' (chosen)' : ''}`,
    String(policy.minWords),
    String(policy.maxWords),
    String(policy.silenceMs),
    String(policy.maxWaitMs),
    ...objectives.map(({ name }) => scoreText(name, scores[name].value)),
    distance === null ? '–' : distance.toFixed(3),
    count(alike),
    stability === null || times === null ? '–' : percent(times, stability.resamples),
    stability === null ? '–' : percent(stability.onFront.get(place) ?? 0, stability.resamples),
  ]);
  const titles = objectives.map(({ name }) => OBJECTIVES[name].title);
  return [
    '## The front',
    `${counted(front.length, 'policy', 'policies')}; those that score alike are one row.`,
    '![Updates against waiting](pareto.svg)',
    markdownTable(
      [
        'policy',
        'min_words',
        'max_words',
        'silence ms',
        'wait ms',
        ...titles,
        'distance',
        'alike',
        'chosen',
        'on front',
      ],
      ['left', ...Array.from({ length: titles.length + 8 }, () => 'right' as const)],
      rows,
    ),
  ];
}

function constraintParts({ bounds, removed }: Sweep): string[] {
  const byName = new Map(removed.map((one) => [one.constraint, one]));
  const rows = bounds.map(({ constraint, score, side, limit, ofMinWords, derived }) => [
    constraint,
    `${score} ${side} ${Math.round(limit * 100) / 100}${ofMinWords ? ' times min_words' : ''}`,
    derived ?? '–',
    count(byName.get(constraint)?.policies ?? 0),
    count(byName.get(constraint)?.alone ?? 0),
  ]);
  const without = byName.get('objective');
  if (without !== undefined)
    rows.push(['objective', 'has a value', '–', count(without.policies), count(without.alone)]);
  return [
    '## Constraints',
    markdownTable(
      ['constraint', 'asks for', 'derived', 'removes', 'alone'],
      ['left', 'left', 'left', 'right', 'right'],
      rows,
    ),
  ];
}

function scoreParts({ chosen, usual }: Sweep): string[] {
  const shown = (policy: typeof usual, name: (typeof SCORE_NAMES)[number]): string => {
    const { value } = policy.scores[name];
    return value === null ? `– (${whyNoScore(name)})` : scoreText(name, value);
  };
  const rows = SCORE_NAMES.map((name) => [
    name,
    ...(chosen === null ? [] : [shown(chosen, name), count(chosen.scores[name].n)]),
    shown(usual, name),
    count(usual.scores[name].n),
  ]);
  const titles = ['score', ...(chosen === null ? [] : ['chosen', 'n cases']), 'default', 'n cases'];
  return [
    '## All scores',
    markdownTable(
      titles,
      titles.map((_, at) => (at === 0 ? 'left' : 'right')),
      rows,
    ),
  ];
}

function hashTable(sweep: Sweep, list: UsedList | null): string {
  const hashes = sweepHashes(sweep, list);
  return markdownTable(
    ['what', 'hash'],
    ['left', 'left'],
    [
      ['grid', hashes.grid],
      ['all traces', hashes.inputs],
      ...(list === null ? [] : [[list.name, list.sha256]]),
      ...sweep.cases.map(({ caseId, sha256 }) => [caseId, sha256]),
    ],
  );
}
