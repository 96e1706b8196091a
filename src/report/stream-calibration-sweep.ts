import type { Sweep } from '../tasks/stream/calibrate/sweep.ts';
import { count, counted, percent } from '../text/figures.ts';
import { prose } from './prose.ts';
import { quietLines } from './quiet-lines.ts';
import {
  differenceText,
  frontRows,
  OBJECTIVES,
  SAME_CASES,
  scoreText,
  settingShares,
  surenessText,
  sweepNotices,
} from './stream-calibration-words.ts';
import type { Style } from './style.ts';
import { NO_CLAIM } from './svg/small-print.ts';
import { type Cell, type Column, tableLines } from './table.ts';

const ROWS_SHOWN = 24;
const CHOSEN = '★';
const TITLE = 'TokenGate sweep';

export interface SweepExtras {
  /** Settings of the grid file that have no effect. */
  readonly unused: readonly string[];
  /** Cases of the list that there is no trace of. */
  readonly missing: readonly string[];
}

/** What a person sees after a sweep: the front, the choice, how sure it is, and the usual policy beside it. */
export function sweepText(sweep: Sweep, extras: SweepExtras, style: Style): string {
  const { policies, cases, survivors, chosen } = sweep;
  const notices = sweepNotices(sweep, extras.unused, extras.missing);
  return `${[
    ...prose(
      `${counted(policies.length, 'policy', 'policies')} on ${counted(cases.length, 'case')}; ${count(survivors)} keep to every constraint`,
      style,
      `${style.paint(TITLE, 'strong')}  `,
      ' '.repeat(TITLE.length + 2),
    ),
    ...removedLines(sweep, style),
    '',
    ...(chosen === null ? cannotTell(style) : [...frontLines(sweep, style), '', ...choiceLines(sweep, style)]),
    ...notices.flatMap((notice) => prose(notice, style, `${style.paint('!', 'warn')} `, '  ')),
    NO_CLAIM,
  ].join('\n')}\n`;
}

function removedLines({ removed }: Sweep, style: Style): string[] {
  return removed.flatMap(({ constraint, policies, alone }) =>
    quietLines(`${constraint} removes ${count(policies)}, ${count(alone)} of them alone`, style),
  );
}

function cannotTell(style: Style): string[] {
  return prose(
    'Cannot tell: no policy keeps to every constraint. Loosen one with --set constraints.NAME=…, or widen the grid.',
    style,
    `${style.paint('?', 'warn')} `,
    '  ',
  );
}

function frontLines(sweep: Sweep, style: Style): string[] {
  const { objectives, stability, front } = sweep;
  const rows = frontRows(sweep);
  const chosenAt = rows.findIndex(({ chosen }) => chosen);
  const shown = rows.filter((_, at) => rows.length <= ROWS_SHOWN + 1 || at < ROWS_SHOWN || at === chosenAt);
  const columns: Column[] = [
    { title: 'Front' },
    { title: 'min', align: 'right' },
    { title: 'max', align: 'right' },
    { title: 'silence', align: 'right', drop: 3 },
    { title: 'wait', align: 'right', drop: 3 },
    ...objectives.map(({ name }) => ({ title: OBJECTIVES[name].title, align: 'right' as const })),
    { title: 'alike', align: 'right', drop: 2 },
    ...(stability === null ? [] : [{ title: 'chosen', align: 'right' as const, drop: 1 }]),
  ];
  const cells = shown.map(({ policy: { policy, scores }, alike, chosen, times }): Cell[] => [
    { text: `${chosen ? CHOSEN : ' '} ${policy.id}`, tone: chosen ? 'strong' : null },
    count(policy.minWords),
    count(policy.maxWords),
    seconds(policy.silenceMs),
    seconds(policy.maxWaitMs),
    ...objectives.map(({ name }): Cell => ({
      text: scoreText(name, scores[name].value),
      tone: chosen ? 'strong' : null,
    })),
    { text: count(alike), tone: 'quiet' },
    ...(stability === null || times === null
      ? []
      : [{ text: percent(times, stability.resamples), tone: 'quiet' as const }]),
  ]);
  const rest = rows.length - shown.length;
  return [
    ...tableLines(columns, cells, style),
    ...[
      ...(rest > 0 ? [`… and ${count(rest)} more rows in the report`] : []),
      `${counted(front.length, 'policy', 'policies')} on the front, ${counted(rows.length, 'row')}: those that score alike are one`,
      'min, max: words; silence, wait: after how long a timer flushes',
      ...objectives.map(({ name }) => `${OBJECTIVES[name].title}: ${OBJECTIVES[name].about}`),
    ].flatMap((text) => quietLines(text, style)),
  ];
}

function choiceLines(sweep: Sweep, style: Style): string[] {
  const { chosen, usual, objectives, stability } = sweep;
  if (chosen === null) return [];
  const { minWords, maxWords, silenceMs, maxWaitMs, id } = chosen.policy;
  const gate = `${minWords} to ${maxWords} words, silence ${seconds(silenceMs)}, wait ${seconds(maxWaitMs)}`;
  const same = usual.place === chosen.place;
  const rows = objectives.map(({ name }, at): Cell[] => {
    const [own, other] = [chosen.scores[name].value, usual.scores[name].value];
    const spread = stability?.spread[at];
    const ends = (pair: { low: number; high: number } | null | undefined, text: typeof scoreText): Cell =>
      pair === null || pair === undefined
        ? ''
        : { text: `${text(name, pair.low)} to ${text(name, pair.high)}`, tone: 'quiet' };
    return [
      `  ${OBJECTIVES[name].title}`,
      scoreText(name, own),
      ends(spread?.chosen, scoreText),
      ...(same
        ? []
        : [
            scoreText(name, other),
            own === null || other === null ? '–' : differenceText(name, own - other),
            ends(spread?.difference, (score, value) => (value === null ? '–' : differenceText(score, value))),
          ]),
    ];
  });
  const columns: Column[] = [
    { title: '' },
    { title: 'chosen', align: 'right' },
    { title: stability === null ? '' : '95 %', drop: 1 },
    ...(same
      ? []
      : [
          { title: 'default', align: 'right' as const },
          { title: 'differs by', align: 'right' as const },
          { title: stability === null ? '' : '95 %', drop: 1 },
        ]),
  ];
  const violated = usual.violations.map(({ constraint }) => constraint);
  const settings = settingShares(sweep).map(({ name, values }) => {
    const [value, times] = values[0] ?? [0, 0];
    return `${name} ${value} in ${percent(times, stability?.resamples ?? 1)}`;
  });
  return [
    `${style.paint(`Chosen: ${id}`, 'strong')}  ${gate}`,
    ...tableLines(columns, rows, style),
    ...(same ? quietLines('it is the default policy', style) : []),
    ...(violated.length === 0 ? [] : quietLines(`the default breaks ${violated.join(', ')}`, style)),
    ...prose(surenessText(sweep), style),
    ...(settings.length === 0 ? [] : quietLines(`settings chosen most often: ${settings.join(', ')}`, style)),
    ...quietLines(SAME_CASES, style),
  ];
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
