import { basename } from 'node:path';

import { planFor, runAnswers } from '../../experiment.ts';
import type { Plan } from '../../index.ts';
import { formatOf, planRecipe, presetNames, presetText } from '../../pipeline.ts';
import {
  commandTable,
  plural,
  type Document,
  filledTable,
  type HashedSource,
  hashedSource,
  mapFiles,
  safeJson,
  shellWord,
  shorten,
  type Source,
  sourceOf,
  storedDigest,
  UNSAFE,
  UsageError,
  VERSION,
  visible,
} from '../../plugin.ts';
import {
  checkPeople,
  type CreatedReview,
  createReview,
  expiryOf,
  parsePerson,
  type PersonInit,
  readTextFolder,
  reviewSecret,
  type ReviewSection,
  sourceOfAnswer,
  sourcesOfCases,
  type Store,
  unnamedPlaces,
  USUAL_DAYS,
} from '../../review.ts';
import { localFolder } from '../backend-of.ts';
import { command } from '../command.ts';
import { DATA_FLAGS, dataSettings } from '../data-flags.ts';
import * as flag from '../flags.ts';
import { answerFiles, nameOfFile, systemFiles } from '../system-file.ts';
import { MEMBER_COLUMNS, membersOf } from './people.ts';
import { dataOption, REVIEW_FLAGS, REVIEW_NAME, type StoreFlags, withStore } from './review-store.ts';

const LONGEST_NAME = 80;
/** The server indexes them within seconds, and keeps them in memory. */
const MOST_SOURCE_BYTES = 16 << 20;

const FLAGS = {
  recipe: flag.required(flag.string('<recipe>', 'preset or recipe file with a review section')),
  cases: flag.inputFiles('cases; - is standard input'),
  gold: flag.inputFiles('gold annotations, hidden from reviewers'),
  predictions: flag.strings('<[system=]file>', 'model output, once for each system'),
  run: flag.string('<folder>', 'run folder of assay run, whose items and outputs are reviewed'),
  reviewer: flag.strings('<who[:group,…]>', 'reviewer; without a group: asked everything'),
  reviewers: flag.strings('<[group:]n>', 'number of reviewers to be named later; form: as many as the form wants'),
  sources: flag.string('<folder>', 'texts (.txt, .md) that reviewers can search next to the item'),
  adjudicator: flag.strings('<who>', 'adjudicator, who decides if reviewers differ'),
  owner: flag.strings('<who>', 'owner, who sees progress and agreement (default: owner)'),
  seed: flag.integer('<number>', 'seed of order and assignment', { from: 0, to: 0xffffffff }, 42),
  expires: flag.string('<time>', 'lifetime of the links: 90d, 12w, 12h, 30m', `${USUAL_DAYS}d`),
  ...DATA_FLAGS,
  ...REVIEW_FLAGS,
};

type CreateFlags = flag.FlagValues<typeof FLAGS>;

