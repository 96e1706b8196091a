import { planFor } from '../../experiment.ts';
import { planRecipe } from '../../pipeline.ts';
import { commandTable, plural, type Document, filledTable, safeJson, shellWord, UsageError } from '../../plugin.ts';
import {
  checkPeople,
  type CreatedReview,
  expiryOf,
  parsePerson,
  type PersonInit,
  type ReviewSection,
  type Store,
  unnamedPlaces,
  USUAL_DAYS,
} from '../../review.ts';
import { command } from '../command.ts';
import { DATA_FLAGS, dataSettings } from '../data-flags.ts';
import * as flag from '../flags.ts';
import { formOf, prepareReview, refuseName } from './make-review.ts';
import { MEMBER_COLUMNS, membersOf } from './people.ts';
import { dataOption, REVIEW_FLAGS, REVIEW_NAME, type StoreFlags, withStore } from './review-store.ts';

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
    const make = await prepareReview(plan, { ...flags, name, set, people, expiresAt }, terminal.note);
    return withStore(flags, 'begin', (store) => {
      const created = summaryOf(store, make(store));
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
function summaryOf({ reviews }: Store, { id, name, seed, task, createdAt, notices }: CreatedReview) {
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
