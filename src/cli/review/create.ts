import { Command, Option } from 'commander';

import { FORMATS } from '../../data/formats.ts';
import { UsageError } from '../../data/problems.ts';
import { shorten, UNSAFE, visible } from '../../data/visible.ts';
import { planFor } from '../../experiment/run/scorer.ts';
import { type Plan, planRecipe } from '../../recipe/plan.ts';
import { presetNames, presetText } from '../../recipe/presets.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import { counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { readTextFolder } from '../../experiment/passages.ts';
import { type CreatedReview, createReview } from '../../review/create-review.ts';
import { expiryOf, USUAL_DAYS } from '../../review/links.ts';
import { checkPeople, parsePerson, type PersonInit, unnamedPlaces } from '../../review/people.ts';
import { reviewSecret } from '../../review/tokens.ts';
import { VERSION } from '../../score/version.ts';
import type { Store } from '../../store/store.ts';
import { localFolder } from '../backend-of.ts';
import { dataSettings } from '../data-flags.ts';
import { repeated } from '../dataset/repeated.ts';
import { wholeNumber } from '../whole-number.ts';

import { readSources, type SourceFlags } from './read-sources.ts';
import { dataOption, type StoreFlags, storeOption, withStore } from './review-store.ts';

interface CreateFlags extends StoreFlags, SourceFlags {
  readonly format?: string;
  readonly offsets?: string;
  readonly columns?: string;
  readonly system?: string;
  readonly recipe: string;
  readonly reviewer?: readonly string[];
  readonly reviewers?: readonly string[];
  readonly sources?: string;
  readonly adjudicator?: readonly string[];
  readonly owner?: readonly string[];
  readonly seed: string;
  readonly expires: string;
  readonly set?: readonly string[];
  readonly json?: boolean;
}

const LAST_SEED = 0xffffffff;
const LONGEST_NAME = 80;
/** The server indexes them within seconds, and keeps them in memory. */
const MOST_SOURCE_BYTES = 16 << 20;

export function createCommand(): Command {
  return storeOption(
    new Command('create')
      .description('make a review: freeze the form, the items, the people and the order')
      .argument('<name>', 'of the review')
      .requiredOption('--recipe <recipe>', 'preset or recipe file with a review section')
      .option('--cases <file>', 'the cases; - is standard input')
      .option('--gold <file>', 'what is right: kept from reviewers')
      .addOption(repeated('--predictions <[system=]file>', 'what a system said; again for each system'))
      .option('--run <folder>', 'items and outputs that assay run left')
      .addOption(repeated('--reviewer <who[:group,…]>', 'who reviews; again for each. Without a group: everything'))
      .addOption(
        repeated('--reviewers <[group:]n>', 'places for reviewers to be named later; form: as many as the form wants'),
      )
      .option('--sources <folder>', 'texts (.txt, .md) that reviewers can search and read beside the item')
      .addOption(repeated('--adjudicator <who>', 'who decides where reviewers differ'))
      .addOption(repeated('--owner <who>', 'who sees progress and agreement (usual: owner)'))
      .option('--seed <number>', 'decides order and assignment', '42')
      .option('--expires <time>', 'how long the links are good: 90d, 12w, 12h, 30m', `${USUAL_DAYS}d`)
      .addOption(repeated('--set <path=value>', 'change one line of the recipe; may be given again'))
      .addOption(
        new Option('--format <name>', `format of the files (default: detected)`).choices(
          FORMATS.map(({ name }) => name),
        ),
      )
      .addOption(new Option('--offsets <unit>', 'unit of span offsets').choices(['codepoint', 'utf16', 'byte']))
      .option('--columns <map>', 'CSV columns, for example id=document,start=from')
      .option('--system <name>', 'whose <name>_detected_pii, where documents have several')
      .option('--json', 'print what was made as JSON on standard output'),
  )
    .addHelpText('after', HELP)
    .action(create);
}

const HELP = `
Each item goes to as many people of each group as the form asks for; who gets
which, and in which order, follows from the seed. Reviewers never see which
system gave an answer, what is right, or an automatic score.

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
--reviewers expert:3 for expert-1 to expert-3. Importing a sheet names whoever
filled it in: assay review import NAME FILE --reviewer Asha.

Then: assay review serve NAME, or assay review export NAME --out sheets`;

