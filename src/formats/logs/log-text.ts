import type { Fields } from '../../data/item.ts';
import { faultWithin, isRecord } from '../../data/record-fields.ts';
import { harmless, shorten } from '../../data/visible.ts';

const LONGEST_NAME = 120;
const LONGEST_REASON = 500;

/**
 * Anything that a log gives as input or output, as text: texts as they are, messages with their roles, other values as JSON.
 *
 * @example logText([{ role: 'user', content: 'Hi' }]) // 'user: Hi'
 */
export function logText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0 && value.every(isMessage))
    return value.map(({ role, content }) => `${String(role)}: ${contentText(content)}`).join('\n\n');
  if (typeof value === 'object') return jsonText(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/**
 * Named values as text: the only text by itself, otherwise one line each.
 *
 * @example fieldsText({ language: 'French', body: 'Hello' }) // 'language: French\nbody: Hello'
 */
export function fieldsText(fields: Fields): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  if (entries.length === 1) return logText(entries[0]![1]) ?? '';
  return entries.map(([name, value]) => `${name}: ${logText(value) ?? ''}`).join('\n');
}

function isMessage(value: unknown): value is Fields {
  return isRecord(value) && typeof value['role'] === 'string' && 'content' in value;
}

/** The content of a message: text, or parts of which the text is shown and the rest named. */
function contentText(content: unknown): string {
  if (!Array.isArray(content)) return logText(content) ?? '';
  return content
    .map((part: unknown) => {
      if (!isRecord(part)) return logText(part) ?? '';
      return typeof part['text'] === 'string' ? part['text'] : `(${logText(part['type']) ?? 'content'})`;
    })
    .join('\n');
}

function jsonText(value: object): string {
  return faultWithin(value) === null ? JSON.stringify(value) : '(nested too deeply to show)';
}

/** A name from a log as a measure can carry it; null for one that it cannot. */
export function measureName(written: unknown): string | null {
  if (typeof written !== 'string') return null;
  const name = shorten(harmless(written.trim().replaceAll(/\s+/g, ' ')), LONGEST_NAME);
  return name === '' || name === '__proto__' ? null : name;
}

/** Why something failed, in one line. */
export function reasonText(value: unknown): string | null {
  const given = isRecord(value) && 'message' in value ? value['message'] : value;
  const text = logText(given)?.trim().replaceAll(/\s+/g, ' ') ?? '';
  return text === '' ? null : shorten(text, LONGEST_REASON);
}

/** A record as it is; empty where it is none. */
export function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** A list as it is; empty where it is none. */
export function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A record of the log that may be kept and hashed; empty where it is none, or one that nobody could write again. */
export function keptFields(value: unknown): Fields {
  return isRecord(value) && faultWithin(value) === null ? value : {};
}

/** A number, also written as text; null for anything else. */
export function finiteNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Text that is not empty. */
export function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
