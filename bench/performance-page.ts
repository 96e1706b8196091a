import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Findings, Mark } from './in-turns.ts';

const PAGE = join(import.meta.dirname, '../docs/performance.md');

/** What a part of the benchmark found, as tables in Markdown: also what is printed. */
export function findingsText({ measured, marks, absent = [], parts = [] }: Findings): string {
  const base = measured[0];
  return [
    table(
      ['mark', 'measured', 'bound', 'met'],
      marks.map((mark) => [
        mark.name,
        valueText(mark),
        `at ${mark.at} ${mark.mark.toLocaleString('en')}`,
        metText(mark),
      ]),
    ),
    table(
      ['command', 'CPU', 'wall time', 'peak memory', 'CPU / first row'],
      [
        ...measured.map(({ name, cpu, wall, peakMiB }) => [
          name,
          `${figure(cpu)} s`,
          `${figure(wall)} s`,
          `${peakMiB.toFixed(0)} MiB`,
          figure(cpu / base!.cpu),
        ]),
        ...absent.map((name) => [name, 'not installed', '', '', '']),
      ],
    ),
    table(
      ['what the time goes into', 'CPU', 'CPU / first row above'],
      parts.map(([name, cpu]) => [name, `${figure(cpu)} s`, figure(cpu / base!.cpu)]),
    ),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

/** Marks as a list; of scoring, which readers compare with other tools, the commands too. */
function findingsList(part: string, { measured, marks, absent = [] }: Findings): string {
  const found = marks.map((mark) => {
    const { name, at, mark: bound, met } = mark;
    const outcome = met === null ? 'not judged' : met ? 'met' : 'not met';
    return `- ${name}: ${valueText(mark)} (at ${at} ${bound.toLocaleString('en')}: ${outcome})`;
  });
  const commands = measured.map(
    ({ name, cpu, peakMiB }) => `- ${name}: ${figure(cpu)} s CPU, ${peakMiB.toFixed(0)} MiB`,
  );
  if (part !== 'score') return found.join('\n');
  return [...found, '', ...commands, ...absent.map((name) => `- ${name}: not installed`)].join('\n').trimEnd();
}

/** Puts what the parts that ran have found between the markers that the page has for them. */
export function writePage(results: Readonly<Record<string, Findings>>, setup: string): void {
  let page = readFileSync(PAGE, 'utf8');
  for (const [name, findings] of Object.entries(results)) {
    const [begin, end] = [`<!-- bench:${name} -->\n`, `<!-- /bench:${name} -->`];
    const [from, to] = [page.indexOf(begin), page.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`docs/performance.md has no ${begin.trim()} followed by ${end}`);
    page = `${page.slice(0, from)}${begin}\n${setup}\n\n${findingsList(name, findings)}\n\n${page.slice(to)}`;
  }
  writeFileSync(PAGE, page);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]!.length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |\n`;
  return line(head) + line(widths.map((width) => '-'.repeat(width))) + rows.map(line).join('');
}

function valueText({ value, unit, note }: Mark): string {
  if (value === null) return note ?? '';
  return `${figure(value)}${unit === 'times' ? '' : ` ${unit}`}${note === null ? '' : ` (${note})`}`;
}

function metText({ met }: Mark): string {
  return met === null ? '–' : met ? 'yes' : 'no';
}

function figure(value: number): string {
  return Math.abs(value) >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') : value.toFixed(2);
}
