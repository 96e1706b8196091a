import {
  compareNatural,
  compareText,
  count,
  plural,
  type Document,
  type FilledColumn,
  filledTable,
  safeJson,
  safeText,
  type Section,
  shellWord,
  shorten,
  UsageError,
  visible,
} from '../../plugin.ts';
import {
  type CellValue,
  type Conflict,
  conflictsOf,
  decisionsInFile,
  disputedIn,
  isAnswerList,
  loadSnapshot,
  makeDecision,
  OPEN_AGAIN,
  reviewerNumbers,
  type ReviewSection,
  type ReviewSnapshot,
  type Store,
} from '../../review.ts';
import { command, type CommandResult, type Terminal } from '../command.ts';
import * as flag from '../flags.ts';
import { dataOption, REVIEW_FLAGS, REVIEW_NAME, type StoreFlags, withReview } from './review-store.ts';

const FLAGS = {
  list: flag.toggle('list the open conflicts (default, if nothing is decided)'),
  all: flag.toggle('list decided conflicts too'),
  history: flag.toggle('list every decision ever made'),
  item: flag.string('<id>', 'item to decide, or to list with --list or --all'),
  field: flag.string('<question>', 'question to decide or to list'),
  part: flag.string('<part>', 'part of the question: a dimension, a tick, a place'),
  value: flag.string('<value>', `decided value; ${OPEN_AGAIN} opens the conflict again`),
  answer: flag.integer('<number>', 'number of the answer to decide for, as listed', { from: 1 }),
  by: flag.string('<who>', 'adjudicator (default: the only one)'),
  because: flag.string('<why>', 'reason; required if nobody gave that answer'),
  file: flag.string('<csv>', 'file of decisions: item,field,part,value,by,because'),
  ...REVIEW_FLAGS,
};

type AdjudicateFlags = flag.FlagValues<typeof FLAGS>;

export const adjudicateCommand = command({
  name: 'adjudicate',
  arguments: REVIEW_NAME,
  flags: FLAGS,
  help: `
A decision never overwrites an answer: it is kept next to it, with the name of
the adjudicator, the reason and the time. The last one holds.

For each conflict the list shows how the texts begin that reviewers saw, the
words of a claim or span that is disputed (»), and the answers.

Examples:
  $ assay review adjudicate pilot
  $ assay review adjudicate pilot --list --item iX3…
  $ assay review adjudicate pilot --item iX3… --field prakriti --value vata \\
      --by Jo --because "dry skin and racing mind outweigh the rest"
  $ assay review adjudicate pilot --file decisions.csv
  $ assay review adjudicate pilot --history`,
  run(flags, terminal) {
    const { item, file, list, all, history } = flags;
    const isList = list || all || history;
    refuseMixed(flags, isList);
    const isDecision = file !== undefined || (item !== undefined && !isList);
    return withReview(flags, isDecision ? 'change' : 'look', (snapshot, store) => {
      if (isDecision) return keepDecisions(store, snapshot, flags, terminal);
      if (item !== undefined) refuseUnknownItem(snapshot, item);
      return history ? decisionHistory(store, snapshot, item) : listConflicts(snapshot, flags);
    });
  },
});

function refuseMixed({ item, file, value, answer, field }: AdjudicateFlags, isList: boolean): void {
  const hasValue = value !== undefined || answer !== undefined;
  if (item !== undefined && file !== undefined)
    throw new UsageError('--item is about one item, --file about many', 'give one of them');
  if (isList && (file !== undefined || hasValue))
    throw new UsageError('listing and deciding are two calls', 'leave --list, --all and --history out');
  if (item === undefined && (hasValue || (field !== undefined && !isList)))
    throw new UsageError('which item is decided?', 'give --item ID; assay review adjudicate NAME lists them');
  if (item !== undefined && field === undefined && !isList)
    throw new UsageError('which question is decided?', 'give --field QUESTION; --list --item ID lists its conflicts');
  if (value !== undefined && answer !== undefined)
    throw new UsageError('--value and --answer both name the decision', 'give one of them');
}

