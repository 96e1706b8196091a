import { isRecord } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import { codePointLength } from '../../text/characters.ts';
import { findQuote, nearQuote } from '../../text/quote.ts';
import { fieldsOfDomain, isCounterpart, type JournalForm } from './journal-form.ts';

/** Raised whenever the same answer would come out otherwise. */
export const JOURNAL_RULES_VERSION = 1;

/** What becomes of an item whose quote is not in the text. */
export const UNSUPPORTED = ['drop', 'flag', 'uncertain'] as const;
export type Unsupported = (typeof UNSUPPORTED)[number];

export interface RuledItems {
  readonly items: readonly unknown[];
  /** What was taken out. */
  readonly rejected: readonly { readonly item: unknown; readonly because: string }[];
  /** What was put otherwise in the items that stayed, by their place among them. */
  readonly changed: readonly Change[];
}

interface Change {
  readonly item: number;
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly because: string;
}

type Ruled =
  | { readonly item: unknown; readonly changes: readonly Omit<Change, 'item'>[]; readonly because?: undefined }
  | { readonly because: string };

/**
 * The rules after the model: an item stays if its quote is in the text word for word and its fields are of their kind.
 * `start` and `end` say where the quote first stands, in code points. A field that the domain does not have is taken
 * off, one that is missing gets the value that the recipe has for it; whatever is done is told. With `flag` and
 * `uncertain` an item whose quote is not in the text stays, with the reason in `unsupported`, and with a polarity of
 * uncertain; other faults still take it out.
 */
export function journalRules(
  text: string,
  given: readonly unknown[],
  form: JournalForm,
  unsupported: Unsupported = 'drop',
): RuledItems {
  const items: unknown[] = [];
  const rejected: { item: unknown; because: string }[] = [];
  const changed: Change[] = [];
  for (const item of given) {
    const ruled = ruleOn(item, text, form, unsupported);
    if (ruled.because !== undefined) rejected.push({ item, because: ruled.because });
    else {
      changed.push(...ruled.changes.map((change) => ({ item: items.length, ...change })));
      items.push(ruled.item);
    }
  }
  return { items, rejected, changed };
}

function ruleOn(given: unknown, text: string, form: JournalForm, unsupported: Unsupported): Ruled {
  if (!isRecord(given)) return { because: 'it is no object' };
  const quote = given['evidence_span'];
  if (typeof quote !== 'string') return { because: NO_QUOTE };
  const found = quote.trim() === '' ? null : findQuote(text, quote);
  const because = found !== null ? '' : quote.trim() === '' ? NO_QUOTE : notVerbatim(text, quote);
  if (found === null && unsupported === 'drop') return { because };
  const { domain, polarity } = given;
  if (typeof domain !== 'string' || !form.domains.includes(domain))
    return { because: notOneOf('domain', domain, form.domains) };

  const own = fieldsOfDomain(form, domain);
  const item: Record<string, unknown> = { ...given };
  const changes: Omit<Change, 'item'>[] = [];
  for (const { name: field, values, missing, required } of own) {
    const value = Object.hasOwn(given, field) ? given[field] : undefined;
    const isMissing = value === undefined || value === null;
    if (isMissing && missing !== null) {
      item[field] = missing;
      changes.push({ field, from: null, to: missing, because: 'it was not given' });
    } else if (isMissing && !required) delete item[field];
    else if (values.length > 0 && (typeof value !== 'string' || !values.includes(value)))
      return { because: notOneOf(field, value, values) };
  }
  for (const field of form.fields) {
    if (own.includes(field) || !Object.hasOwn(given, field.name)) continue;
    const stray = given[field.name];
    delete item[field.name];
    if (stray === null) continue;
    const counterpart = own.find((one) => one.domains.length < form.domains.length && isCounterpart(one, [field]));
    const has = counterpart === undefined ? `no ${field.name}` : `${counterpart.name} instead`;
    changes.push({ field: field.name, from: stray, to: null, because: `${domain} has ${has}` });
  }
  if (found === null) {
    if (unsupported === 'uncertain' && polarity !== 'uncertain') {
      item['polarity'] = 'uncertain';
      changes.push({ field: 'polarity', from: polarity, to: 'uncertain', because });
    }
    return { item: { ...item, unsupported: because }, changes };
  }
  const start = codePointLength(text.slice(0, found.start));
  return { item: { ...item, start, end: start + codePointLength(quote) }, changes };
}

const NO_QUOTE = 'there is no quote';

function notOneOf(field: string, value: unknown, allowed: readonly string[]): string {
  const found = typeof value === 'string' ? visible(shorten(value)) : value === undefined ? 'missing' : 'no text';
  return `${field} is ${found}, expected one of ${allowed.join(', ')}`;
}

function notVerbatim(text: string, quote: string): string {
  const near = nearQuote(text, quote);
  return near.kind === 'absent' || near.kind === 'verbatim'
    ? 'the quote is not in the text'
    : `the quote is in the text but for ${near.kind.replace('-', ' ')}`;
}
