import { spreadsheetCsv } from './spreadsheet-cells.ts';
import { shorten } from '../../data/visible.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import type { CellValue } from '../../store/review-records.ts';
import { marksFor } from './as-written.ts';
import { NOT_ASKED, ownWords } from './control-words.ts';
import type { PersonWork, WorkItem } from './person-work.ts';
import { AS_WRITTEN, ITEM, ratingColumns, REVIEWER } from './sheet-columns.ts';

/** A cell of Excel holds 32,767 characters; what is longer would spill into the next rows. */
const LONGEST_SHOWN = 32_000;

/** One row for each item of the queue, one column for each question; null where the person has no such questions. */
export function ratingSheet(form: ReviewSection, work: PersonWork): string | null {
  const { questions, blocks } = ratingColumns(form, work);
  if (questions.length === 0) return null;
  const fields = new Set(questions.map(({ field }) => field));
  const header = [REVIEWER, ITEM, ...[...blocks, ...questions].map(({ name }) => name), AS_WRITTEN];
  const rows = work.items
    .filter(({ asked }) => asked.some((field) => fields.has(field)))
    .map((item) => {
      const answers = questions.flatMap(({ name, field, part }) =>
        item.asked.includes(field) ? [[name, item.answer(field, part)] as const] : [],
      );
      const cells = new Map(answers.map(([name, value]) => [name, cellText(value)]));
      return [
        work.person.name,
        item.record.id,
        ...blocks.map(({ block }) => shownText(item, block)),
        ...questions.map(({ name }) => cells.get(name) ?? NOT_ASKED),
        marksFor(item.version, answers),
      ];
    });
  return spreadsheetCsv(header, rows);
}

/** A block as it stands in a sheet; '' where the item has none. */
export function shownText({ content }: WorkItem, block: string): string {
  return fitting(content.blocks.find(({ name }) => name === block)?.text ?? '');
}

export function fitting(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${shorten(text, LONGEST_SHOWN)} (cut off here)`;
}

/** TRUE would become WAHR on a German computer. */
function cellText(value: CellValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return ownWords(value);
  return typeof value === 'number' ? String(value) : '';
}
