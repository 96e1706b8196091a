import type { CaseList } from '../compare/gate/case-lists.ts';
import type { GateCheck } from '../compare/gate/check.ts';
import type { Gate } from '../compare/gate/judge-gate.ts';
import { shorten } from '../data/visible.ts';
import { namingOf, type RunNaming } from '../score/run-about.ts';
import { count, plural, figure } from '../text/figures.ts';
import { sliceText } from './comparison-words.ts';
import { gateCounts, countsText, demandText, gateNotices, gateTitle, nextText, whyText } from './gate-words.ts';
import { safeJson } from './safe-json.ts';
import { safeText } from './safe-text.ts';
import { caseOption, shellWord } from './shell-word.ts';
import { xmlText } from './svg/markup.ts';

/**
 * JUnit XML: a test case for every check. What is inconclusive is an error, not skipped: CI systems take what is skipped
 * for good. There is no time in it, so that the same run gives the same bytes.
 */
export function gateJunit(gate: Gate): string {
  const counts = gateCounts(gate);
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
    `  ${open('testsuite', { name: `assay gate ${gate.run.about?.name ?? gate.run.folder}`, ...totals })}`,
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

function properties({ verdict, run, baseline, baselineName, rules }: Gate): [string, string][] {
  const { name = null, note = null, tags = {} } = run.about ?? {};
  const all: [string, string | null][] = [
    ['verdict', verdict],
    ['rules', rules.file],
    ['run', run.folder],
    ['run.name', name],
    ['run.note', note],
    ...Object.entries(tags).map(([key, value]): [string, string] => [`run.tag.${key}`, value]),
    ['signature', run.manifest.signature],
    ['baseline', baseline],
    ['baseline.name', baselineName],
  ];
  return all.filter((one): one is [string, string] => one[1] !== null);
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

/** The gate as JSON for other programs, with the sentences that a person would be shown. Safe to print. */
export function gateJson(gate: Gate): string {
  const { run, compared } = gate;
  const { inconclusive: cannotTell, ...counts } = gateCounts(gate);
  const value = {
    verdict: gate.verdict,
    counts: { ...counts, cannotTell },
    rules: gate.rules.file,
    run: { folder: run.folder, ...namingOfRun(run), signature: run.manifest.signature, cases: run.measures.cases },
    baseline:
      gate.baseline === null
        ? null
        : {
            folder: gate.baseline,
            ...(gate.baselineName === null ? {} : { name: gate.baselineName }),
            signature: compared?.systems[0]?.signature ?? null,
          },
    notices: gateNotices(gate),
    checks: gate.checks.map((check) => ({
      rule: check.rule.number,
      line: check.rule.line,
      demand: demandText(check),
      measure: check.rule.measure,
      slice: check.slice,
      verdict: check.verdict,
      reason: check.reason.kind,
      ...check.found,
      why: whyText(check),
      next: nextText(check),
    })),
    cases: gate.cases.map((list) => {
      const { title, command } = shownCases(list, run.folder, list.cases.length);
      return { title, ...list, command };
    }),
  };
  // A runner of GitHub takes ##[ for a command.
  return safeJson(value).replaceAll('##[', '#\\u0023[');
}

function namingOfRun({ about }: Gate['run']): RunNaming {
  return about === undefined ? {} : namingOf(about);
}

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
      return annotation(level, place(file, check.rule.line), demandText(check), [
        whyText(check),
        ...(next === null ? [] : [next]),
      ]);
    });
  const warnings = [
    ...gateNotices(gate).map((notice) => annotation('warning', place(file, null), title, [notice])),
    ...annotations('warning', of('inconclusive')),
  ];
  return [
    ...first('error', annotations('error', of('failed'))),
    ...first('warning', warnings),
    annotation('notice', place(file, null), title, [countsText(gate)]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function first(level: Level, lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST) return lines;
  const rest = `${plural(lines.length - MOST + 1, 'more check')}: see the output of the step`;
  return [...lines.slice(0, MOST - 1), annotation(level, {}, 'assay gate', [rest])];
}

function place(file: string | null, line: number | null): Readonly<Record<string, string>> {
  if (file === null) return {};
  return line === null ? { file } : { file, line: String(line) };
}

function annotation(
  level: Level,
  where: Readonly<Record<string, string>>,
  title: string,
  sentences: readonly string[],
): string {
  const details = Object.entries({ ...where, title }).map(
    ([key, value]) => `${key}=${escapedProperty(safeText(value))}`,
  );
  return `::${level} ${details.join(',')}::${escapedData(sentences.map(safeText).join('\n'))}`;
}

/** @example escapedData('100 %\nsure') // '100 %25%0Asure' */
export function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** @example escapedProperty('a: b, c') // 'a%3A b%2C c' */
export function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A list of cases as a report shows it: what they have in common, and each with what is wrong with it. */
interface ShownCases {
  readonly title: string;
  readonly rows: readonly (readonly [id: string, what: string])[];
  /** How many there are beyond the rows. */
  readonly more: number;
  /** Shows the verdicts of these cases in their texts. */
  readonly command: string;
}

const LONGEST = 120;

export function shownCases(list: CaseList, folder: string, most: number, program = 'assay'): ShownCases {
  const rows = rowsOf(list).slice(0, most);
  const where = Object.keys(list.slice).length === 0 ? '' : ` (${sliceText(list.slice)})`;
  const scheme = list.slice['scheme'];
  const options = [
    ...rows.map(([id]) => caseOption(id)),
    ...(scheme === undefined ? [] : [`--scheme=${shellWord(scheme)}`]),
  ];
  return {
    title: `${titleOf(list)}${where}`,
    rows,
    more: list.total - rows.length,
    command: `${program} explain ${shellWord(folder)} ${options.join(' ')}`,
  };
}

function titleOf(list: CaseList): string {
  switch (list.kind) {
    case 'errors':
      return list.by === 'both' ? 'Worst cases' : `Worst cases, by ${list.by} items`;
    case 'values':
      return `Worst cases, by ${list.measure}`;
    case 'moved':
      return `Cases that became worse, by ${list.measure}`;
    case 'failed':
      return 'Cases that failed';
    case 'unanswered':
      return 'Cases without a prediction';
    case 'undefined':
      return `Cases without ${list.measure}`;
  }
}

function rowsOf(list: CaseList): (readonly [string, string])[] {
  switch (list.kind) {
    case 'errors':
      return list.cases.map((one) => [
        one.case,
        `missed ${count(one.missed)}, spurious ${count(one.spurious)}, hit ${count(one.hit)}`,
      ]);
    case 'values':
      return list.cases.map((one) => [one.case, figure(one.value)]);
    case 'moved':
      return list.cases.map((one) => [one.case, `${figure(one.baseline)} before, ${figure(one.other)} now`]);
    case 'failed':
      return list.cases.map((one) => [one.case, shorten(one.why, LONGEST)]);
    case 'unanswered':
    case 'undefined':
      return list.cases.map((one) => [one.case, '']);
  }
}
