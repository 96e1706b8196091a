import { createHmac } from 'node:crypto';

import { UsageError } from '../data/problems.ts';
import { visible } from '../data/visible.ts';
import { didYouMean } from '../prepare/setting-error.ts';
import type { ReviewSection } from '../recipe/review-section.ts';
import type { ReviewSource } from './review-sources.ts';

const ID_CHARACTERS = 15;

/** Names for things of a review that give nothing away; the same again for the same review, thing and secret. */
export interface OpaqueIds {
  item(kind: 'case' | 'answer', caseId: string, system: string | null, language: string | null): string;
  person(name: string): string;
}

export function opaqueIds(secret: Buffer, review: string): OpaqueIds {
  // A letter first: an id that begins with a hyphen is a formula to a spreadsheet and an option to a shell.
  const id = (letter: string, parts: readonly unknown[]): string => {
    const digest = createHmac('sha256', secret).update(JSON.stringify([letter, review, ...parts]));
    return `${letter}${digest.digest('base64url').slice(0, ID_CHARACTERS)}`;
  };
  return {
    item: (kind, caseId, system, language) => id('i', [kind, caseId, system, language]),
    person: (name) => id('p', [name]),
  };
}

/** Refuses a form that shows what is kept from reviewers, or what no source has. */
export function checkShown({ show, under }: ReviewSection, sources: readonly ReviewSource[]): void {
  const known = new Set(sources.flatMap(({ texts }) => Object.keys(texts)));
  const hidden = new Set(sources.flatMap((source) => Object.keys(source.hidden)));
  const hasAnswers = sources.some(({ system }) => system !== null);
  for (const { field, of } of show) {
    if (known.has(field) || (!hasAnswers && (of === 'answer' || field === under))) continue;
    throw new UsageError(
      hidden.has(field) || field === 'system'
        ? `the form shows ${visible(field)}, which is kept from reviewers until they have committed`
        : `the form shows ${visible(field)}, which nothing here has`,
      didYouMean(field, known) ?? `review.show may name ${[...known].join(', ')}`,
    );
  }
  if (!show.some(({ field }) => field === under))
    throw new UsageError(
      `what is under review (${visible(under)}) is not shown to reviewers`,
      'name one of the fields of review.show as review.under',
    );
}

/** If answers name the system that gave them, no blinding helps: that is reported, and nothing is changed. */
export function namingNotices({ under }: ReviewSection, sources: readonly ReviewSource[]): string[] {
  const naming = new Map<string, number>();
  for (const { system, texts } of sources) {
    if (system === null || under === 'text') continue;
    if (letters(texts[under] ?? '').includes(letters(system)) && letters(system).length > 3)
      naming.set(system, (naming.get(system) ?? 0) + 1);
  }
  return [...naming].map(
    ([system, times]) =>
      `${times === 1 ? '1 answer of' : `${times} answers of`} ${visible(system)} ${times === 1 ? 'has' : 'have'} that name in the text: reviewers can read it there`,
  );
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
