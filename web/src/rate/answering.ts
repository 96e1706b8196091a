import type { CellValue } from '../../../src/store/review-records.ts';
import type { ReviewField } from '../../../src/recipe/review-section.ts';
import type { ItemState } from './item-state.ts';
import type { Stop } from './stops.ts';

/** What every question of an item needs: what was answered, where the person is, and how to answer. */
export interface Answering {
  readonly state: ItemState;
  readonly current: Stop | null;
  /** Rows without an answer, once the person wanted to go on. */
  readonly missing: readonly Stop[];
  readonly language: string | null;
  /** `typing`: of letters, what they are typed into; those that follow each other are one change. */
  readonly answer: (stop: Stop, value: CellValue, typing?: string) => void;
}

export interface QuestionProps<Field extends ReviewField> {
  readonly name: string;
  readonly field: Field;
  readonly answering: Answering;
}
