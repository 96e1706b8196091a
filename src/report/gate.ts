import type { Check } from '../compare/gate/check.ts';
import type { Gate } from '../compare/gate/judge-gate.ts';
import { count, levelText } from '../text/figures.ts';
import { shownCases } from './gate-cases.ts';
import { endsText, foundText } from './gate-figures.ts';
import { countsText, gateNotices, gateTitle } from './gate-summary.ts';
import { demandText, GATE_LOOKS, nextText, whyText } from './gate-words.ts';
import { programName } from './program-name.ts';
import { prose } from './prose.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, tableLines } from './table.ts';

const MOST_ROWS = 40;
const MOST_REASONS = 20;
const CASES_SHOWN = 3;

/** What a person sees: the verdict, every check, why those that were not passed were not, and which cases to look at. */
export function gateText(gate: Gate, style: Style): string {
  const sections = [
    header(gate, style),
    gateNotices(gate).flatMap((notice) => prose(notice, style, style.paint('! ', 'warn'), '  ')),
    table(gate, style),
    reasons(gate, style),
    ...gate.cases.map((list) => caseLines(shownCases(list, gate.run.folder, CASES_SHOWN, programName()), style)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function header(gate: Gate, style: Style): string[] {
  const { symbol, tone } = GATE_LOOKS[gate.verdict];
  const against = gate.baseline === null ? '' : `, against ${gate.baseline}`;
  return [
    `${style.paint(`${symbol} ${gateTitle(gate.verdict)}`, tone)}  ${style.paint(countsText(gate))}`,
    ...prose(`Rules ${gate.rules.file} on ${gate.run.folder}${against}`, style, '', ''),
  ];
}

function table({ checks }: Gate, style: Style): string[] {
  const level = checks.find(({ found }) => found.interval !== null)?.found.interval?.level ?? null;
  const columns: Column[] = [
    { title: 'Verdict' },
    { title: 'rule', shrinks: true },
    { title: 'found', align: 'right' },
    ...(level === null ? [] : [{ title: `${levelText(level)} interval` }]),
    { title: 'n', align: 'right', drop: 1 },
  ];
  const { shown, more } = rowsToShow(checks);
  const rows = shown.map((check): Cell[] => {
    const { symbol, tone } = GATE_LOOKS[check.verdict];
    const { found, rule } = check;
    const n = rule.kind === 'share' ? found.cases : found.n;
    return [
      { text: `${symbol} ${check.verdict}`, tone },
      demandText(check),
      { text: foundText(check), tone: 'strong' },
      ...(level === null ? [] : [endsText(check)]),
      { text: n === null ? '' : count(n), tone: 'quiet' },
    ];
  });
  return [...tableLines(columns, rows, style), ...more.map((line) => style.paint(line, 'quiet'))];
}

/** Of many checks those that were not passed, and as many others as there is room for. */
function rowsToShow(checks: readonly Check[]): { shown: readonly Check[]; more: string[] } {
  if (checks.length <= MOST_ROWS) return { shown: checks, more: [] };
  const isBad = ({ verdict }: Check): boolean => verdict === 'failed' || verdict === 'cannot tell';
  const bad = checks.filter(isBad).slice(0, MOST_ROWS);
  const good = checks.filter((check) => !isBad(check)).slice(0, MOST_ROWS - bad.length);
  const kept = new Set([...bad, ...good]);
  const left = checks.length - kept.size;
  return { shown: checks.filter((check) => kept.has(check)), more: [`… and ${count(left)} more; --json shows all`] };
}

function reasons({ checks }: Gate, style: Style): string[] {
  const told = checks.filter(
    ({ verdict, reason }) => verdict === 'failed' || verdict === 'cannot tell' || reason.kind === 'identical',
  );
  const lines = told.slice(0, MOST_REASONS).flatMap((check) => {
    const { symbol, tone } = GATE_LOOKS[check.verdict];
    const next = nextText(check);
    return [
      ...prose(demandText(check), style, style.paint(`${symbol} `, tone), '  '),
      ...prose(`${whyText(check)}${next === null ? '' : ` ${next}`}`, style, '  ', '  '),
    ];
  });
  const left = told.length - MOST_REASONS;
  return left > 0 ? [...lines, style.paint(`… and ${count(left)} more; --json shows all`, 'quiet')] : lines;
}

function caseLines({ title, rows, more, command }: ReturnType<typeof shownCases>, style: Style): string[] {
  const all = rows.length + more;
  return [
    `${style.paint(title, 'strong')}${more > 0 ? style.paint(`  ${rows.length} of ${count(all)}`, 'quiet') : ''}`,
    ...tableLines(
      [{ title: '', shrinks: true }, { title: '' }],
      rows.map(([id, what]) => (what === '' ? [id] : [id, { span: what }])),
      style,
      '  ',
    ),
    `  ${style.paint(command, 'strong')}`,
  ];
}
