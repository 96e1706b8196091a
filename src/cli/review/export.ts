import { existsSync } from 'node:fs';

import { plural, hasLangfuse, safeText, shellWord, shorten, UsageError, visible } from '../../plugin.ts';
import {
  correctedGold,
  fetchReviewScores,
  keepReviewScores,
  linesOfScores,
  type Remedy,
  type ReviewLine,
  reviewLines,
  type ReviewSnapshot,
  sendReviewScores,
  type SentScores,
  type Store,
  type UnresolvedThing,
  writeGold,
  writeReviewLines,
} from '../../review.ts';
import { DATA_FLAG } from '../backend-of.ts';
import { command, type CommandResult, type Terminal } from '../command.ts';
import * as flag from '../flags.ts';
import { refusePlaces, writeWhole } from '../write-whole.ts';
import { dataOption, REVIEW_NAME, withReview } from './review-store.ts';
import { writeSheets } from './write-sheets.ts';

const FLAGS = {
  out: flag.string('<place>', 'folder for sheets; file for csv and jsonl (default: standard output)'),
  format: flag.choice(['sheets', 'csv', 'jsonl', 'langfuse'], '<what>', 'what to write', 'sheets'),
  gold: flag.string('<file>', 'file or folder to write the corrected gold annotations to'),
  to: flag.string('<format>', 'gold: format of the file (default: the one that fits)'),
  unresolved: flag.choice(['error', 'keep-gold'], '<how>', 'gold: what to do where reviewers have not agreed', 'error'),
  provenance: flag.toggle('gold: write into each item whether it is gold, corrected or added'),
  reviewer: flag.strings('<who>', 'reviewer whose sheets are written (default: all)'),
  drafts: flag.toggle('csv, jsonl: also answers to items that are not committed'),
  force: flag.toggle('replace existing files'),
  local: flag.toggle('langfuse: use the local store, even if the LANGFUSE_ keys are set'),
  fromLangfuse: flag.toggle('csv, jsonl: the answers as Langfuse has them, also those given there'),
  data: DATA_FLAG,
};

type ExportFlags = flag.FlagValues<typeof FLAGS>;

export const exportCommand = command({
  name: 'export',
  arguments: REVIEW_NAME,
  flags: FLAGS,
  help: `
sheets    a folder for each reviewer with outputs_for_human_review.csv and
          outputs_for_hallucination_check.csv, blinded, in the order of the
          queue, with the answers so far
csv       one line for each answer: case, system, reviewer, question, value
jsonl     the same as JSON lines: assay score … --reviews FILE reads both
langfuse  one score for each reviewer and question on the item's trace, in
          Langfuse if its keys are set, else in the local store, with a score
          config for each question (created if it is missing) and as
          annotations; read back, and an error if one is missing or differs;
          again changes only what reviewers have changed

--gold writes the gold annotations of the files that the review was made of,
with what reviewers corrected, added and rejected: all cases, ready for assay
score … --gold FILE. Gold that reviewers were not shown stays as it is. If
reviewers have not agreed on something, that is an error, unless you keep the
gold there with --unresolved keep-gold.

Examples:
  $ assay review export pilot --out sheets
  $ assay review export pilot --out sheets --reviewer Asha --force
  $ assay review export pilot --format jsonl --out pilot.jsonl
  $ assay review export pilot --format csv | less
  $ assay review export pilot --format langfuse
  $ assay review export pilot --format jsonl --from-langfuse --out back.jsonl
  $ assay review export letters --gold gold.jsonl --provenance`,
  run: (flags, terminal) =>
    withReview<CommandResult | void>(flags, flags.format === 'langfuse' ? 'change' : 'look', (snapshot, store) => {
      if (flags.gold !== undefined) return exportGold(snapshot, flags, flags.gold, terminal);
      switch (flags.format) {
        case 'sheets':
          return exportSheets(snapshot, flags);
        case 'csv':
        case 'jsonl':
          return exportLines(snapshot, flags.format, flags, terminal);
        case 'langfuse':
          return exportScores(store, snapshot, flags, terminal);
      }
    }),
});

function exportSheets(snapshot: ReviewSnapshot, { out, reviewer, force, ...flags }: ExportFlags): CommandResult {
  if (out === undefined) throw new UsageError('sheets go into a folder', 'name it with --out FOLDER');
  const sections = writeSheets(snapshot, { out, reviewer, force, ...flags });
  return { document: () => ({ title: `Sheets of ${snapshot.review.name}`, sections }) };
}

async function exportLines(
  snapshot: ReviewSnapshot,
  format: 'csv' | 'jsonl',
  { out, drafts, force, fromLangfuse }: ExportFlags,
  terminal: Terminal,
): Promise<void> {
  if (fromLangfuse && drafts)
    throw new UsageError('drafts never go to Langfuse', 'leave --drafts out, or --from-langfuse');
  const file = out === '-' ? undefined : out;
  refusePlaces([['--out', file]]);
  const lines = fromLangfuse ? await langfuseLines(snapshot, terminal) : reviewLines(snapshot, { drafts });
  const text = writeReviewLines(lines, format);
  if (file === undefined) return terminal.print(text);
  if (existsSync(file) && !force)
    throw new UsageError(`${file} exists already`, 'name another file with --out, or replace it with --force');
  writeWhole(file, text, '--out');
  terminal.print(safeText(`${plural(lines.length, 'answer')} in ${file}`) + '\n');
}

