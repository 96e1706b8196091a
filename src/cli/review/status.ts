import {
  count,
  plural,
  type Document,
  figure,
  type FilledColumn,
  filledTable,
  safeJson,
  shellWord,
} from '../../plugin.ts';
import {
  agreementTable,
  judgeTable,
  lackingReviewers,
  type OpenWork,
  openWork,
  type Overview,
  overviewOf,
} from '../../review.ts';
import { command } from '../command.ts';
import { PERSON_COLUMNS } from './people.ts';
import { dataOption, REVIEW_FLAGS, REVIEW_NAME, withReview } from './review-store.ts';

export const statusCommand = command({
  name: 'status',
  arguments: REVIEW_NAME,
  flags: REVIEW_FLAGS,
  help: `
Agreement is over committed answers, before any decision of an adjudicator; n is
the number of things that could be compared, and the interval is the 95 %
confidence interval. The figures are those of assay review report.

Examples:
  $ assay review status pilot
  $ assay review status pilot --json | jq '.conflicts.open'`,
  run: (flags) =>
    withReview(flags, 'look', (snapshot) => {
      const { review, form } = snapshot;
      // As a report has them: by default the overview is made for a page that somebody waits for.
      const overview = overviewOf(snapshot, { quick: false });
      const missing = openWork(snapshot);
      const lacking = lackingReviewers(snapshot);
      const decide = `assay review adjudicate ${shellWord(review.name)}${dataOption(flags)}`;
      return {
        document: () => statusDocument(`${review.name}: ${form.title}`, overview, { missing, lacking }, decide),
        json: () => safeJson({ review: review.name, task: review.task, ...overview, missing, lacking }),
      };
    }),
});

function statusDocument(
  title: string,
  { items, conflicts, people, agreement, divided, judge }: Overview,
  { missing, lacking }: { readonly missing: readonly OpenWork[]; readonly lacking: readonly string[] },
  decide: string,
): Document {
  const done = `${plural(items.done, 'item')} of ${count(items.total)} done by everybody`;
  return {
    title,
    about: `${done}; ${plural(conflicts.open, 'conflict')} open, ${count(conflicts.decided)} decided`,
    sections: [
      { blocks: [filledTable(PEOPLE, people)] },
      // Of a question that nobody has answered, the figure of the whole is enough.
      {
        title: 'Agreement',
        blocks: [agreementTable(agreement.filter(({ part, raters }) => part === null || raters > 0))],
      },
      { title: 'Still missing', blocks: [{ list: [...missing.map(missingText), ...lacking] }] },
      {
        title: 'Most divided',
        blocks: [filledTable(DIVIDED, divided.filter(({ apart }) => apart > 0).slice(0, MOST_DIVIDED))],
      },
      { title: 'Model judge, compared with reviewers', blocks: [judgeTable(judge)] },
      { blocks: [conflicts.open === 0 ? null : { text: `Decide: ${decide}`, whole: true }] },
    ],
  };
}

const MOST_DIVIDED = 5;

type Person = Overview['people'][number];

const PEOPLE: readonly FilledColumn<Person>[] = [
  ...PERSON_COLUMNS,
  [{ title: 'done', align: 'right' }, (person) => reviewerCount(person, 'done')],
  [{ title: 'begun', align: 'right' }, (person) => reviewerCount(person, 'begun')],
  [{ title: 'of', align: 'right' }, (person) => reviewerCount(person, 'total')],
  [{ title: 'last', drop: 1 }, ({ lastAt }) => lastAt?.slice(0, 16).replace('T', ' ') ?? ''],
];

function reviewerCount(person: Person, key: 'done' | 'begun' | 'total'): string {
  return person.role === 'reviewer' ? count(person[key]) : '';
}

function missingText({ name, items, answers }: OpenWork): string {
  const parts = Object.entries(answers).map(([field, times]) => `${field} ${count(times)}`);
  return `${name}: ${plural(items, 'item')} (${parts.length === 0 ? 'not finished' : parts.join(', ')})`;
}

const DIVIDED: readonly FilledColumn<Overview['divided'][number]>[] = [
  [{ title: 'case' }, ({ caseId }) => caseId],
  [{ title: 'question', shrinks: true }, ({ field, part }) => (part === null ? field : `${field}.${part}`)],
  [{ title: 'apart', align: 'right' }, ({ apart }) => figure(apart)],
  [
    { title: 'answers', shrinks: true, drop: 1 },
    ({ values }) => values.map(({ value, count: times }) => `${times} × ${answerText(value)}`).join(', '),
  ],
];

function answerText(value: Overview['divided'][number]['values'][number]['value']): string {
  return typeof value === 'object' && value !== null ? plural(value.length, 'item') : String(value);
}