export const createReviewCommand = command({
  name: 'create',
  arguments: REVIEW_NAME,
  flags: FLAGS,
  help: `
Each item goes to as many reviewers of each group as the form asks for; who gets
which, and in which order, follows from the seed. Reviewers never see which
system gave an answer, the gold annotations, or an automatic score.

Examples:
  $ assay review create pilot --recipe consult/ayurmind --cases cases.csv \\
      --predictions rag=results_rag.jsonl --predictions results_vanilla.jsonl \\
      --reviewer Asha:expert --reviewer Ravi:expert,annotator \\
      --reviewer Meera:expert --adjudicator Jo --owner Kim --seed 7
  $ assay review create letters --recipe pii/review --cases docs.json \\
      --reviewer Ann --reviewer Ben --adjudicator Cay
  $ assay review create towns --recipe graph/review --run runs/baseline-v1 \\
      --reviewer Ann --reviewer Ben --expires 4w
  $ assay review create pilot --recipe consult/ayurmind --cases cases.csv \\
      --predictions results_rag.jsonl --reviewers form --sources samhitas

With --reviewers 3 there are sheets and links for reviewer-1 to reviewer-3; with
--reviewers expert:3 for expert-1 to expert-3. Importing a sheet names its
reviewer: assay review import NAME FILE --reviewer Asha.

Then: assay review serve NAME, or assay review export NAME --out sheets`,
  async run({ name, ...flags }, terminal) {
    refuseName(name);
    const expiresAt = expiryOf(flags.expires, new Date());
    const set = dataSettings(flags);
    const plan = await (flags.run === undefined ? planRecipe(flags.recipe, set) : planFor(flags.recipe, set));
    const form = formOf(plan);
    const people = peopleOf(form, flags);
    // A slip in a name must not leave an empty store behind.
    checkPeople(form, people);
    const { sources, notices, files, kinds, itemKind } = await readSources(plan, flags, terminal.note);
    const folder = flags.sources === undefined ? null : await readTextFolder(flags.sources, '.', MOST_SOURCE_BYTES);
    const texts = folder?.texts ?? [];
    // How the gold annotations are read again; custom formats are code, and not kept.
    const { formats: _, ...data } = plan.data;
    const origin = {
      assay: VERSION,
      recipe: plan.name,
      set,
      data,
      ...(itemKind === null ? {} : { itemKind }),
      files,
      ...(folder === null ? {} : { texts: { files: texts.length, sha256: folder.hash } }),
    };
    const { task } = plan;
    return withStore(flags, 'begin', (store) => {
      const secret = reviewSecret(localFolder(flags));
      const { seed } = flags;
      const content = { form, task, sources, origin, texts, kinds };
      const made = createReview(store, { name, ...content, seed, people, secret, expiresAt });
      const created = summaryOf(store, made, [...notices, ...made.notices]);
      return {
        document: () => createdDocument(created, flags),
        json: () => safeJson(created),
        after() {
          if (!flags.json) for (const notice of created.notices) terminal.note(`Note: ${notice}.`);
        },
      };
    });
  },
});

function refuseName(name: string): void {
  const isShort = name.trim() === name && name !== '' && name.length <= LONGEST_NAME;
  if (!isShort || name.search(UNSAFE) !== -1 || /^[-.]|[/\\]/.test(name))
    throw new UsageError(
      `${visible(shorten(name))} cannot be the name of a review`,
      `expected up to ${LONGEST_NAME} visible characters, no slash, and no dot or hyphen first`,
    );
}

function formOf(plan: Plan): ReviewSection {
  if (plan.review !== null) return plan.review;
  const presets = presetNames().filter((preset) => /^review:/m.test(presetText(preset)));
  throw new UsageError(
    `the recipe ${plan.name} has no review section, which defines the questions`,
    `add one, or use a preset that has it: ${presets.join(', ')}`,
  );
}

function peopleOf(form: ReviewSection, { reviewer, reviewers, adjudicator, owner }: CreateFlags): PersonInit[] {
  if (reviewer.length + reviewers.length === 0)
    throw new UsageError(
      'there is no reviewer',
      'name reviewers with --reviewer NAME, or NAME:group; to name them later: --reviewers form',
    );
  return [
    ...reviewer.map((words) => parsePerson(words, 'reviewer')),
    ...reviewers.flatMap((words) => unnamedPlaces(form, words)),
    ...adjudicator.map((words) => parsePerson(words, 'adjudicator')),
    ...(owner.length === 0 ? ['owner'] : owner).map((words) => parsePerson(words, 'owner')),
  ];
}

/** The review as it was created. */
function summaryOf({ reviews }: Store, { id, name, seed, task, createdAt }: CreatedReview, notices: readonly string[]) {
  const items = reviews.items(id);
  return {
    name,
    id,
    task,
    seed,
    createdAt,
    cases: items.filter(({ kind }) => kind === 'case').length,
    answers: items.filter(({ kind }) => kind === 'answer').length,
    texts: reviews.textCount(id),
    people: membersOf({ people: reviews.people(id), assignments: reviews.assignments(id) }),
    notices,
  };
}

function createdDocument(
  { name, seed, cases, answers, texts, people }: ReturnType<typeof summaryOf>,
  flags: StoreFlags,
): Document {
  const items = [
    ...(cases > 0 ? [plural(cases, 'case')] : []),
    ...(answers > 0 ? [plural(answers, 'answer')] : []),
  ].join(' and ');
  const word = shellWord(name);
  return {
    title: `Created the review ${name}`,
    about: `${items}, ${plural(people.length, 'person', 'people')}, seed ${seed}`,
    sections: [
      {
        blocks: [
          filledTable(MEMBER_COLUMNS, people),
          texts === 0 ? null : { text: `${plural(texts, 'text')} to search next to the items` },
        ],
      },
      {
        blocks: [
          commandTable([
            ['In a browser', `assay review serve ${word}${dataOption(flags)}`],
            ['As sheets', `assay review export ${word} --out sheets${dataOption(flags)}`],
          ]),
        ],
      },
    ],
  };
}

