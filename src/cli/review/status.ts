import { Command } from 'commander';

import { count, counted, figure, levelText } from '../../text/figures.ts';
import { wrapWords } from '../../report/display-width.ts';
import { safeJson } from '../../report/safe-json.ts';
import { shellWord } from '../../report/shell-word.ts';
import { type Style } from '../../report/style.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { tableLines } from '../../report/table.ts';
import type { AgreementFigure, Overview } from '../../review/api.ts';
import { overviewOf } from '../../review/overview.ts';
import { fieldsFor, missingCells } from '../../review/questions.ts';
import { contentOf } from '../../review/content-of.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../review/snapshot.ts';

import { dataOption, type StoreFlags, storeOption, withStore } from './review-store.ts';

interface StatusFlags extends StoreFlags {
  readonly json?: boolean;
}

/** What a person still has to answer, by question. */
interface Missing {
  readonly name: string;
  readonly items: number;
  readonly answers: Readonly<Record<string, number>>;
}

const MOST_DIVIDED = 5;

export function statusCommand(): Command {
  return storeOption(
    new Command('status')
      .description('progress, agreement so far, open conflicts, and who has what left')
      .argument('<name>', 'of the review')
      .option('--json', 'print it as JSON on standard output'),
  )
    .addHelpText(
      'after',
      `
Agreement is over committed answers, before any decision of an adjudicator; n is
the number of things that could be compared. The figures are those of assay
review report.

Examples:
  $ assay review status pilot
  $ assay review status pilot --json | jq '.conflicts.open'`,
    )
    .action(status);
}

async function status(name: string, flags: StatusFlags): Promise<void> {
  await withStore(flags, 'look', (store) => {
    const snapshot = loadSnapshot(store, name);
    // As a report has them: the overview itself is made for a page that somebody waits for.
    const overview = overviewOf(snapshot, { quick: false });
    const missing = missingOf(snapshot);
    if (flags.json === true)
      process.stdout.write(safeJson({ review: name, task: snapshot.review.task, ...overview, missing }));
    else process.stdout.write(`${textOf(snapshot, overview, missing, dataOption(flags)).join('\n')}\n`);
  });
}

function missingOf({ form, people, items, assignments, states }: ReviewSnapshot): Missing[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const stateOf = new Map(states.map((state) => [`${state.personId} ${state.itemId}`, state]));
  const queues = Map.groupBy(assignments, ({ personId }) => personId);
  return people.flatMap(({ id, name, role, groups, revokedAt }): Missing[] => {
    if (role !== 'reviewer' || revokedAt !== null) return [];
    const answers = new Map<string, number>();
    let open = 0;
    for (const { itemId } of queues.get(id) ?? []) {
      const item = byId.get(itemId);
      const state = stateOf.get(`${id} ${itemId}`);
      if (item === undefined || state?.committed === true) continue;
      open += 1;
      const asked = fieldsFor(form, groups, item);
      for (const { field } of missingCells(form, asked, state?.cells ?? [], contentOf(item).proposed))
        answers.set(field, (answers.get(field) ?? 0) + 1);
    }
    return open === 0 ? [] : [{ name, items: open, answers: Object.fromEntries(answers) }];
  });
}

