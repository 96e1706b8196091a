import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { Command, Option } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { writeAside } from '../../data/write-file.ts';
import { type ReviewLine, writeReviewLines } from '../../review/review-line.ts';
import { hasLangfuse } from '../../langfuse/client/has-langfuse.ts';
import { counted } from '../../text/figures.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { linesOfScores } from '../../review/lines-of-scores.ts';
import { personNamed } from '../../review/links.ts';
import { reviewLines } from '../../review/review-lines.ts';
import type { SentScores } from '../../review/send-scores.ts';
import { sheetsFor } from '../../review/sheets/sheets-for.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../review/snapshot.ts';
import type { Store } from '../../store/store.ts';
import { repeated } from '../dataset/repeated.ts';
import { refusePlaces, writeWhole } from '../write-whole.ts';

import { dataOption, type StoreFlags, storeOption, withStore } from './review-store.ts';

interface ExportFlags extends StoreFlags {
  readonly format: 'sheets' | 'csv' | 'jsonl' | 'langfuse';
  readonly out?: string;
  readonly reviewer?: readonly string[];
  readonly drafts?: boolean;
  readonly force?: boolean;
  readonly local?: boolean;
  readonly fromLangfuse?: boolean;
}

export function exportCommand(): Command {
  return storeOption(
    new Command('export')
      .description('sheets to fill in, or the answers as CSV, JSON lines or scores')
      .argument('<name>', 'of the review')
      .option('--out <place>', 'folder for sheets; file for csv and jsonl (usual: standard output)')
      .addOption(
        new Option('--format <what>', 'what to write')
          .choices(['sheets', 'csv', 'jsonl', 'langfuse'])
          .default('sheets'),
      )
      .addOption(repeated('--reviewer <who>', 'sheets of these people only'))
      .option('--drafts', 'csv, jsonl: also answers to items that are not committed')
      .option('--force', 'replace what is there')
      .option('--local', 'langfuse: the local store, also where the LANGFUSE_ keys are set')
      .option('--from-langfuse', 'csv, jsonl: the answers as Langfuse has them, also those that were given there'),
  )
    .addHelpText('after', HELP)
    .action(exportReview);
}

const HELP = `
sheets    a folder for each reviewer with outputs_for_human_review.csv and
          outputs_for_hallucination_check.csv, blinded, in the order of the
          queue, with the answers so far
csv       one line for each answer: case, system, reviewer, question, value
jsonl     the same as JSON lines: assay score … --reviews FILE reads both
langfuse  one score for each reviewer and question on the item's trace, in
          Langfuse where its keys are set, else in the local store, with a
          score config for each question (made where it is missing) and as
          annotations; read back, and an error where one is missing or differs;
          again changes only what people have changed

Examples:
  $ assay review export pilot --out sheets
  $ assay review export pilot --out sheets --reviewer Asha --force
  $ assay review export pilot --format jsonl --out pilot.jsonl
  $ assay review export pilot --format csv | less
  $ assay review export pilot --format langfuse
  $ assay review export pilot --format jsonl --from-langfuse --out back.jsonl`;

async function exportReview(name: string, flags: ExportFlags): Promise<void> {
  await withStore(flags, flags.format === 'langfuse' ? 'change' : 'look', async (store) => {
    const snapshot = loadSnapshot(store, name);
    switch (flags.format) {
      case 'sheets':
        return exportSheets(snapshot, flags);
      case 'csv':
      case 'jsonl':
        return exportLines(snapshot, flags.format, flags);
      case 'langfuse':
        return exportScores(store, snapshot, flags);
    }
  });
}