interface SourceFlags {
  readonly cases: readonly string[];
  readonly gold: readonly string[];
  readonly predictions: readonly string[];
  readonly run?: string;
}

/** What is to be reviewed: files that were named, or what assay run left. */
interface ReviewFiles {
  readonly cases: Source | undefined;
  readonly gold: Source | undefined;
  readonly systems: readonly { readonly system: string; readonly source: Source }[];
  /** The trace that scores of reviewers go to. */
  readonly traceOf: (caseId: string) => string | null;
}

/** Reads what is to be reviewed, as the format of the recipe has it; `files` are for the record, with the paths of now. */
async function readSources(plan: Plan, flags: SourceFlags, note: (line: string) => void) {
  const { answered } = formatOf(plan);
  const predictions = answered === undefined ? flags.predictions : await answerFiles(flags.predictions, note);
  const { cases, gold, systems, traceOf } =
    flags.run === undefined ? namedFiles({ ...flags, predictions }) : runFiles(plan, flags, flags.run);
  const hashes: { readonly role: string; readonly file: HashedSource }[] = [];
  const hashed = (role: string, source: Source): Source =>
    mapFiles(source, (one) => {
      const file = hashedSource(one);
      hashes.push({ role, file });
      return file.source;
    });
  const files = () =>
    Array.fromAsync(hashes, async ({ role, file: { source, digest } }) => {
      // A folder, and a file with others beside it, are more than the bytes that were read through the source.
      const stored = await storedDigest(source.path ?? '').catch(() => null);
      return { role, name: basename(source.name), path: source.path, sha256: (stored ?? digest()).sha256 };
    });
  // A review of answers is scored from its files again, by these roles.
  const isRun = flags.run !== undefined && answered === undefined;
  const outputs = systems.map(({ system, source }) => ({ system, source: hashed(isRun ? 'outputs' : system, source) }));
  if (answered !== undefined) {
    if (cases === undefined)
      throw new UsageError('nothing to review: no case file', 'give --cases FILE and --predictions FILE');
    const answers = await answered(hashed('cases', cases), outputs, plan);
    const sources = answers.map(sourceOfAnswer).map((answer) => {
      const traceId = answer.system === null ? null : traceOf(answer.caseId);
      return traceId === null ? answer : { ...answer, hidden: { ...answer.hidden, traceId } };
    });
    return { sources, notices: [], files: await files(), kinds: [], itemKind: null };
  }
  if (cases === undefined && gold === undefined)
    throw new UsageError(
      'nothing to review: no case file and no gold file',
      'give --cases FILE, or --gold FILE with --predictions FILE',
    );
  const inside = { system: plan.data.system ?? nameOfFile(flags.cases[0] ?? flags.gold[0] ?? ''), source: undefined };
  const read = await sourcesOfCases(plan, {
    cases: cases && hashed(isRun ? 'items' : 'cases', cases),
    gold: gold && hashed('gold', gold),
    systems: outputs.length === 0 ? [inside] : outputs,
    traceOf,
  });
  return { ...read, files: await files() };
}

function namedFiles({ cases, gold, predictions }: SourceFlags): ReviewFiles {
  const systems = systemFiles(predictions);
  const paths = [...cases, ...gold, ...systems.flatMap((one) => one.paths)];
  // Cases are read once for each system.
  if (paths.filter((path) => path === '-').length > 1 || ([...cases, ...gold].includes('-') && systems.length > 1))
    throw new UsageError('standard input (-) can be read once only', 'give the other files by name');
  return {
    cases: cases.length === 0 ? undefined : sourceOf(...cases),
    gold: gold.length === 0 ? undefined : sourceOf(...gold),
    systems: systems.map((one) => ({ system: one.system, source: sourceOf(...one.paths) })),
    traceOf: () => null,
  };
}

function runFiles(plan: Plan, { cases, gold, predictions }: SourceFlags, folder: string): ReviewFiles {
  if (cases.length + gold.length + predictions.length > 0)
    throw new UsageError('--run has its own items and outputs', 'leave --cases, --gold and --predictions out');
  const { system, items, outputs, traceOf } = runAnswers(plan, folder);
  return { cases: items, gold: undefined, systems: [{ system, source: outputs }], traceOf };
}