function refuseUnknownItem({ items, review }: ReviewSnapshot, id: string): void {
  if (items.some((item) => item.id === id)) return;
  throw new UsageError(
    `there is no item ${visible(shorten(id))} in ${review.name}`,
    'assay review adjudicate NAME --all lists the conflicts with the ids of their items',
  );
}

/** All decisions of a file, or none. What holds already is not decided again. */
async function keepDecisions(
  store: Store,
  snapshot: ReviewSnapshot,
  { file, item = '', field = '', part = '', value, answer, by, because = '' }: AdjudicateFlags,
  terminal: Terminal,
): Promise<CommandResult> {
  const input = { item, field, part, value, answer, by, because };
  const decided =
    file === undefined
      ? [makeDecision(snapshot, conflictsOf(snapshot), input)]
      : await decisionsInFile(snapshot, file, by);
  const made = decided.filter(({ isHeld }) => !isHeld).map(({ decision }) => decision);
  store.transaction(() => made.forEach((decision) => store.reviews.decide(decision)));
  const open = conflictsOf(loadSnapshot(store, snapshot.review.name)).filter(
    ({ decision }) => decision === null,
  ).length;
  const held = decided.length - made.length;
  const [only] = decided;
  if (file !== undefined)
    terminal.print(`${plural(made.length, 'decision')} kept, ${count(held)} held already. ${openText(open)}\n`);
  else if (only !== undefined) {
    const { value: chosen, itemId, field: question, part: place } = only.decision;
    const words = chosen === null ? 'Opened again' : `Decided ${valueText(chosen)}`;
    terminal.print(`${safeText(`${words}: ${fieldAndPart(question, place)} of ${itemId}.`)}\n${openText(open)}\n`);
  }
  return { json: () => safeJson({ kept: made.length, held, open }) };
}

function listConflicts(snapshot: ReviewSnapshot, flags: AdjudicateFlags): CommandResult {
  const conflicts = conflictsOf(snapshot)
    .filter(
      ({ decision, item, field, part }) =>
        (flags.all || decision === null) &&
        (flags.item ?? item.id) === item.id &&
        (flags.field ?? field) === field &&
        (flags.part ?? part) === part,
    )
    // Within a case by ids, which are random: else the first would always be of the same system.
    .sort((a, b) => compareNatural(a.item.caseId, b.item.caseId) || compareText(a.item.id, b.item.id));
  return {
    document: () => conflictsDocument(snapshot, conflicts, flags),
    json: () => safeJson(conflicts.map((conflict) => conflictJson(conflict, snapshot))),
  };
}

function conflictJson(conflict: Conflict, { people, form }: ReviewSnapshot) {
  const { id, item, field, part, answers, decision, waiting } = conflict;
  const numbers = reviewerNumbers(people);
  const { value, personId = '', because, at } = decision ?? {};
  const by = people.find((person) => person.id === personId)?.name ?? personId;
  return {
    id,
    item: item.id,
    kind: item.kind,
    field,
    part,
    question: form.fields[field]?.title ?? field,
    ...disputedIn(form, conflict),
    waiting,
    answers: answers.map(({ value: answer, people: who, comments }) => ({
      value: answer,
      said: who.map((person) => numbers.get(person) ?? 'Somebody'),
      comments,
    })),
    decision: decision === null ? null : { value, by, because, at },
  };
}

