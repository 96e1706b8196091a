import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { Command } from 'commander';
import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { sourceOf } from '../../data/source.ts';
import { harmless, shorten, visible } from '../../data/visible.ts';
import { formatOf } from '../../formats/case-formats.ts';
import { type Plan, planRecipe } from '../../recipe/plan.ts';
import { evaluationJson, evaluationSummary, writeEvaluation } from '../../report/evaluation-files.ts';
import { evaluationText } from '../../report/evaluation-text.ts';
import { reportFiles } from '../../report/html/watch-report.ts';
import { renderTerminal } from '../../report/render-terminal.ts';
import { reviewDocument, reviewSummary, reviewSummaryJson } from '../../report/review-summary.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { evaluateConsult } from '../../review/evaluation.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../review/snapshot.ts';
import { readConsultFiles } from '../../formats/consult/consult-reader.ts';
import { exportFiles } from '../../tasks/file-exporter.ts';
import { nearestNames } from '../../text/nearest.ts';
import { repeated } from '../dataset/repeated.ts';
import { clearOnInterrupt } from '../interrupt.ts';
import { storedReviews } from '../reviews-of.ts';
import { type SystemFile, systemFiles } from '../system-file.ts';
import { shareBar, Progress } from '../progress.ts';
import { type StoreFlags, storeOption, withStore } from './review-store.ts';

