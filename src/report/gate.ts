import type { GateCheck, CheckVerdict } from '../compare/gate/check.ts';
import { type Gate, verdictOf } from '../compare/gate/judge-gate.ts';
import { count, levelText } from '../text/figures.ts';
import { type Document, type List, type StatusMark, MARKS, type Section, type Table } from './document.ts';
import { shownCases } from './gate-formats.ts';
import { poolingRemarks } from './pooling.ts';
import { programName } from './program-name.ts';
import {
  countsText,
  demandText,
  endsText,
  checkValueText,
  gateNotices,
  gateTitle,
  isByInterval,
  nextText,
  whyText,
} from './gate-words.ts';

/** A comment on a pull request takes 65,536 characters. */
const MOST_ROWS = 40;
const MOST_REASONS = 20;
const CASES_SHOWN = { terminal: 3, page: 10 };

export const GATE_MARKS: Readonly<Record<CheckVerdict, StatusMark>> = {
  passed: 'passed',
  failed: 'error',
  inconclusive: 'inconclusive',
  skipped: 'skipped',
};

/** The verdict first, then every check, why those that did not pass did not, and which cases to look at. */
export function gateDocument(gate: Gate): Document {
  const { checks, run, baseline, baselineName, rules, verdict } = gate;
  const good = checks.filter((check) => !isBad(check));
  const reasoned = checks.filter((check) => isBad(check) || check.reason.kind === 'identical');
  const names = new Set(checks.map(({ rule }) => rule.measure));
  const measured = run.measures.measures.filter((value) => names.has(value.name));
  const remarks = poolingRemarks(measured).map((text) => ({ text, tone: 'quiet' }) as const);
  const notes = [...methodNote(checks), ...remarks];
  const name = (text: string) => ({ text, code: true });
  const called = (given: string | null = null): string => (given === null ? '' : `${given}, `);
  return {
    title: `${gateTitle(verdict)}: ${countsText(gate)}`,
    mark: GATE_MARKS[verdict],
    about: [
      { text: 'Rules ' },
      name(rules.file),
      { text: ` on ${called(run.about?.name)}` },
      name(run.folder),
      ...(baseline === null ? [] : [{ text: `, against ${called(baselineName)}` }, name(baseline)]),
    ],
    sections: [
      { blocks: [{ list: gateNotices(gate), mark: 'warning' }] },
      { blocks: [checkTable(checks), ...notes], on: 'terminal' },
      { blocks: [checkTable(checks.filter(isBad)), ...notes], on: 'page' },
      { blocks: [reasons(reasoned)] },
      {
        title: countsText({ checks: good }),
        folded: good.length < checks.length,
        blocks: [checkTable(good)],
        on: 'page',
      },
      ...gate.cases.flatMap((list): Section[] =>
        (['terminal', 'page'] as const).map((on) => {
          const program = on === 'terminal' ? programName() : 'assay';
          const { title, rows, more, command } = shownCases(list, run.folder, CASES_SHOWN[on], program);
          const all = { text: command, tone: 'strong', whole: true } as const;
          return {
            title,
            on,
            folded: true,
            ...(more > 0 ? { about: `${rows.length} of ${count(rows.length + more)}` } : {}),
            blocks: [
              { list: rows.map(([id, what]) => [name(id), { text: what === '' ? '' : `  ${what}` }]) },
              on === 'terminal' ? all : { code: command, language: 'sh' },
            ],
          };
        }),
      ),
      { title: 'Signature', folded: true, blocks: [{ code: run.manifest.signature }], on: 'page' },
    ],
  };
}

/** Values against the limits that a call gave; `system` is named if there are several. */
export function limitDocument(checks: readonly GateCheck[], system: string | null): Document {
  const verdict = verdictOf(checks);
  return {
    title: `${system === null ? 'Limits' : `Limits of ${system}`}: ${countsText({ checks })}`,
    mark: GATE_MARKS[verdict],
    sections: [
      { blocks: [checkTable(checks)] },
      { blocks: [reasons(checks.filter(isBad))] },
      {
        blocks: [
          {
            text: '--fail-under goes by the value alone, however little data it rests on. assay gate can also demand it of the interval (sure: true) and a minimum of cases.',
            tone: 'quiet',
          },
        ],
      },
    ],
  };
}

function isBad({ verdict }: GateCheck): boolean {
  return verdict === 'failed' || verdict === 'inconclusive';
}

/** Names the intervals that decided, which a score table can show differently. */
function methodNote(checks: readonly GateCheck[]): { readonly text: string; readonly tone: 'quiet' }[] {
  const methods = checks.flatMap(({ rule, found }) => (isByInterval(rule) ? (found.interval?.method ?? []) : []));
  if (methods.length === 0) return [];
  const names = [...new Set(methods)].join(', ');
  return [
    {
      text: `sure and notWorseThan use gate intervals (${names}). A score table can show narrower ones.`,
      tone: 'quiet',
    },
  ];
}

/** Of many checks those that did not pass, and as many others as there is room for. */
function checkTable(checks: readonly GateCheck[]): Table {
  const isKept = new Set([...checks.filter(isBad), ...checks.filter((check) => !isBad(check))].slice(0, MOST_ROWS));
  const level = checks.find(({ found }) => found.interval !== null)?.found.interval?.level ?? null;
  return {
    columns: [
      { title: 'verdict' },
      { title: 'rule', shrinks: true },
      { title: 'found', align: 'right' },
      ...(level === null ? [] : [{ title: `${levelText(level)} interval` }]),
      { title: 'n', align: 'right', drop: 1 },
    ],
    rows: checks
      .filter((check) => isKept.has(check))
      .map((check) => {
        const { found, rule, verdict } = check;
        const { symbol, tone } = MARKS[GATE_MARKS[verdict]];
        const n = rule.kind === 'share' ? found.cases : found.n;
        return [
          { text: `${symbol} ${verdict}`, tone },
          { text: demandText(check), code: true },
          { text: checkValueText(check), tone: 'strong' },
          ...(level === null ? [] : [endsText(check)]),
          { text: n === null ? '' : count(n), tone: 'quiet' },
        ];
      }),
    total: checks.length,
    rest: '; --json shows all',
  };
}

function reasons(checks: readonly GateCheck[]): List {
  return {
    list: checks.slice(0, MOST_ROWS).map((check) => {
      const next = nextText(check);
      const note = `${whyText(check)}${next === null ? '' : ` ${next}`}`;
      return { item: { text: demandText(check), code: true }, note, mark: GATE_MARKS[check.verdict] };
    }),
    shown: MOST_REASONS,
    total: checks.length,
  };
}