function decisionHistory(store: Store, { review, people }: ReviewSnapshot, item: string | undefined): CommandResult {
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const entries = store.reviews
    .decisionHistory(review.id, item)
    .map(({ personId, itemId, field, part, value, because, at }) => ({
      at,
      by: names.get(personId) ?? personId,
      item: itemId,
      field,
      part,
      value,
      because,
    }));
  const columns: readonly FilledColumn<(typeof entries)[number]>[] = [
    [{ title: 'when', drop: 2 }, ({ at }) => at.slice(0, 19).replace('T', ' ')],
    [{ title: 'who', drop: 1 }, ({ by }) => by],
    [{ title: 'item' }, ({ item: id }) => id],
    [{ title: 'question' }, ({ field, part }) => fieldAndPart(field, part)],
    [{ title: 'decision', shrinks: true }, ({ value }) => valueText(value)],
    [{ title: 'because', below: true }, ({ because }) => because],
  ];
  return {
    document: () => ({
      title: `Decisions of ${review.name}`,
      about: entries.length === 0 ? 'Nothing has been decided yet.' : plural(entries.length, 'decision'),
      sections: [{ blocks: [filledTable(columns, entries)] }],
    }),
    json: () => safeJson(entries),
  };
}

/** Conflicts, each with the command that decides it. Systems and names of reviewers are not shown. */
function conflictsDocument(
  { review, form }: ReviewSnapshot,
  conflicts: readonly Conflict[],
  flags: StoreFlags,
): Document {
  const open = conflicts.filter(({ decision }) => decision === null).length;
  return {
    title: `Conflicts of ${review.name}`,
    about: openText(open),
    sections: conflicts.map((conflict) => conflictSection(form, conflict, decideCommand(review.name, conflict, flags))),
  };
}

function openText(open: number): string {
  return open === 0 ? 'No conflict is open.' : `${plural(open, 'conflict')} open.`;
}

const LONGEST_SHOWN = 140;
const LONGEST_COMMENT = 200;

function conflictSection(form: ReviewSection, conflict: Conflict, decide: string): Section {
  const { item, field, part, answers, decision, waiting } = conflict;
  const { words, texts } = disputedIn(form, conflict);
  const because = decision === null || decision.because === '' ? '' : `, because ${decision.because}`;
  return {
    title: `${item.id}  ${fieldAndPart(field, part)}`,
    blocks: [
      ...texts.map(({ title, begins }) => ({
        text: `${title === '' ? '' : `${title}: `}${shorten(begins, LONGEST_SHOWN)}`,
      })),
      words === null ? null : { text: `» ${words.replaceAll(/\s+/g, ' ').trim()}` },
      { text: form.fields[field]?.title ?? field },
      {
        list: answers.map(({ value, people, comments }, at) => ({
          item: `${at + 1}. ${valueText(value)} (${plural(people.length, 'person', 'people')})`,
          note: comments.flatMap((comment) => quoted(comment)).join(' ') || null,
        })),
      },
      waiting === 0 ? null : { text: `${plural(waiting, 'person has', 'people have')} not answered yet` },
      decision === null
        ? { text: `$ ${decide}`, whole: true }
        : { text: `decided: ${valueText(decision.value)}${because}` },
    ],
  };
}

function quoted(comment: string | null): string[] {
  return comment === null || comment.trim() === '' ? [] : [`“${shorten(comment, LONGEST_COMMENT)}”`];
}

/** With the first answer in it, to be changed or not. */
function decideCommand(review: string, { item, field, part, answers }: Conflict, flags: StoreFlags): string {
  const value = answers[0]?.value ?? null;
  const choice = isAnswerList(value) || value === null ? '--answer 1' : `--value ${shellWord(String(value))}`;
  const place = `--item ${item.id} --field ${shellWord(field)}${part === null ? '' : ` --part ${shellWord(part)}`}`;
  return `assay review adjudicate ${shellWord(review)} ${place} ${choice} --because '…'${dataOption(flags)}`;
}

function fieldAndPart(field: string, part: string | null): string {
  return part === null ? field : `${field} ${part}`;
}

/** An answer or a decision in a line. */
function valueText(value: CellValue): string {
  if (value === null) return 'open again';
  if (!isAnswerList(value)) return String(value);
  if (value.length === 0) return 'nothing here';
  return value
    .map(
      ({ label, kind, text }) =>
        `${label ?? 'no label'}: ${kind === undefined ? '' : `${kind} `}“${shorten(text, 60)}”`,
    )
    .join('; ');
}