interface ReportFlags extends StoreFlags {
  readonly out: string;
  readonly cases?: string;
  readonly predictions?: readonly string[];
  readonly recipe?: string;
  readonly set?: readonly string[];
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** What `review create` keeps of where the items come from. */
const originShape = z.looseObject({
  recipe: z.string(),
  set: z.array(z.string()).default([]),
  files: z.array(z.looseObject({ role: z.string(), name: z.string(), path: z.string().nullish(), sha256: z.string() })),
});
type Origin = z.infer<typeof originShape>;
type OriginFile = Origin['files'][number];

const CASES = 'cases';

export function reportCommand(): Command {
  return storeOption(
    new Command('report')
      .description('the evaluation with what people have said so far, as Markdown, HTML and JSON')
      .argument('<name>', 'of the review')
      .requiredOption('--out <folder>', 'write the report, and the runs behind it, here')
      .option('--cases <file>', 'consult: the cases (usual: the file that the review was made of)')
      .addOption(
        repeated('--predictions <[system=]file>', 'consult: what a system said; again for each (usual: the same)'),
      )
      .option('--recipe <recipe>', 'consult: score by this recipe (usual: that of the review)')
      .addOption(repeated('--set <path=value>', 'consult: change one line of the recipe; may be given again'))
      .option('--json', 'print the figures as JSON on standard output, everything else on standard error')
      .option('--quiet', 'print nothing but errors'),
  )
    .addHelpText('after', HELP)
    .action(report);
}

const HELP = `
Writes evaluation_summary_report.md, the same as .html, and evaluation.json.
A review of consultations is scored by its recipe, from the files it was made of
as long as they are unchanged in this folder. Of any other review the answers
themselves are counted.

Examples:
  $ assay review report pilot --out runs/pilot
  $ assay review report pilot --out runs/pilot --cases data/cases.csv \\
      --predictions rag=data/results_rag.jsonl
  $ assay review report letters --out runs/letters --json | jq '.agreement'`;

async function report(name: string, flags: ReportFlags): Promise<void> {
  const snapshot = await withStore(flags, 'look', (store) => loadSnapshot(store, name));
  if (formatOf(snapshot.review).answered !== undefined) return reportConsultations(snapshot, flags);
  const unused = (['cases', 'predictions', 'recipe', 'set'] as const).find((flag) => flags[flag] !== undefined);
  if (unused !== undefined)
    throw new UsageError(
      `--${unused} is for reviews of consultations, and ${visible(shorten(name))} is of ${snapshot.review.task}`,
      'leave it out: the answers themselves are counted',
    );
  const summary = reviewSummary(snapshot);
  const document = reviewDocument(summary);
  const json = reviewSummaryJson(summary);
  exportFiles(evaluationSummary, { document, json }, flags.out);
  told(flags, json, (style) => renderTerminal(document, style));
}

async function reportConsultations(snapshot: ReviewSnapshot, flags: ReportFlags): Promise<void> {
  const origin = originOf(snapshot);
  const set = [...(flags.recipe === undefined ? (origin?.set ?? []) : []), ...(flags.set ?? [])];
  const plan = frozen(await planRecipe(recipeOf(origin, flags), set), snapshot);
  const { cases, answers } = inputs(snapshot, origin, flags);
  const files = await readConsultFiles(
    sourceOf(cases),
    answers.map(({ system, path }) => ({ system, source: sourceOf(path) })),
    plan,
  );
  const line = new Progress(process.stderr, flags.quiet === true);
  const evaluation = await evaluateConsult(plan, files, storedReviews(snapshot, plan, files), {
    out: flags.out,
    set,
    watch: reportFiles(),
    onOpen: clearOnInterrupt,
    progress: (system, share) => line.show(() => `${shareBar(share)}  ${safeText(system)}: intervals`),
  }).finally(() => line.end());
  await writeEvaluation(flags.out, evaluation);
  told(flags, evaluationJson(evaluation), (style) => evaluationText(evaluation, style, flags.out));
}

function told(flags: ReportFlags, json: string, text: (style: ReturnType<typeof terminalStyle>) => string): void {
  if (flags.json === true) process.stdout.write(json);
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  stream.write(text(terminalStyle(stream)));
}

function originOf({ review }: ReviewSnapshot): Origin | null {
  const parsed = originShape.safeParse(review.origin);
  return parsed.success ? parsed.data : null;
}

function recipeOf(origin: Origin | null, { recipe }: ReportFlags): string {
  if (recipe !== undefined) return recipe;
  if (origin === null) throw new UsageError('the review does not say by which recipe it was made', 'give --recipe');
  return origin.recipe;
}

/** What people were asked is what the review froze, whatever the recipe says today. */
function frozen(plan: Plan, { form, review }: ReviewSnapshot): Plan {
  if (plan.task !== review.task)
    throw new UsageError(
      `${plan.name} is for ${plan.task}, and the review is of consultations`,
      'give another --recipe',
    );
  return { ...plan, review: form, resolved: { ...plan.resolved, review: form } };
}

interface Inputs {
  readonly cases: string;
  readonly answers: readonly SystemFile[];
}

/** The files that were named, or those that the review was made of. */
function inputs(snapshot: ReviewSnapshot, origin: Origin | null, flags: ReportFlags): Inputs {
  const known = [...new Set(snapshot.items.flatMap(({ system }) => (system === null ? [] : [system])))];
  // A system may be called as the role of the cases is; theirs is written last.
  const ofCases = origin?.files.findLast(({ role }) => role === CASES);
  const ofSystems = origin?.files.filter((file) => file !== ofCases) ?? [];
  const answers =
    flags.predictions === undefined
      ? ofSystems.map((file) => ({ system: file.role, path: unchanged(file, '--predictions') }))
      : systemFiles(flags.predictions).map((given) => ofReview(given, known));
  if (answers.length === 0)
    throw new UsageError('the review does not say which answers it was made of', 'give --predictions name=FILE');
  if (flags.cases === undefined && ofCases === undefined)
    throw new UsageError('the review does not say which cases it was made of', 'give --cases FILE');
  const cases = flags.cases ?? unchanged(ofCases!, '--cases');
  if ([cases, ...answers.map(({ path }) => path)].filter((path) => path === '-').length > 1)
    throw new UsageError('standard input (-) can be read once only', 'give the other files by name');
  noteChanged(cases, ofCases);
  for (const { system, path } of answers)
    noteChanged(
      path,
      ofSystems.find(({ role }) => role === system),
    );
  return { cases, answers };
}

/** A file under the name of one of the review's systems: what people said goes by that name. */
function ofReview(found: SystemFile, known: readonly string[]): SystemFile {
  const { system } = found;
  if (known.includes(system)) return found;
  const near = nearestNames(system, known);
  const names = near.length > 0 ? near : known;
  throw new UsageError(
    `the review has no answers of a system ${visible(shorten(system))}`,
    `name it as the review does: ${names
      .slice(0, 10)
      .map((one) => `--predictions ${shellWord(`${one}=FILE`)}`)
      .join(' or ')}`,
  );
}

/** Where the file is now; refused where it is gone, or no longer what reviewers saw. */
function unchanged(file: OriginFile, flag: string): string {
  const places = [...(file.path == null ? [] : [file.path]), file.name];
  const found = places.find((path) => existsSync(path) && statSync(path).isFile());
  const next = `run it where the file is, or name it with ${flag}${flag === '--cases' ? ' FILE' : ` ${shellWord(`${file.role}=FILE`)}`}`;
  if (found === undefined)
    throw new UsageError(
      `${visible(file.name)}, of which the review was made, is not in ${harmless(resolve('.'))}`,
      next,
    );
  const now = sha256(found);
  if (now !== file.sha256)
    throw new UsageError(
      `${harmless(found)} has changed since the review was made of it (sha256 ${file.sha256.slice(0, 12)}… then, ${now.slice(0, 12)}… now): people judged other answers`,
      `bring the file back, or say that you want this one with ${flag}`,
    );
  return found;
}

/** A file that was asked for by name is taken, but what is not what people saw is said. */
function noteChanged(path: string, file: OriginFile | undefined): void {
  if (path === '-' || file === undefined || !existsSync(path) || !statSync(path).isFile()) return;
  if (sha256(path) === file.sha256) return;
  process.stderr.write(
    `Note: ${safeText(path)} is not the file that the review was made of: what people said may be about other words.\n`,
  );
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
