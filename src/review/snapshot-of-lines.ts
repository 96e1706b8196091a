import { hash } from 'node:crypto';

import { UsageError } from '../data/problems.ts';
import { describe } from '../data/record-fields.ts';
import type { ReviewLine } from './review-line.ts';
import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import type {
  CellValue,
  Decision,
  ItemAnswer,
  ItemState,
  ReviewCell,
  ReviewItemRecord,
  ReviewPerson,
} from '../store/review-records.ts';
import { closestNames } from '../text/closest-names.ts';
import { fieldOf } from './questions.ts';
import { placeOfPart } from './place.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** What a line of a person's answer needs beside the answer: a question that the form has. */
interface Asked {
  readonly line: ReviewLine;
  readonly field: ReviewField;
}

const NEVER = '9999-12-31T23:59:59.999Z';
const UNDATED = '1970-01-01T00:00:00.000Z';

/**
 * Reviews that came as lines, from a file, as if they had been given in the app: everybody who has a line about an item was
 * asked about it and has committed it. `system` is whose answers lines mean that name none.
 */
export function snapshotOfLines(
  lines: readonly ReviewLine[],
  form: ReviewSection,
  system: string | null = null,
): ReviewSnapshot {
  const asked = lines.map((line): Asked => ({ line: named(line, form, system), field: fieldNamed(line.field, form) }));
  const people = peopleOf(lines);
  const personId = new Map(people.map(({ id, name, role }) => [`${role} ${name}`, id]));
  const items = [...Map.groupBy(asked, ({ line, field }) => itemKey(line, field))].map(([key, own]) => ({
    record: itemOf(key, own),
    own,
  }));
  const states = items.flatMap(({ record, own }) =>
    [...Map.groupBy(own.filter(isReviewers), ({ line }) => line.reviewer)].map(([name, said]): ItemState => {
      const at = said.map(({ line }) => line.at ?? UNDATED).sort();
      return {
        itemId: record.id,
        personId: personId.get(`reviewer ${name}`)!,
        cells: cellsOf(said),
        committed: true,
        version: 1,
        updatedAt: at.at(-1) ?? UNDATED,
      };
    }),
  );
  return {
    review: { id: 'lines', name: 'lines', createdAt: UNDATED, seed: 0, task: 'lines', form, origin: null },
    form,
    people,
    items: items.map(({ record }) => record),
    assignments: states.map(({ itemId, personId: own }, position) => ({ itemId, personId: own, position })),
    states,
    decisions: items.flatMap(({ record, own }) =>
      own
        .filter((one) => !isReviewers(one))
        .map(({ line }, seq): Decision => ({
          id: `${record.id} ${seq}`,
          itemId: record.id,
          field: line.field,
          part: line.part,
          value: line.value,
          personId: personId.get(`adjudicator ${line.reviewer}`)!,
          because: line.because ?? '',
          seq,
          at: line.at ?? UNDATED,
        })),
    ),
    judgements: [],
  };
}

function isReviewers({ line }: Asked): boolean {
  return line.role === 'reviewer';
}

function fieldNamed(name: string, form: ReviewSection): ReviewField {
  const found = fieldOf(form, name);
  if (found !== null) return found;
  const names = Object.keys(form.fields);
  const near = closestNames(name, names);
  throw new UsageError(
    `the reviews answer a question ${describe(name)} that the form does not have`,
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `questions: ${names.join(', ')}`,
  );
}

/** What is asked of a case belongs to no system; what is asked of an answer has to name one if there are several. */
function named(line: ReviewLine, form: ReviewSection, only: string | null): ReviewLine {
  const { of } = fieldNamed(line.field, form);
  if (of === 'case') return { ...line, system: null, language: null };
  if (line.system !== null) return line;
  if (only !== null) return { ...line, system: only };
  throw new UsageError(
    `a review of case ${describe(line.case_id)} by ${describe(line.reviewer)} does not say whose answer it is about`,
    'add a column system to the reviews, or score one system at a time',
  );
}

function itemKey({ case_id: caseId, system, language }: ReviewLine, { of }: ReviewField): string {
  return JSON.stringify([of, caseId, system, language]);
}

function itemOf(key: string, own: readonly Asked[]): ReviewItemRecord {
  const [{ line, field }] = [own[0]!];
  const proposed: Record<string, object[]> = {};
  for (const { line: one, field: asked } of own) {
    // A claim that is known by a name and not by its place is the same claim for everybody who uses that name.
    if (asked.type !== 'items' || one.part === null || placeOfPart(one.part) !== null) continue;
    const list = (proposed[one.field] ??= []);
    if (!list.some((known) => 'id' in known && known.id === one.part))
      list.push({ id: one.part, start: -1, end: -1, text: one.text ?? '' });
  }
  return {
    id: hash('sha256', key).slice(0, 16),
    reviewId: 'lines',
    kind: field.of,
    caseId: line.case_id,
    system: line.system,
    language: line.language,
    content: { title: line.case_id, proposed },
    hidden: null,
  };
}

function cellsOf(said: readonly Asked[]): ReviewCell[] {
  const cells = new Map<string, ReviewCell>();
  const lists = new Map<string, ItemAnswer[]>();
  for (const { line, field } of said) {
    if (field.type === 'items') {
      const list = lists.get(line.field) ?? [];
      lists.set(line.field, list);
      list.push(itemAnswer(line, list.length));
      cells.set(line.field, { field: line.field, part: null, value: list });
    } else {
      const value: CellValue = line.value;
      cells.set(JSON.stringify([line.field, line.part]), { field: line.field, part: line.part, value });
    }
  }
  return [...cells.values()];
}

function itemAnswer({ part, text, value }: ReviewLine, index: number): ItemAnswer {
  const place = placeOfPart(part);
  const id = part ?? `line-${index + 1}`;
  const words = text ?? (place === null ? id : '');
  return { id, start: place?.start ?? -1, end: place?.end ?? -1, text: words, label: String(value), from: [id] };
}

function peopleOf(lines: readonly ReviewLine[]): ReviewPerson[] {
  const seen = new Map<string, ReviewPerson>();
  for (const { reviewer, role } of lines) {
    const key = `${role} ${reviewer}`;
    if (seen.has(key)) continue;
    seen.set(key, {
      id: key,
      reviewId: 'lines',
      name: reviewer,
      role,
      groups: [],
      generation: 0,
      tokenHash: '',
      expiresAt: NEVER,
      revokedAt: null,
    });
  }
  return [...seen.values()];
}