const UNRESOLVED_SHOWN = 10;

async function exportGold(
  snapshot: ReviewSnapshot,
  { to, unresolved: policy, provenance, out, format, force, ...flags }: ExportFlags,
  file: string,
  terminal: Terminal,
): Promise<void> {
  if (out !== undefined || format !== 'sheets')
    throw new UsageError('--gold writes gold annotations, and nothing else', 'leave --out and --format out');
  if (file === '-') throw new UsageError('--gold needs the name of a file', 'for example --gold gold.jsonl');
  if (existsSync(file) && !force)
    throw new UsageError(`${file} exists already`, 'name another file with --gold, or replace it with --force');
  const corrected = await correctedGold(snapshot, provenance);
  const { cases, counts, unresolved } = corrected;
  const isOpen = unresolved.length > 0;
  const open = `${plural(unresolved.length, 'item')} of ${visible(snapshot.review.name)} ${unresolved.length === 1 ? 'is' : 'are'} unresolved`;
  if (isOpen) terminal.note(`${open}:`);
  for (const one of unresolved.slice(0, UNRESOLVED_SHOWN)) terminal.note(`  ${safeText(unresolvedText(one))}`);
  if (unresolved.length > UNRESOLVED_SHOWN) terminal.note(`  and ${unresolved.length - UNRESOLVED_SHOWN} more`);
  if (isOpen && policy === 'error') {
    const call = (name: string): string =>
      `assay review ${name} ${shellWord(snapshot.review.name)}${dataOption(flags)}`;
    const remedies: Readonly<Record<Remedy, string>> = {
      finish: `wait for reviewers (${call('status')})`,
      add: `add reviewers (${call('links')} --add WHO)`,
      decide: `decide the conflicts (${call('adjudicate')})`,
      correct: 'ask the reviewers to correct their answers',
    };
    const wanted = new Set(unresolved.map(({ remedy }) => remedies[remedy]));
    throw new UsageError(
      'gold cannot be exported while anything is unresolved',
      `${[...wanted].join(', ')}; or keep the gold there with --unresolved keep-gold`,
    );
  }
  await writeGold(snapshot, corrected, file, to);
  const sums = `${plural(cases.length, 'case')}: ${counts.gold} kept, ${counts.corrected} corrected, ${counts.added} added, ${counts.dropped} dropped`;
  terminal.print(safeText(`Gold annotations of ${sums}, in ${file}`) + '\n');
}

function unresolvedText({ case: id, system, text, because }: UnresolvedThing): string {
  const whose = system === null ? '' : ` (${visible(system)})`;
  return `${visible(shorten(id))}${whose} ${visible(shorten(text, 60))}: ${because}`;
}

/** The answers that Langfuse has, with a note on annotations that are none of them. */
async function langfuseLines(snapshot: ReviewSnapshot, { note }: Terminal): Promise<readonly ReviewLine[]> {
  if (!hasLangfuse(process.env))
    throw new UsageError('--from-langfuse needs Langfuse', 'set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY');
  const scores = await fetchReviewScores(process.env, snapshot);
  if (scores === null) throw new UsageError('this Langfuse has no list of scores to read (/api/public/v3/scores)');
  const { lines, others } = linesOfScores(snapshot, scores);
  if (others > 0) note(`Note: ${plural(others, 'annotation')} on these traces answer no question of this review.`);
  return lines;
}

async function exportScores(
  store: Store,
  snapshot: ReviewSnapshot,
  { local, out }: ExportFlags,
  terminal: Terminal,
): Promise<void> {
  if (out !== undefined) throw new UsageError('scores go to Langfuse or the local store', 'leave --out out');
  const isLocal = local || !hasLangfuse(process.env);
  const sent = isLocal ? keepReviewScores(store, snapshot) : await sendReviewScores(process.env, snapshot);
  terminal.print(`${safeText(scoresText(sent))}\n`);
}

function scoresText({ scores, traces, tracesAre, removed, configs, readBack, place }: SentScores): string {
  const withoutTrace = tracesAre === 'made' ? 'had none' : 'have no trace yet';
  return [
    `${plural(scores, 'score')} in ${place}`,
    ...(configs > 0 ? [`${plural(configs, 'score config')} made`] : []),
    ...(tracesAre === 'sent' && scores > 0
      ? [readBack === null ? 'not read back: this Langfuse has no list of scores' : 'all read back as they were sent']
      : []),
    ...(traces > 0 ? [`${plural(traces, 'trace')} ${tracesAre} for items that ${withoutTrace}`] : []),
    ...(removed > 0 ? [`${plural(removed, 'score')} of answers that were taken back removed`] : []),
  ].join('; ');
}
