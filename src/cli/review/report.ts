import type { Plan } from '../../index.ts';
import { formatOf, openSystems, plainNaming, planRecipe } from '../../pipeline.ts';
import { closestNames, shellWord, shorten, sourceOf, taskTitle, UsageError, visible } from '../../plugin.ts';
import { reportFiles } from '../../report.ts';
import {
  evaluate,
  evaluationJson,
  evaluationSummary,
  evaluationText,
  exportFiles,
  isOriginal,
  originalFile,
  originOf,
  type RecordedOrigin,
  reviewDocument,
  type ReviewSnapshot,
  reviewSummary,
  reviewSummaryJson,
  writeEvaluation,
} from '../../review.ts';
import { DATA_FLAG } from '../backend-of.ts';
import { command, type CommandResult, type Terminal } from '../command.ts';
import * as flag from '../flags.ts';
import { clearOnInterrupt } from '../interrupt.ts';
import { NAMING_FLAGS, namingOfFlags } from '../naming-flags.ts';
import { storedReviews } from '../reviews-of.ts';
import { answerFiles, systemFiles, type SystemPaths } from '../system-file.ts';
import { REVIEW_NAME, withReview } from './review-store.ts';

const FLAGS = {
  out: flag.required(flag.string('<folder>', 'folder to write the report, and the runs behind it, to')),
  cases: flag.inputFiles('consult: cases (default: the file that the review was made of)'),
  predictions: flag.strings('<[system=]file>', 'consult: model output, once for each system (default: the same)'),
  recipe: flag.string('<recipe>', 'consult: recipe to score by (default: that of the review)'),
  set: flag.strings('<path=value>', 'consult: setting of the recipe to change'),
  note: { ...NAMING_FLAGS.note, about: 'consult: note on the runs, which are named after the review' },
  tag: { ...NAMING_FLAGS.tag, about: 'consult: tag of the runs; repeatable' },
  data: DATA_FLAG,
  json: flag.JSON,
  quiet: flag.QUIET,
};

type ReportFlags = flag.FlagValues<typeof FLAGS>;

export const reviewReportCommand = command({
  name: 'report',
  arguments: REVIEW_NAME,
  flags: FLAGS,
  help: `
Writes evaluation_summary_report.md, the same as .html, and evaluation.json.
A review of consultations is scored by its recipe, from the files it was made of
as long as they are unchanged in this folder. Of any other review the answers
themselves are counted.

Examples:
  $ assay review report pilot --out runs/pilot
  $ assay review report pilot --out runs/pilot --cases data/cases.csv \\
      --predictions rag=data/results_rag.jsonl
  $ assay review report letters --out runs/letters --json | jq '.agreement'`,
  async run(flags, terminal) {
    const snapshot = await withReview(flags, 'look', (review) => review);
    const { task } = snapshot.review;
    if (formatOf(snapshot.review).answered !== undefined) return reportConsultations(snapshot, flags, terminal);
    const unused = (['cases', 'predictions', 'recipe', 'set', 'note', 'tag'] as const).find(
      (key) => (flags[key] ?? '').length > 0,
    );
    if (unused !== undefined)
      throw new UsageError(
        `--${unused} is for reviews of consultations, and ${visible(shorten(flags.name))} is of ${taskTitle(task)}`,
        'leave it out: the answers themselves are counted',
      );
    const summary = reviewSummary(snapshot);
    const document = reviewDocument(summary);
    const json = reviewSummaryJson(summary);
    exportFiles(evaluationSummary, { document, json }, flags.out);
    return { document: () => document, json: () => json };
  },
});

