import { type ReviewSection, reviewSection } from '../../src/recipe/review-section.ts';
import type { ReviewSnapshot } from '../../src/review/snapshot.ts';
import type {
  CellValue,
  Decision,
  ItemAnswer,
  ItemState,
  Judgement,
  ReviewItemRecord,
  ReviewRole,
} from '../../src/store/review-records.ts';

/** Snapshots of reviews in a few lines, for tests of what is worked out from them. */

export function formOf(given: { fields: Record<string, unknown> } & Record<string, unknown>): ReviewSection {
  return reviewSection.parse({ show: [{ field: 'text', title: 'Text' }], ...given });
}

export interface MadeItem {
  readonly id: string;
  readonly kind?: 'case' | 'answer';
  readonly caseId?: string;
  readonly system?: string | null;
  readonly language?: string | null;
  readonly content?: unknown;
}

export interface MadeWork {
  readonly person: string;
  readonly item: string;
  /** By field, or `field.part`. */
  readonly cells: Readonly<Record<string, CellValue>>;
  readonly committed?: boolean;
  readonly at?: string;
}

export interface MadeReview {
  readonly form: ReviewSection;
  /** Name to groups; the id of a person is the name. */
  readonly reviewers: Readonly<Record<string, readonly string[]>>;
  readonly others?: Readonly<Record<string, ReviewRole>>;
  readonly items: readonly (MadeItem | string)[];
  /** Everything to everybody where it is not said. */
  readonly assigned?: readonly (readonly [person: string, item: string])[];
  readonly work?: readonly MadeWork[];
  readonly decisions?: readonly (Partial<Decision> & Pick<Decision, 'itemId' | 'field' | 'value'>)[];
  readonly judgements?: readonly (Partial<Judgement> & Pick<Judgement, 'itemId' | 'field' | 'value'>)[];
}

const TIME = '2026-01-01T10:00:00.000Z';

export function madeSnapshot(made: MadeReview): ReviewSnapshot {
  const reviewers = Object.keys(made.reviewers);
  const items = made.items.map((item) => itemOf(typeof item === 'string' ? { id: item } : item));
  const assigned = made.assigned ?? reviewers.flatMap((name) => items.map(({ id }) => [name, id] as const));
  return {
    review: { id: 'r', name: 'pilot', createdAt: TIME, seed: 1, task: 'consult', form: made.form, origin: {} },
    form: made.form,
    people: [
      ...Object.entries(made.reviewers).map(([name, groups]) => person(name, 'reviewer', groups)),
      ...Object.entries(made.others ?? {}).map(([name, role]) => person(name, role, [])),
    ],
    items,
    assignments: assigned.map(([personId, itemId], position) => ({ personId, itemId, position })),
    states: (made.work ?? []).map(stateOf),
    decisions: (made.decisions ?? []).map((decision, at) => ({
      id: `d${at}`,
      part: null,
      personId: 'judy',
      because: 'as the texts have it',
      seq: at + 1,
      at: TIME,
      ...decision,
    })),
    judgements: (made.judgements ?? []).map((judgement, at) => ({
      id: `j${at}`,
      part: null,
      reason: null,
      judge: 'one',
      model: 'model-a',
      promptHash: 'prompt-1',
      seq: at + 1,
      at: TIME,
      ...judgement,
    })),
  };
}

/** A labelled claim at its place. */
export function claim(start: number, end: number, label: string | null, more: Partial<ItemAnswer> = {}): ItemAnswer {
  return { id: `c${start}-${end}`, start, end, text: `words ${start} to ${end}`, label, from: [], ...more };
}

function itemOf({
  id,
  kind = 'answer',
  caseId = id,
  system = null,
  language = null,
  content,
}: MadeItem): ReviewItemRecord {
  return {
    id,
    reviewId: 'r',
    kind,
    caseId,
    system,
    language,
    content: content ?? { title: `about ${id}` },
    hidden: {},
  };
}

function person(name: string, role: ReviewRole, groups: readonly string[]): ReviewSnapshot['people'][number] {
  const token = { generation: 1, tokenHash: '', expiresAt: TIME, revokedAt: null };
  return { id: name, reviewId: 'r', name, role, groups, ...token };
}

function stateOf({ person: personId, item, cells, committed = true, at = TIME }: MadeWork, version: number): ItemState {
  return {
    itemId: item,
    personId,
    cells: Object.entries(cells).map(([key, value]) => {
      const [field = '', part = null] = key.split('.');
      return { field, part, value };
    }),
    committed,
    version,
    updatedAt: at,
  };
}
