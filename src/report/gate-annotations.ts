import type { GateCheck } from '../compare/gate/check.ts';
import type { Gate } from '../compare/gate/judge-gate.ts';
import { counted } from '../text/figures.ts';
import { safeText } from './safe-text.ts';
import { countsText, demandText, gateNotices, gateTitle, nextText, whyText } from './gate-words.ts';

type Level = 'error' | 'warning' | 'notice';

/** GitHub shows ten annotations of a level for a step. */
const MOST = 10;

/**
 * Workflow commands of GitHub Actions: an error for every check that failed, a warning for every one that is
 * inconclusive and for what to mind, a notice of the whole. `file` is the rules' path in the repository, or null.
 */
export function gateAnnotations(gate: Gate, file: string | null): string {
  const title = gateTitle(gate.verdict);
  const of = (verdict: GateCheck['verdict']): GateCheck[] => gate.checks.filter((check) => check.verdict === verdict);
  const annotations = (level: Level, checks: readonly GateCheck[]): string[] =>
    checks.map((check) => {
      const next = nextText(check);
      return command(level, place(file, check.rule.line), demandText(check), [
        whyText(check),
        ...(next === null ? [] : [next]),
      ]);
    });
  const warnings = [
    ...gateNotices(gate).map((notice) => command('warning', place(file, null), title, [notice])),
    ...annotations('warning', of('inconclusive')),
  ];
  return [
    ...first('error', annotations('error', of('failed'))),
    ...first('warning', warnings),
    command('notice', place(file, null), title, [countsText(gate)]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function first(level: Level, lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST) return lines;
  const rest = `${counted(lines.length - MOST + 1, 'more check')}: see the output of the step`;
  return [...lines.slice(0, MOST - 1), command(level, {}, 'assay gate', [rest])];
}

function place(file: string | null, line: number | null): Readonly<Record<string, string>> {
  if (file === null) return {};
  return line === null ? { file } : { file, line: String(line) };
}

function command(
  level: Level,
  where: Readonly<Record<string, string>>,
  title: string,
  sentences: readonly string[],
): string {
  const properties = Object.entries({ ...where, title }).map(
    ([key, value]) => `${key}=${escapedProperty(safeText(value))}`,
  );
  return `::${level} ${properties.join(',')}::${escapedData(sentences.map(safeText).join('\n'))}`;
}

/** @example escapedData('100 %\nsure') // '100 %25%0Asure' */
export function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** @example escapedProperty('a: b, c') // 'a%3A b%2C c' */
export function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
