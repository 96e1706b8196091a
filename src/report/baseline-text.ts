import type { Comparison } from '../compare/comparison.ts';
import { arrowLegend } from './arrows.ts';
import { comparisonNotices } from './comparison-notices.ts';
import { verdictTable } from './comparison-tables.ts';
import { isOverall, systemName } from './comparison-words.ts';
import { programName } from './program-name.ts';
import { terminalLines } from './render-terminal.ts';
import { shellWord } from './shell-word.ts';
import type { Style } from './style.ts';

/** What somebody who scored against a baseline sees below the summary: the verdicts, and where the rest is. */
export function baselineText(
  comparison: Comparison,
  style: Style,
  forced: boolean,
  system: string | null = null,
): string {
  const overall = comparison.measures.filter(isOverall);
  const folders = comparison.systems.map(({ folder }) => shellWord(folder));
  // With the slices, as here: p values are corrected for them too.
  const command = `${programName()} compare ${folders.join(' ')} --slices${forced ? ' --force' : ''}`;
  const title = `${system === null ? 'Against' : `${system} against`} ${systemName(comparison, 0)}`;
  const lines = [
    ...terminalLines(
      [
        { ...verdictTable(comparison, 1, title, overall), remarks: arrowLegend(overall) },
        { list: comparisonNotices(comparison), mark: 'warning' },
      ],
      style,
    ),
    '',
    `${style.paint('Effect sizes, cases that moved'.padEnd(32))}${style.paint(command, 'strong')}`,
  ];
  return `\n${lines.join('\n')}\n`;
}
