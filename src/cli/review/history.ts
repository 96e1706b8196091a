import {
  compareNatural,
  count,
  plural,
  type Document,
  type FilledColumn,
  filledTable,
  safeJson,
  shorten,
  UsageError,
  visible,
} from '../../plugin.ts';
import { type HistoryEntry, type ListChange, personNamed, reviewHistory } from '../../review.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { nameHint } from '../name-hint.ts';
import { REVIEW_FLAGS, REVIEW_NAME, withReview } from './review-store.ts';

const DEFAULT_LAST = 50;
const LONGEST_ANSWER = 60;

export const historyCommand = command({
  name: 'history',
  arguments: REVIEW_NAME,
  flags: {
    case: flag.string('<id>', 'case whose answers are listed'),
    reviewer: flag.string('<who>', 'person whose answers are listed'),
    field: flag.string('<name>', 'question whose answers are listed'),
    last: flag.integer('<n>', `number of latest entries (default: ${DEFAULT_LAST}; with --json all)`, { from: 1 }),
    ...REVIEW_FLAGS,
    json: { ...flag.JSON_ALONE, about: 'print one JSON line for each on standard output' },
  },
  help: `
Examples:
  $ assay review history pilot
  $ assay review history pilot --reviewer Asha --case C04
  $ assay review history pilot --field claims --json > claims-history.jsonl`,
  async run(flags) {
    const { case: caseId, field, reviewer } = flags;
    const entries = await withReview(flags, 'look', (snapshot, store) => {
      const { form, items, people } = snapshot;
      if (field !== undefined && !Object.hasOwn(form.fields, field))
        throw new UsageError(
          `the form has no question ${visible(shorten(field))}`,
          nameHint(field, Object.keys(form.fields), 'questions'),
        );
      const cases = [...new Set(items.map((item) => item.caseId))].sort(compareNatural);
      if (caseId !== undefined && !cases.includes(caseId))
        throw new UsageError(
          `the review has no case ${visible(shorten(caseId))}`,
          nameHint(caseId, cases, 'cases', (id) => visible(shorten(id))),
        );
      const who = reviewer === undefined ? undefined : personNamed(people, reviewer).name;
      return reviewHistory(store, snapshot).filter(
        (entry) =>
          (who ?? entry.who) === entry.who &&
          (caseId ?? entry.case_id) === entry.case_id &&
          (field ?? entry.field) === entry.field,
      );
    });
    const latest = entries.slice(-(flags.last ?? (flags.json ? Infinity : DEFAULT_LAST)));
    const isFiltered = [caseId, reviewer, field].some((filter) => filter !== undefined);
    return {
      document: () => historyDocument(flags.name, latest, entries.length, isFiltered),
      json: () => latest.map((entry) => safeJson(entry, 0)).join(''),
    };
  },
});

function historyDocument(name: string, latest: readonly HistoryEntry[], total: number, isFiltered: boolean): Document {
  const about =
    total === 0
      ? `Nothing was answered ${isFiltered ? 'with these filters' : 'yet'}.`
      : latest.length < total
        ? `The last ${count(latest.length)} of ${plural(total, 'entry', 'entries')}; --last N shows more.`
        : `${plural(total, 'entry', 'entries')}.`;
  return { title: `History of ${name}`, about, sections: [{ blocks: [filledTable(COLUMNS, latest)] }] };
}

const COLUMNS: readonly FilledColumn<HistoryEntry>[] = [
  [{ title: 'when', drop: 1 }, ({ at }) => at.slice(0, 19).replace('T', ' ')],
  [{ title: 'who' }, ({ kind, who }) => (kind === 'decision' ? `${who} (decides)` : who)],
  [{ title: 'case', shrinks: true }, ({ case_id: id, system }) => (system === null ? id : `${id} ${system}`)],
  [{ title: 'question', shrinks: true }, ({ field, part }) => (part === null ? field : `${field}.${part}`)],
  [{ title: 'answer', shrinks: true }, (entry) => shorten(answerText(entry), LONGEST_ANSWER)],
];

/** What was corrected, `before → after`; that a thing got its label is seen in the list. */
function changeText({ before, after }: ListChange): string[] {
  if (before === null || after === null)
    return [`${before === null ? 'added' : 'removed'} ${JSON.stringify((before ?? after)?.text)}`];
  const facts = ({ kind, start, end, text }: typeof before) => ({
    kind,
    place: `${start}-${end}`,
    text: JSON.stringify(text),
  });
  const [old, now] = [facts(before), facts(after)];
  const names = (['kind', 'place', 'text'] as const).filter((name) => old[name] !== now[name]);
  return names.map((name) => `${old[name] ?? '–'} → ${now[name] ?? '–'}`);
}

function answerText({ value, because, changes = [] }: HistoryEntry): string {
  const answer =
    value === null
      ? 'taken back'
      : typeof value === 'object'
        ? [
            ...changes.flatMap(changeText),
            `${plural(value.length, 'item')}: ${value.map(({ label }) => label ?? '–').join(', ')}`,
          ].join('; ')
        : String(value);
  return because === null || because === '' ? answer : `${answer}: ${because}`;
}
