import type { Case } from '../data/case.ts';
import type { Item } from '../data/item.ts';

/** What a system answered in a consultation; null where it did not. */
export function answerOf({ logged }: Case): Item | null {
  return logged?.find(({ item }) => item.kind === 'answer')?.item ?? null;
}

/** The language of a case's answer. */
export function languageOf(answer: Item): string | null {
  const language = answer.fields['language'];
  return typeof language === 'string' ? language : null;
}
