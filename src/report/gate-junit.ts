import type { GateCheck } from '../compare/gate/check.ts';
import type { Gate } from '../compare/gate/judge-gate.ts';
import { shownCases } from './gate-cases.ts';
import { xmlText } from './svg/markup.ts';
import { countsOf, demandText, gateNotices, nextText, whyText } from './gate-words.ts';

/**
 * JUnit XML: a test case for every check. What is inconclusive is an error, not skipped: CI systems take what is skipped
 * for good. There is no time in it, so that the same run gives the same bytes.
 */
export function gateJunit(gate: Gate): string {
  const counts = countsOf(gate);
  const totals = {
    tests: gate.checks.length,
    failures: counts.failed,
    errors: counts['inconclusive'],
    skipped: counts.skipped,
  };
  const names = uniqueNames(gate.checks);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    open('testsuites', { name: 'assay gate', ...totals }),
    `  ${open('testsuite', { name: `assay gate ${gate.run.folder}`, ...totals })}`,
    '    <properties>',
    ...properties(gate).map(([name, value]) => `      ${open('property', { name, value }, '/>')}`),
    '    </properties>',
    ...gate.checks.flatMap((check, at) => testCase(gate, check, names[at]!)),
    ...caseLines(gate),
    '  </testsuite>',
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function properties({ verdict, run, baseline, rules }: Gate): [string, string][] {
  return [
    ['verdict', verdict],
    ['rules', rules.file],
    ['run', run.folder],
    ['signature', run.manifest.signature],
    ...(baseline === null ? [] : ([['baseline', baseline]] satisfies [string, string][])),
  ];
}

function testCase({ rules: { file } }: Gate, check: GateCheck, name: string): string[] {
  const { line } = check.rule;
  const start = open('testcase', { name, classname: 'assay.gate', file, ...(line === null ? {} : { line }) });
  const why = whyText(check);
  const next = nextText(check);
  const body = [why, ...(next === null ? [] : [next])].map(xmlText).join('\n');
  const inner: Record<GateCheck['verdict'], string> = {
    passed: `<system-out>${body}</system-out>`,
    failed: `${open('failure', { message: why, type: 'failed' })}${body}</failure>`,
    inconclusive: `${open('error', { message: why, type: 'inconclusive' })}${body}</error>`,
    skipped: open('skipped', { message: why }, '/>'),
  };
  return [`    ${start}`, `      ${inner[check.verdict]}`, '    </testcase>'];
}

/** CI systems join test cases of the same name. */
function uniqueNames(checks: readonly GateCheck[]): string[] {
  const seen = new Map<string, number>();
  return checks.map((check) => {
    const name = demandText(check);
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (rule ${check.rule.number})`;
  });
}

/** What to mind and which cases to look at, for readers of the suite. */
function caseLines(gate: Gate): string[] {
  const lines = [
    ...gateNotices(gate).map((notice) => `! ${notice}`),
    ...gate.cases.flatMap((list) => {
      const { title, rows, command } = shownCases(list, gate.run.folder, list.cases.length);
      return [title, ...rows.map(([id, what]) => `  ${id}${what === '' ? '' : `  ${what}`}`), `  ${command}`];
    }),
  ];
  return lines.length === 0 ? [] : [`    <system-out>${lines.map(xmlText).join('\n')}</system-out>`];
}

function open(name: string, attributes: Readonly<Record<string, string | number>>, end: '>' | '/>' = '>'): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(String(value))}"`);
  return `<${name}${written.join('')}${end}`;
}