function textOf(snapshot: ReviewSnapshot, overview: Overview, missing: readonly Missing[], data: string): string[] {
  const style = terminalStyle(process.stdout);
  const { review, form } = snapshot;
  const { items, conflicts } = overview;
  const name = shellWord(review.name);
  return [
    style.paint(`${review.name}: ${form.title}`, 'strong'),
    style.paint(
      `${counted(items.done, 'item')} of ${count(items.total)} done by everybody; ${counted(conflicts.open, 'conflict')} open, ${count(conflicts.decided)} decided`,
    ),
    '',
    ...peopleTable(overview, style),
    ...section('Agreement', agreementLines(overview.agreement, style)),
    ...section(
      'Still missing',
      missing.map(({ name: who, items: open, answers }) => {
        const parts = Object.entries(answers).map(([field, times]) => `${field} ${count(times)}`);
        const what = parts.length === 0 ? 'all answered, not committed' : parts.join(', ');
        return style.paint(`  ${who}: ${counted(open, 'item')} (${what})`);
      }),
    ),
    ...section('Divides people most', dividedTable(overview, style)),
    ...section('Model as a judge, beside the people', agreementLines(overview.judge, style)),
    ...(conflicts.open > 0 ? ['', `Decide: assay review adjudicate ${name}${data}`] : []),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function peopleTable({ people }: Overview, style: Style): string[] {
  return tableLines(
    [
      { title: 'Person', shrinks: true },
      { title: 'role' },
      { title: 'groups', shrinks: true, drop: 2 },
      { title: 'done', align: 'right' },
      { title: 'begun', align: 'right' },
      { title: 'of', align: 'right' },
      { title: 'last', drop: 1 },
    ],
    people.map(({ name, role, groups, done, begun, total, lastAt }) => {
      const works = role === 'reviewer';
      return [
        { text: name, tone: 'strong' as const },
        role,
        groups.join(', '),
        works ? count(done) : '',
        works ? count(begun) : '',
        works ? count(total) : '',
        lastAt === null ? '' : lastAt.slice(0, 16).replace('T', ' '),
      ];
    }),
    style,
    '  ',
  );
}

type Figure = AgreementFigure & { readonly expired?: string | null; readonly model?: string };

/**
 * Figures in a table for each coefficient, which two of them are not compared across; below it why some have no interval,
 * and what to mind; then those that have no value, by the reason.
 */
function agreementLines(figures: readonly Figure[], style: Style): string[] {
  const known = Map.groupBy(
    figures.filter(({ value }) => value !== null),
    ({ coefficient }) => coefficient,
  );
  const unknown = figures.filter(({ value }) => value === null);
  return [
    ...[...known].flatMap(([coefficient, own]) => [
      style.paint(`  ${coefficient}`),
      ...agreementTable(own, style),
      ...told(
        own,
        ({ interval, noInterval }) => (interval === null ? [`no interval: ${noInterval ?? ''}`] : []),
        style,
      ),
      ...told(own, ({ notes }) => notes, style),
    ]),
    ...told(unknown, (one) => [`${one.undefined ?? 'undefined'} (n = ${count(one.n)})`], style, false),
  ];
}

/** What is said of some figures, once for all of which it is said. A question speaks for its parts. */
function told(
  figures: readonly Figure[],
  said: (figure: Figure) => readonly string[],
  style: Style,
  isAside = true,
): string[] {
  const pairs = figures.flatMap((one) => said(one).map((text) => ({ one, text })));
  return [...Map.groupBy(pairs, ({ text }) => text)].flatMap(([text, all]) => {
    const whole = new Set(all.flatMap(({ one }) => (one.part === null ? [one.field] : [])));
    const names = all.flatMap(({ one }) => (one.part !== null && whole.has(one.field) ? [] : [nameOf(one)]));
    const lines = wrapWords(`${names.join(', ')}: ${text}`, style.width - 4);
    const [first, rest] = isAside ? ['  ! ', '    '] : ['  ', '  '];
    return lines.map((line, at) => style.paint(`${at === 0 ? first : rest}${line}`, 'quiet'));
  });
}

function agreementTable(figures: readonly Figure[], style: Style): string[] {
  return tableLines(
    [
      { title: 'question', shrinks: true },
      { title: 'value', align: 'right' },
      { title: 'interval' },
      { title: 'n', align: 'right' },
      { title: 'people', align: 'right', drop: 1 },
      { title: 'target' },
    ],
    figures.map((one) => {
      const met = one.met === null ? 'cannot tell' : one.met ? 'met' : 'not met';
      const target = one.target === null ? '' : `${figure(one.target)} ${met}`;
      const value = one.value === null ? '–' : figure(one.value);
      return [nameOf(one), value, intervalText(one), count(one.n), count(one.raters), one.expired ?? target];
    }),
    style,
    '    ',
  );
}

/** A figure of a model says which. */
function nameOf({ field, part, model }: Figure): string {
  const question = part === null ? field : `${field}.${part}`;
  return model === undefined ? question : `${question} (${model})`;
}

function intervalText({ interval }: AgreementFigure): string {
  if (interval === null) return '–';
  return `${figure(interval.low)} to ${figure(interval.high)} (${levelText(interval.level)})`;
}

function dividedTable({ divided }: Overview, style: Style): string[] {
  const apartOnes = divided.filter(({ apart }) => apart > 0).slice(0, MOST_DIVIDED);
  if (apartOnes.length === 0) return [];
  return tableLines(
    [
      { title: 'case' },
      { title: 'question', shrinks: true },
      { title: 'apart', align: 'right' },
      { title: 'answers', shrinks: true, drop: 1 },
    ],
    apartOnes.map(({ caseId, field, part, apart, values }) => [
      caseId,
      part === null ? field : `${field}.${part}`,
      figure(apart),
      values.map(({ value, count: times }) => `${times} × ${shown(value)}`).join(', '),
    ]),
    style,
    '  ',
  );
}

function shown(value: Overview['divided'][number]['values'][number]['value']): string {
  return typeof value === 'object' && value !== null ? counted(value.length, 'thing') : String(value);
}
