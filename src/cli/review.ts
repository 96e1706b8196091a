import { Command } from 'commander';

import { adjudicateCommand } from './review/adjudicate.ts';
import { backupCommand } from './review/backup.ts';
import { createCommand } from './review/create.ts';
import { exportCommand } from './review/export.ts';
import { historyCommand } from './review/history.ts';
import { importCommand } from './review/import.ts';
import { judgeCommand } from './review/judge.ts';
import { linksCommand } from './review/links.ts';
import { listCommand } from './review/list.ts';
import { peopleCommand } from './review/people.ts';
import { serveCommand } from './review/serve.ts';
import { reportCommand } from './review/report.ts';
import { statusCommand } from './review/status.ts';

/** Everything about what people say of answers; `end` takes a code that says more than done. */
export function reviewCommand(end: (code: number) => void): Command {
  const group = new Command('review').addHelpText(
    'after',
    `
A review freezes a form (the recipe's section review), items, people and orders.
Answers are only ever added, and live in the local store with their history
(.assay in this folder, --data, ASSAY_DATA), all in the one file store.db. For a
backup use assay review backup at any time; or copy the file, but only while
nothing has it open: stop assay review serve first. For the links to stay good
the copy needs review-secret of the same folder beside it.

Examples:
  $ assay review create pilot --recipe consult/ayurmind --cases cases.csv \\
      --predictions results_rag.jsonl --reviewer Asha:expert --adjudicator Jo
  $ assay review serve pilot                  in a browser, a link for each
  $ assay review export pilot --out sheets    or as sheets to fill in
  $ assay review import pilot sheets/Asha/*.csv
  $ assay review status pilot
  $ assay review adjudicate pilot
  $ assay review report pilot --out runs/pilot    what it all comes to
  $ assay review export pilot --format jsonl --out pilot.jsonl
  $ assay review backup --out backup.db       everything, while people work
  $ assay score consult/ayurmind --cases cases.csv \\
      --predictions results_rag.jsonl --reviews pilot.jsonl --out runs/rag`,
  );
  for (const command of [
    createCommand(),
    listCommand(),
    peopleCommand(),
    linksCommand(),
    serveCommand(),
    exportCommand(),
    importCommand(end),
    statusCommand(),
    adjudicateCommand(),
    judgeCommand(),
    reportCommand(),
    historyCommand(),
    backupCommand(),
  ])
    group.addCommand(command.showSuggestionAfterError(false).exitOverride());
  return group;
}
