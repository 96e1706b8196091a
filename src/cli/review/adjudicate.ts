import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { shorten, visible } from '../../data/visible.ts';
import { counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { type Conflict, conflictsOf } from '../../review/conflicts.ts';
import { reviewerNumbers } from '../../review/reviewer-numbers.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../review/snapshot.ts';
import type { Store } from '../../store/store.ts';
import { compareNatural, compareText } from '../../text/compare.ts';
import { conflictsText, historyText } from './conflict-text.ts';
import { decideFile, decisionOf } from './decide.ts';
import { OPEN_AGAIN, valueText } from './decision-value.ts';
import { disputedIn } from './disputed.ts';
import { type StoreFlags, storeOption, withStore } from './review-store.ts';

interface AdjudicateFlags extends StoreFlags {
  readonly list?: boolean;
  readonly all?: boolean;
  readonly history?: boolean;
  readonly item?: string;
  readonly field?: string;
  readonly part?: string;
  readonly value?: string;
  readonly answer?: string;
  readonly by?: string;
  readonly because?: string;
  readonly file?: string;
  readonly json?: boolean;
}

export function adjudicateCommand(): Command {
  return storeOption(
    new Command('adjudicate')
      .description('list conflicts, and decide them: kept with who and why')
      .argument('<name>', 'of the review')
      .option('--list', 'the open conflicts (usual, where nothing is decided)')
      .option('--all', 'list also conflicts that are decided')
      .option('--history', 'every decision there ever was')
      .option('--item <id>', 'which item is decided, or listed with --list or --all')
      .option('--field <question>', 'which question')
      .option('--part <part>', 'which part of it: a dimension, a tick, a place')
      .option('--value <value>', `what is right; ${OPEN_AGAIN} opens it again`)
      .option('--answer <number>', 'or: which of the answers, as they are listed')
      .option('--by <who>', 'the adjudicator (usual: the only one there is)')
      .option('--because <why>', 'why; needed where nobody gave that answer')
      .option('--file <csv>', 'many decisions: item,field,part,value,by,because')
      .option('--json', 'print conflicts or decisions as JSON on standard output'),
  )
    .addHelpText('after', HELP)
    .action(adjudicate);
}

const HELP = `
A decision never overwrites an answer: it stands beside it, with the name of the
adjudicator, the reason and the time. The last one holds.

Of each conflict the list has how the texts begin that reviewers saw, the words
of a claim or span that is disputed (»), and the answers.

Examples:
  $ assay review adjudicate pilot
  $ assay review adjudicate pilot --list --item iX3…
  $ assay review adjudicate pilot --item iX3… --field prakriti --value vata \\
      --by Jo --because "dry skin and racing mind outweigh the rest"
  $ assay review adjudicate pilot --file decisions.csv
  $ assay review adjudicate pilot --history`;

async function adjudicate(name: string, flags: AdjudicateFlags): Promise<void> {
  const lists = flags.list === true || flags.all === true || flags.history === true;
  const decides = flags.file !== undefined || (flags.item !== undefined && !lists);
  checkFlags(flags, lists);
  await withStore(flags, decides ? 'change' : 'look', async (store) => {
    const snapshot = loadSnapshot(store, name);
    if (lists && flags.item !== undefined) checkItem(snapshot, flags.item);
    if (flags.history === true) return showHistory(store, snapshot, flags);
    if (flags.file !== undefined) {
      process.stdout.write(await decideFile(store, snapshot, flags.file, flags.by));
      return;
    }
    if (flags.item !== undefined && decides) return decideOne(store, snapshot, flags, flags.item);
    const conflicts = blindOrder(conflictsOf(snapshot)).filter(
      ({ decision, item, field, part }) =>
        (flags.all === true || decision === null) &&
        (flags.item === undefined || item.id === flags.item) &&
        (flags.field === undefined || field === flags.field) &&
        (flags.part === undefined || part === flags.part),
    );
    process.stdout.write(
      flags.json === true
        ? safeJson(conflicts.map((one) => plain(one, snapshot)))
        : conflictsText(snapshot, conflicts, flags),
    );
  });
}

/** By case, and within one by ids that say nothing: else the first would always be of the same system. */
function blindOrder(conflicts: readonly Conflict[]): Conflict[] {
  return conflicts.toSorted(
    (a, b) => compareNatural(a.item.caseId, b.item.caseId) || compareText(a.item.id, b.item.id),
  );
}

function checkFlags(flags: AdjudicateFlags, lists: boolean): void {
  const { item, file, value, answer, field } = flags;
  if (item !== undefined && file !== undefined)
    throw new UsageError('--item is about one item, --file about many', 'give one of them');
  if (lists && (file !== undefined || value !== undefined || answer !== undefined))
    throw new UsageError('listing and deciding are two calls', 'leave --list, --all and --history out');
  if (item === undefined && (value !== undefined || answer !== undefined || (field !== undefined && !lists)))
    throw new UsageError('which item is decided?', 'give --item ID; assay review adjudicate NAME lists them');
  if (item !== undefined && field === undefined && !lists)
    throw new UsageError('which question is decided?', 'give --field QUESTION; --list --item ID lists its conflicts');
  if (value !== undefined && answer !== undefined)
    throw new UsageError('--value and --answer are two ways to say it', 'give one of them');
}

function checkItem({ items, review }: ReviewSnapshot, id: string): void {
  if (items.some((item) => item.id === id)) return;
  throw new UsageError(
    `there is no item ${visible(shorten(id))} in ${review.name}`,
    'assay review adjudicate NAME --all lists the conflicts with the ids of their items',
  );
}

function decideOne(store: Store, snapshot: ReviewSnapshot, flags: AdjudicateFlags, item: string): void {
  const { field = '', part = '', value, answer, by, because = '' } = flags;
  const conflicts = conflictsOf(snapshot);
  const { decision, conflict } = decisionOf(snapshot, conflicts, { item, field, part, value, answer, by, because });
  store.reviews.decide(decision);
  const left = conflictsOf(loadSnapshot(store, snapshot.review.name)).filter((one) => one.decision === null).length;
  const words = decision.value === null ? 'Opened again' : `Decided ${valueText(decision.value)}`;
  process.stdout.write(
    `${safeText(`${words}: ${conflict.field}${conflict.part === null ? '' : ` ${conflict.part}`} of ${conflict.item.id}.`)}\n${left === 0 ? 'No conflict is open.' : `${counted(left, 'conflict')} open.`}\n`,
  );
}

function plain(conflict: Conflict, { people, form }: ReviewSnapshot) {
  const { id, item, field, part, answers, decision, waiting } = conflict;
  const numbers = reviewerNumbers(people);
  const names = new Map(people.map((person) => [person.id, person.name]));
  return {
    id,
    item: item.id,
    kind: item.kind,
    field,
    part,
    question: form.fields[field]?.title ?? field,
    ...disputedIn(form, conflict),
    waiting,
    answers: answers.map(({ value, people: who, comments }) => ({
      value,
      said: who.map((one) => numbers.get(one) ?? 'Somebody'),
      comments,
    })),
    decision:
      decision === null
        ? null
        : {
            value: decision.value,
            by: names.get(decision.personId) ?? decision.personId,
            because: decision.because,
            at: decision.at,
          },
  };
}

function showHistory(store: Store, snapshot: ReviewSnapshot, { json, item }: AdjudicateFlags): void {
  const all = store.reviews.decisionHistory(snapshot.review.id, item);
  const names = new Map(snapshot.people.map(({ id, name }) => [id, name]));
  const lines = all.map(({ personId, itemId, field, part, value, because, at }) => ({
    at,
    by: names.get(personId) ?? personId,
    item: itemId,
    field,
    part,
    value,
    because,
  }));
  process.stdout.write(json === true ? safeJson(lines) : historyText(lines));
}
