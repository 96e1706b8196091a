import { figure } from '../../../../src/text/figures.ts';
import type { LedgerItem } from '../../../../src/score/ledger.ts';

const MOST_LISTED = 6;

/**
 * What readers call an item: its words, or the name behind an id that means nothing to them; for an item without words,
 * such as a rating, the values of its fields.
 */
export function itemWords({ text, fields }: LedgerItem): { readonly words: string; readonly id: string | null } {
  const name = fields !== undefined && Object.hasOwn(fields, 'name') ? fields['name'] : null;
  const called = typeof name === 'string' && name !== '' ? name : null;
  if (called !== null && called !== text) return { words: called, id: text === '' ? null : text };
  return { words: text === '' ? listed(fields ?? {}) : text, id: null };
}

function listed(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
    .slice(0, MOST_LISTED)
    .map(
      ([name, value]) =>
        `${name} ${typeof value === 'number' && !Number.isInteger(value) ? figure(value) : String(value)}`,
    )
    .join(', ');
}