async function create(name: string, flags: CreateFlags): Promise<void> {
  checkName(name);
  const seed = wholeNumber('--seed', flags.seed, 0, LAST_SEED);
  const expiresAt = expiryOf(flags.expires, new Date());
  const set = dataSettings({ ...flags, set: flags.set ?? [] });
  const plan = await (flags.run === undefined ? planRecipe(flags.recipe, set) : planFor(flags.recipe, set));
  const form = formOf(plan);
  const people = peopleOf(form, flags);
  // A slip in a name must not leave an empty store behind.
  checkPeople(form, people);
  const { sources, notices, files } = await readSources(plan, flags);
  const given = flags.sources === undefined ? null : await readTextFolder(flags.sources, '.', MOST_SOURCE_BYTES);
  const texts = given?.texts ?? [];
  const origin = {
    assay: VERSION,
    recipe: plan.name,
    set,
    files,
    ...(given === null ? {} : { texts: { files: texts.length, sha256: given.hash } }),
  };
  await withStore(flags, 'begin', (store) => {
    const made = createReview(store, {
      name,
      form,
      task: plan.task,
      seed,
      sources,
      people,
      origin,
      secret: reviewSecret(localFolder(flags)),
      expiresAt,
      texts,
    });
    const all = [...notices, ...made.notices];
    process.stdout.write(flags.json === true ? safeJson(summary(store, made, all)) : told(store, made, flags));
    if (flags.json !== true) for (const notice of all) process.stderr.write(`Note: ${safeText(notice)}.\n`);
  });
}

function checkName(name: string): void {
  const isGood = name.trim() === name && name !== '' && name.length <= LONGEST_NAME && name.search(UNSAFE) === -1;
  if (!isGood || /[/\\]/.test(name) || name.startsWith('-') || name.startsWith('.'))
    throw new UsageError(
      `${visible(shorten(name))} cannot be the name of a review`,
      `expected up to ${LONGEST_NAME} characters that can be seen, no slash, and no dot or hyphen first`,
    );
}

function peopleOf(
  form: ReviewSection,
  { reviewer = [], reviewers = [], adjudicator = [], owner = ['owner'] }: CreateFlags,
): PersonInit[] {
  if (reviewer.length + reviewers.length === 0)
    throw new UsageError(
      'nobody is to review',
      'name people with --reviewer NAME, or NAME:group; to name them later: --reviewers form',
    );
  return [
    ...reviewer.map((given) => parsePerson(given, 'reviewer')),
    ...reviewers.flatMap((given) => unnamedPlaces(form, given)),
    ...adjudicator.map((name) => ({ name: name.trim(), role: 'adjudicator' as const, groups: [] })),
    ...owner.map((name) => ({ name: name.trim(), role: 'owner' as const, groups: [] })),
  ];
}

function formOf(plan: Plan): ReviewSection {
  if (plan.review !== null) return plan.review;
  const presets = presetNames().filter((preset) => /^review:/m.test(presetText(preset)));
  throw new UsageError(
    `the recipe ${plan.name} has no review section: it does not say what reviewers are asked`,
    `add one, or take a preset that has it: ${presets.join(', ')}`,
  );
}

function summary(store: Store, made: CreatedReview, notices: readonly string[]) {
  const { id, name, seed, task, createdAt } = made;
  const items = store.reviews.items(id);
  const queues = Map.groupBy(store.reviews.assignments(id), ({ personId }) => personId);
  return {
    name,
    id,
    task,
    seed,
    createdAt,
    cases: items.filter(({ kind }) => kind === 'case').length,
    answers: items.filter(({ kind }) => kind === 'answer').length,
    texts: store.reviews.textCount(id),
    people: store.reviews.people(id).map((person) => ({
      name: person.name,
      role: person.role,
      groups: person.groups,
      items: queues.get(person.id)?.length ?? 0,
      expiresAt: person.expiresAt,
    })),
    notices,
  };
}

function told(store: Store, made: CreatedReview, flags: StoreFlags): string {
  const { cases, answers, texts, people } = summary(store, made, []);
  const what = [
    ...(cases > 0 ? [counted(cases, 'case')] : []),
    ...(answers > 0 ? [counted(answers, 'answer')] : []),
  ].join(' and ');
  const name = shellWord(made.name);
  const lines = people.map(({ name: who, role, groups, items }) =>
    role === 'reviewer'
      ? `  ${who}${groups.length === 0 ? '' : ` (${groups.join(', ')})`}: ${counted(items, 'item')}`
      : `  ${who}: ${role}`,
  );
  return `${[
    `Made the review ${made.name}: ${what}, ${counted(people.length, 'person', 'people')}, seed ${made.seed}.`,
    ...lines,
    ...(texts === 0 ? [] : [`  ${counted(texts, 'text')} to search beside the items`]),
  ]
    .map(safeText)
    .join('\n')}
In a browser: assay review serve ${name}${dataOption(flags)}
As sheets:    assay review export ${name} --out sheets${dataOption(flags)}
`;
}
