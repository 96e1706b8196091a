import type { ExplainedCandidate, ExplainedMention } from '../tasks/stream/concepts/extractor.ts';
import { counted, figure } from '../text/figures.ts';
import { prose } from './prose.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, tableLines } from './table.ts';

const COLUMNS: readonly Column[] = [
  { title: 'mention', shrinks: true },
  { title: 'concept' },
  { title: 'name', shrinks: true },
  { title: 'score', align: 'right' },
  { title: '' },
];

/** The concepts of a text with the mentions that led to them; `all` shows also what came nowhere near. */
export function conceptsText(
  found: readonly string[],
  mentions: readonly ExplainedMention[] | null,
  all: boolean,
  style: Style,
): string {
  const summary = prose(
    found.length === 0 ? 'No concepts.' : `${counted(found.length, 'concept')}: ${found.join(' ')}`,
    style,
    '',
    '  ',
    'strong',
  );
  if (mentions === null)
    return `${[...summary, style.paint('This extractor does not say how it found them.', 'quiet')].join('\n')}\n`;
  const rows = grouped(mentions).flatMap(({ mention, times }) => mentionRows(mention, times, all));
  const table = rows.length === 0 ? [] : [...tableLines(COLUMNS, rows, style), ''];
  return `${[...table, ...summary].join('\n')}\n`;
}

interface Group {
  readonly mention: ExplainedMention;
  readonly times: number;
}

/** A text says the same thing often; what became of it is shown once. */
function grouped(mentions: readonly ExplainedMention[]): Group[] {
  const groups = new Map<string, { mention: ExplainedMention; times: number }>();
  for (const mention of mentions) {
    const key = JSON.stringify([mention.surface.toLowerCase(), mention.lookedUp, mention.dropped, mention.candidates]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { mention, times: 1 });
    else group.times += 1;
  }
  return [...groups.values()];
}

function mentionRows(mention: ExplainedMention, times: number, all: boolean): Cell[][] {
  const { surface, lookedUp, dropped, candidates } = mention;
  const searched = lookedUp === null ? surface : `${surface} = ${lookedUp}`;
  const name = times === 1 ? searched : `${searched} (${times} times)`;
  if (dropped !== null) return [[name, '', '', '', { text: dropped, tone: 'quiet' }]];
  const shown = candidates.filter((candidate) => all || candidate.dropped !== 'below threshold');
  return shown.map((candidate, at) => [at === 0 ? name : '', ...candidateCells(candidate)]);
}

function candidateCells({ id, name, alias, score, dropped }: ExplainedCandidate): Cell[] {
  const shown = name === null ? '' : alias === null || alias === name ? name : `${name} (${alias})`;
  const tone = dropped === null ? null : 'quiet';
  return [
    { text: id, tone },
    { text: shown, tone },
    { text: figure(score), tone },
    dropped === null ? { text: 'taken', tone: 'good' } : { text: dropped, tone },
  ];
}
