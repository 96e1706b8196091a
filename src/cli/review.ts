import { commandGroup } from './group.ts';

const HELP = `
A review freezes a form (the section review of the recipe), items, people and
orders. Answers are only ever added; they are in the local store with their
history (.assay in this folder, --data, ASSAY_DATA), all in one file, store.db.
For a backup use assay review backup at any time; or copy the file, but only
while nothing has it open: stop assay review serve first. For links to stay
valid, the copy needs review-secret of the same folder next to it.

Examples:
  $ assay review create pilot --recipe consult/ayurmind --cases cases.csv \\
      --predictions results_rag.jsonl --reviewer Asha:expert --adjudicator Jo
  $ assay review serve pilot                  in a browser, one link each
  $ assay review export pilot --out sheets    or as sheets to fill in
  $ assay review import pilot sheets/Asha/*.csv
  $ assay review status pilot
  $ assay review adjudicate pilot
  $ assay review report pilot --out runs/pilot    the evaluation so far
  $ assay review export pilot --format jsonl --out pilot.jsonl
  $ assay review backup --out backup.db       everything, while reviewers work
  $ assay score consult/ayurmind --cases cases.csv \\
      --predictions results_rag.jsonl --reviews pilot.jsonl --out runs/rag`;

export default commandGroup('review', HELP, {
  create: [
    'create a review: freeze the form, the items, the reviewers and the order',
    async () => (await import('./review/create.ts')).createReviewCommand,
  ],
  list: ['list the reviews', async () => (await import('./review/list.ts')).listReviewsCommand],
  people: [
    'list the members of a review with their roles and groups',
    async () => (await import('./review/people.ts')).peopleCommand,
  ],
  links: [
    'print everybody’s link to the review app; add, renew or revoke one',
    async () => (await import('./review/links.ts')).linksCommand,
  ],
  serve: [
    'serve the review app: a link for every member, until Ctrl-C',
    async () => (await import('./review/serve.ts')).reviewServeCommand,
  ],
  export: [
    'export sheets to fill in, or the answers as CSV, JSON lines or scores',
    async () => (await import('./review/export.ts')).exportCommand,
  ],
  import: [
    'import completed sheets, as any spreadsheet saves them',
    async () => (await import('./review/import.ts')).importSheetsCommand,
  ],
  status: [
    'show progress, agreement so far, open conflicts and remaining work',
    async () => (await import('./review/status.ts')).statusCommand,
  ],
  adjudicate: [
    'list conflicts and decide them; decisions are kept with author and reason',
    async () => (await import('./review/adjudicate.ts')).adjudicateCommand,
  ],
  judge: [
    'ask a model the questions of the form; its answers are kept apart',
    async () => (await import('./review/judge.ts')).judgeCommand,
  ],
  report: [
    'write the evaluation with the reviews so far, as Markdown, HTML and JSON',
    async () => (await import('./review/report.ts')).reviewReportCommand,
  ],
  history: [
    'list every answer and decision in order; nothing is overwritten',
    async () => (await import('./review/history.ts')).historyCommand,
  ],
  backup: [
    'copy the whole store to one file, even while reviewers work',
    async () => (await import('./review/backup.ts')).backupCommand,
  ],
});
