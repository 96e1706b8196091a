import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { shorten, visible } from '../../data/visible.ts';
import { count } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { tableLines } from '../../report/table.ts';
import { type HistoryEntry, reviewHistory } from '../../review/history.ts';
import { personNamed } from '../../review/links.ts';
import { loadSnapshot } from '../../review/snapshot.ts';
import { compareNatural } from '../../text/compare.ts';
import { nearestNames } from '../../text/nearest.ts';
import { wholeNumber } from '../whole-number.ts';
import { type StoreFlags, storeOption, withStore } from './review-store.ts';

interface HistoryFlags extends StoreFlags {
  readonly case?: string;
  readonly reviewer?: string;
  readonly field?: string;
  readonly last?: string;
  readonly json?: boolean;
}

const USUAL = 50;
const MOST = 1_000_000;

export function historyCommand(): Command {
  return storeOption(
    new Command('history')
      .description('everything that was ever answered or decided, in its order: nothing is overwritten')
      .argument('<name>', 'of the review')
      .option('--case <id>', 'of one case')
      .option('--reviewer <who>', 'by one person')
      .option('--field <name>', 'of one question')
      .option('--last <n>', `only the last so many (default: ${USUAL}; with --json all)`)
      .option('--json', 'print one JSON line for each on standard output'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ assay review history pilot
  $ assay review history pilot --reviewer Asha --case C04
  $ assay review history pilot --field claims --json > claims-history.jsonl`,
    )
    .action(history);
}

async function history(name: string, flags: HistoryFlags): Promise<void> {
  const last =
    flags.last === undefined ? (flags.json === true ? MOST : USUAL) : wholeNumber('--last', flags.last, 1, MOST);
  const all = await withStore(flags, 'look', (store) => {
    const snapshot = loadSnapshot(store, name);
    if (flags.field !== undefined && !Object.hasOwn(snapshot.form.fields, flags.field))
      throw new UsageError(
        `the form has no question ${visible(shorten(flags.field))}`,
        `questions: ${Object.keys(snapshot.form.fields).join(', ')}`,
      );
    if (flags.case !== undefined) refuseUnknown(flags.case, new Set(snapshot.items.map(({ caseId }) => caseId)));
    const who = flags.reviewer === undefined ? null : personNamed(snapshot.people, flags.reviewer).name;
    return reviewHistory(store, snapshot).filter(
      (one) =>
        (who === null || one.who === who) &&
        (flags.case === undefined || one.case_id === flags.case) &&
        (flags.field === undefined || one.field === flags.field),
    );
  });
  const shown = all.slice(-last);
  if (flags.json === true) {
    for (const one of shown) process.stdout.write(safeJson(one, 0));
    return;
  }
  const isFiltered = [flags.case, flags.reviewer, flags.field].some((one) => one !== undefined);
  if (all.length === 0)
    process.stdout.write(isFiltered ? 'Nothing was answered with these filters.\n' : 'Nothing was answered yet.\n');
  else process.stdout.write(`${tableOf(shown).join('\n')}\n`);
  if (shown.length < all.length)
    process.stdout.write(`The last ${count(shown.length)} of ${count(all.length)}; --last N shows more.\n`);
}

const MOST_NAMED = 10;

function refuseUnknown(given: string, cases: ReadonlySet<string>): void {
  if (cases.has(given)) return;
  const names = (ids: readonly string[]): string[] => ids.map((id) => visible(shorten(id)));
  const near = names(nearestNames(given, cases));
  const some = names([...cases].sort(compareNatural).slice(0, MOST_NAMED));
  throw new UsageError(
    `the review has no case ${visible(shorten(given))}`,
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : `cases: ${some.join(', ')}${cases.size > MOST_NAMED ? ', …' : ''}`,
  );
}

const LONGEST = 60;

function tableOf(all: readonly HistoryEntry[]): string[] {
  return tableLines(
    [
      { title: 'When', drop: 1 },
      { title: 'who' },
      { title: 'case', shrinks: true },
      { title: 'question', shrinks: true },
      { title: 'answer', shrinks: true },
    ],
    all.map((one) => [
      one.at.slice(0, 19).replace('T', ' '),
      one.kind === 'decision' ? `${one.who} (decides)` : one.who,
      one.system === null ? one.case_id : `${one.case_id} ${one.system}`,
      one.part === null ? one.field : `${one.field}.${one.part}`,
      shorten(wordsOf(one), LONGEST),
    ]),
    terminalStyle(process.stdout),
  );
}

function wordsOf({ value, because }: HistoryEntry): string {
  const said =
    value === null
      ? 'taken back'
      : typeof value === 'object'
        ? `${value.length} things: ${value.map(({ label }) => label ?? '–').join(', ')}`
        : String(value);
  return because === null || because === '' ? said : `${said}: ${because}`;
}