function exportSheets(snapshot: ReviewSnapshot, flags: ExportFlags): void {
  const { out, reviewer, force } = flags;
  const name = shellWord(snapshot.review.name);
  if (out === undefined) throw new UsageError('sheets go into a folder', 'name it with --out FOLDER');
  const reviewers = snapshot.people.filter(({ role }) => role === 'reviewer');
  const chosen = reviewer === undefined ? reviewers : reviewer.map((who) => personNamed(reviewers, who, 'reviewer'));
  if (chosen.length === 0)
    throw new UsageError('nobody reviews yet', `assay review links ${name} --add WHO${dataOption(flags)}`);
  const folders = chosen.map((person) => ({ person, folder: join(out, person.name) }));
  // Somebody may have filled them in: all are looked at before the first is written.
  const taken = folders.filter(({ folder }) => existsSync(folder) && readdirSync(folder).length > 0);
  if (taken.length > 0 && force !== true)
    throw new UsageError(
      `${taken.map(({ folder }) => folder).join(', ')}: there are files already, and somebody may have filled them in`,
      'import them first, name another folder with --out, or replace them with --force',
    );
  const written = folders.map(({ person, folder }) => {
    const sheets = sheetsFor(snapshot, person.id);
    for (const sheet of sheets)
      writeAside(join(folder, sheet.name), sheet.content, { next: 'choose another place with --out' });
    return { person, sheets };
  });
  for (const { person, sheets } of written)
    say(
      sheets.length === 0
        ? `${person.name}: nothing to fill in`
        : `${join(out, person.name)}: ${sheets.map((sheet) => sheet.name).join(', ')}`,
    );
  say(`Filled in: assay review import ${name} ${shellWord(join(out, 'WHO', 'FILE.csv'))}${dataOption(flags)}`);
}

async function exportLines(snapshot: ReviewSnapshot, format: 'csv' | 'jsonl', flags: ExportFlags): Promise<void> {
  const { out, drafts, force, fromLangfuse } = flags;
  refusePlaces([['--out', out]]);
  if (fromLangfuse === true && drafts === true)
    throw new UsageError('drafts never go to Langfuse', 'leave --drafts out, or --from-langfuse');
  const lines =
    fromLangfuse === true ? await langfuseLines(snapshot) : reviewLines(snapshot, { drafts: drafts === true });
  const text = writeReviewLines(lines, format);
  if (out === undefined || out === '-') {
    process.stdout.write(text);
    return;
  }
  if (existsSync(out) && force !== true)
    throw new UsageError(`${out} is there already`, 'name another file with --out, or replace it with --force');
  writeWhole(out, text, '--out');
  say(`${counted(lines.length, 'answer')} in ${out}`);
}

/** The answers that Langfuse has, with a word on annotations that are none of them. */
async function langfuseLines(snapshot: ReviewSnapshot): Promise<readonly ReviewLine[]> {
  if (!hasLangfuse(process.env))
    throw new UsageError('--from-langfuse needs Langfuse', 'set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY');
  const { fetchScores } = await import('../../review/send-scores.ts');
  const scores = await fetchScores(process.env, snapshot);
  if (scores === null) throw new UsageError('this Langfuse has no list of scores to read (/api/public/v3/scores)');
  const { lines, others } = linesOfScores(snapshot, scores);
  if (others > 0)
    process.stderr.write(`Note: ${counted(others, 'annotation')} on these traces answer no question of this review.\n`);
  return lines;
}

async function exportScores(store: Store, snapshot: ReviewSnapshot, { local, out }: ExportFlags): Promise<void> {
  if (out !== undefined) throw new UsageError('scores go to Langfuse or the local store', 'leave --out out');
  const { keepScores, sendScores } = await import('../../review/send-scores.ts');
  const isLocal = local === true || !hasLangfuse(process.env);
  say(told(isLocal ? keepScores(store, snapshot) : await sendScores(process.env, snapshot)));
}

function told({ scores, traces, tracesAre, removed, configs, readBack, place }: SentScores): string {
  return [
    `${counted(scores, 'score')} in ${place}`,
    ...(configs > 0 ? [`${counted(configs, 'score config')} made`] : []),
    ...(tracesAre === 'sent' && scores > 0
      ? [readBack === null ? 'not read back: this Langfuse has no list of scores' : 'all read back as they were sent']
      : []),
    ...(traces > 0
      ? [
          `${counted(traces, 'trace')} ${tracesAre} for items that ${tracesAre === 'made' ? 'had none' : 'have none of their own'}`,
        ]
      : []),
    ...(removed > 0 ? [`${counted(removed, 'score')} of answers that were taken back removed`] : []),
  ].join('; ');
}

function say(text: string): void {
  process.stdout.write(`${safeText(text)}\n`);
}