async function reportConsultations(
  snapshot: ReviewSnapshot,
  flags: ReportFlags,
  { progress, print, note, style }: Terminal,
): Promise<CommandResult> {
  const origin = originOf(snapshot);
  const recipe = flags.recipe ?? origin?.recipe;
  if (recipe === undefined)
    throw new UsageError('the review does not record by which recipe it was made', 'give --recipe');
  const set = [...(flags.recipe === undefined ? (origin?.set ?? []) : []), ...flags.set];
  const plan = withForm(await planRecipe(recipe, set), snapshot);
  const { cases, answers } = await inputFiles(snapshot, origin, flags, note);
  const systems = answers.map(({ system, paths }) => ({ system, source: sourceOf(...paths) }));
  const opened = await openSystems({ cases: sourceOf(...cases), systems }, plan);
  const evaluation = await evaluate(opened, storedReviews(snapshot, plan, await opened.hold()), {
    ...plainNaming({ name: snapshot.review.name }),
    ...namingOfFlags({ tag: flags.tag, ...flag.defined({ note: flags.note }) }),
    out: flags.out,
    set,
    watch: reportFiles(),
    onOpen: clearOnInterrupt,
    progress: (system, share) => void progress.at(share, `${system}: intervals`),
  });
  progress.end();
  await writeEvaluation(flags.out, evaluation);
  print(evaluationText(evaluation, style, flags.out));
  return { json: () => evaluationJson(evaluation) };
}

/** Reviewers were asked what the review froze, whatever the recipe asks today. */
function withForm(plan: Plan, { form, review }: ReviewSnapshot): Plan {
  if (plan.task !== review.task)
    throw new UsageError(
      `${plan.name} is for ${taskTitle(plan.task)}, and the review is of consultations`,
      'give another --recipe',
    );
  return { ...plan, review: form, resolved: { ...plan.resolved, review: form } };
}

/** The files that were named, or those that the review was made of. */
async function inputFiles(
  { items }: ReviewSnapshot,
  origin: RecordedOrigin | null,
  flags: ReportFlags,
  note: Terminal['note'],
): Promise<{ readonly cases: readonly string[]; readonly answers: readonly SystemPaths[] }> {
  const known = [...new Set(items.flatMap(({ system }) => system ?? []))];
  // A system may be called as the role of the cases is; theirs is written last.
  const files = origin?.files ?? [];
  const last = files.findLast(({ role }) => role === 'cases');
  const ofCases = files.filter((file) => (known.includes('cases') ? file === last : file.role === 'cases'));
  const ofSystems = files.filter((file) => !ofCases.includes(file));
  const answers =
    flags.predictions.length === 0
      ? await Promise.all(
          [...Map.groupBy(ofSystems, ({ role }) => role)].map(async ([system, inputs]) => ({
            system,
            paths: await Promise.all(
              inputs.map((file) => originalFile(file, '--predictions', shellWord(`${system}=FILE`))),
            ),
          })),
        )
      : systemFiles(answerFiles(flags.predictions, note)).map((file) => ofReview(file, known));
  if (answers.length === 0)
    throw new UsageError('the review does not record which answers it was made of', 'give --predictions name=FILE');
  if (flags.cases.length + ofCases.length === 0)
    throw new UsageError('the review does not record which cases it was made of', 'give --cases FILE');
  const cases =
    flags.cases.length > 0
      ? flags.cases
      : await Promise.all(ofCases.map((file) => originalFile(file, '--cases', 'FILE')));
  if ([...cases, ...answers.flatMap(({ paths }) => paths)].filter((path) => path === '-').length > 1)
    throw new UsageError('standard input (-) can be read once only', 'give the other files by name');
  // A file that was asked for by name is used, even if reviewers saw another.
  const used = [
    { paths: cases, originals: ofCases },
    ...answers.map(({ system, paths }) => ({ paths, originals: ofSystems.filter(({ role }) => role === system) })),
  ];
  for (const { paths, originals } of used)
    for (const path of originals.length === 0 ? [] : paths) {
      if (await isOriginal(path, originals)) continue;
      note(
        `Note: ${path} is not the file that the review was made of: the answers of reviewers may be about other words.`,
      );
    }
  return { cases, answers };
}

/** A file under the name of one of the review's systems, by which reviewers' answers are kept. */
function ofReview(file: SystemPaths, known: readonly string[]): SystemPaths {
  const { system } = file;
  if (known.includes(system)) return file;
  const near = closestNames(system, known);
  const names = (near.length > 0 ? near : known).slice(0, 10);
  throw new UsageError(
    `the review has no answers of a system ${visible(shorten(system))}`,
    `use its name in the review: ${names.map((name) => `--predictions ${shellWord(`${name}=FILE`)}`).join(' or ')}`,
  );
}
