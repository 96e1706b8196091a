import { type Problem, problemText } from '../data/problems.ts';
import type { DataCheck } from '../audit/check-data.ts';
import { count, counted } from '../text/figures.ts';
import { evidenceLines } from './audit.ts';
import { SEVERITY_LOOKS, sentence } from './audit-words.ts';
import { prose } from './prose.ts';
import type { Style } from './style.ts';
import { tableLines } from './table.ts';

const LABELS_SHOWN = 40;

/** What a check of files found: problems first, then what is odd, then what there is. */
export function dataCheckText(check: DataCheck, style: Style): string {
  const { files, cases, problems, findings, labels, skipped, recipe } = check;
  const { total, shown } = problems;
  const sections = [
    [
      ...prose(`Data for ${recipe}: ${counted(cases, 'case')}`, style, '', '', 'strong'),
      ...files.flatMap(({ role, name, format, rows }) =>
        prose(`${role} ${name}: ${counted(rows, 'record')}, read as ${format}`, style, '  ', '    ', 'quiet'),
      ),
    ],
    shown.flatMap((problem) => problemLines(problem, style)),
    total > shown.length ? [`… and ${count(total - shown.length)} more problems`] : [],
    ...findings.map(({ name, severity, title, todo, ...behind }) => [
      `${style.paint(`${SEVERITY_LOOKS[severity].symbol} ${severity}`, SEVERITY_LOOKS[severity].tone)}  ${style.paint(name, 'quiet')}`,
      ...prose(sentence(title), style, '  ', '  '),
      ...prose(`To do: ${todo}`, style, '  ', '  '),
      ...evidenceLines(behind, style),
    ]),
    labelLines(labels, style),
    skipped.flatMap((what) => prose(`Not checked: ${what}`, style, '', '  ', 'quiet')),
    prose(verdict(check), style, '', '', total === 0 ? 'good' : 'bad'),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function verdict({ problems: { total }, findings }: DataCheck): string {
  const warnings = findings.filter(({ severity }) => severity !== 'note').length;
  const odd = warnings === 0 ? 'nothing to look at' : `${counted(warnings, 'finding')} to look at`;
  return total === 0
    ? `The files can be scored; ${odd}.`
    : `${counted(total, 'problem')}: the files cannot be scored as they are.`;
}

function problemLines(problem: Problem, style: Style): string[] {
  return prose(problemText(problem), style, `${style.paint('✗', 'bad')} `, '  ');
}

function labelLines(labels: DataCheck['labels'], style: Style): string[] {
  if (labels.length === 0) return [];
  const isMapped = labels.some(({ becomes }) => becomes !== null);
  const rows = labels
    .slice(0, LABELS_SHOWN)
    .map(({ label, becomes, gold, predicted }) => [
      label,
      ...(isMapped ? [becomes ?? ''] : []),
      count(gold),
      count(predicted),
    ]);
  const columns = [
    { title: 'label', shrinks: true },
    ...(isMapped ? [{ title: 'predicted becomes', shrinks: true }] : []),
    { title: 'gold', align: 'right' as const },
    { title: 'predicted', align: 'right' as const },
  ];
  const more = labels.length > rows.length ? [`… and ${count(labels.length - rows.length)} more labels`] : [];
  return [...tableLines(columns, rows, style), ...more];
}
