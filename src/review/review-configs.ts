import { hash } from 'node:crypto';

import type { WantedConfig } from '../langfuse/client/score-configs.ts';
import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import { shorten } from '../data/visible.ts';
import { partsOf } from './questions.ts';

/** Langfuse takes no longer names. */
const LONGEST_NAME = 35;
const LONGEST_DESCRIPTION = 500;
const NAME_HASH = 6;

/** What stands for an answer that is no label: that there is nothing on a stretch. */
export const NOTHING = 'false';

/** A question, or the part of one, whose answers are scores of one name. */
export interface ScoredQuestion {
  readonly field: string;
  /** Null for a question that is answered as a whole, and for things: the places of claims are no names. */
  readonly part: string | null;
  readonly declared: ReviewField;
  readonly config: WantedConfig;
}

/** All questions of a form with the config of their scores: one name, one type. */
export function scoredQuestions(form: ReviewSection): ScoredQuestion[] {
  return Object.entries(form.fields).flatMap(([field, declared]) =>
    (declared.type === 'items' ? [null] : partsOf(declared)).map((part) => ({
      field,
      part,
      declared,
      config: configOf(field, part, declared),
    })),
  );
}

function configOf(field: string, part: string | null, declared: ReviewField): WantedConfig {
  const { title, help } = declared;
  const base = {
    name: scoreName(field, part),
    minValue: null,
    maxValue: null,
    categories: null,
    description: shorten([title, help].filter((text) => text !== '').join(' '), LONGEST_DESCRIPTION),
  };
  switch (declared.type) {
    case 'scale':
      return { ...base, dataType: 'NUMERIC', minValue: declared.from, maxValue: declared.to };
    case 'choice':
      return { ...base, dataType: 'CATEGORICAL', categories: numbered(Object.keys(declared.options)) };
    case 'checklist':
      return part !== null && declared.notApplicable.includes(part)
        ? { ...base, dataType: 'CATEGORICAL', categories: TICKS }
        : { ...base, dataType: 'BOOLEAN' };
    case 'items':
      return {
        ...base,
        dataType: 'CATEGORICAL',
        categories: numbered([...new Set([...Object.keys(declared.labels), NOTHING])]),
      };
    case 'text':
      return { ...base, dataType: 'TEXT' };
  }
}

const TICKS = [
  { label: 'yes', value: 1 },
  { label: 'no', value: 0 },
  { label: 'na', value: 2 },
] as const;

function numbered(labels: readonly string[]): { readonly label: string; readonly value: number }[] {
  return labels.map((label, value) => ({ label, value }));
}

/** A name that Langfuse takes for a config; a long one is cut, and told apart by a hash of the whole. */
export function scoreName(field: string, part: string | null): string {
  const whole = part === null ? `review_${field}` : `review_${field}.${part}`;
  if (whole.length <= LONGEST_NAME) return whole;
  return `${whole.slice(0, LONGEST_NAME - NAME_HASH - 1)}_${hash('sha256', whole).slice(0, NAME_HASH)}`;
}
