import type { Fields } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import { escapePattern } from '../../text/escape-pattern.ts';
import type { Environment } from './access.ts';

// What is shorter is part of ordinary words, and no secret: local servers take any key.
const SHORTEST_SECRET = 8;
const REPLACEMENT = '[key]';
/** So many characters of a key in a row are as good as the key; fewer are part of other words. */
const SHORTEST_PART = 10;
const ORDINARY_WORD = /^[a-z]+$|[^\w-]/;

// Each quoting of a quoted text doubles them. Bounded: what is searched is hostile.
const ESCAPES = '\\\\{1,8}';
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };

const known = new Map<string, ReturnType<typeof formsOf>>();

/**
 * A text without a key, also where a server sends it back, as it is, cut, in base64, or as JSON and addresses write it.
 * @example withoutKey('{"said":"a\\u0022bcdefgh"}', 'a"bcdefgh') // '{"said":"[key]"}'
 */
export function withoutKey(text: string, key: string | null): string {
  if (key === null || key.length < SHORTEST_SECRET) return text;
  const forms = known.get(key) ?? formsOf(key);
  known.set(key, forms);
  const { plain, escaped, parts } = forms;
  const clean = plain.reduce((rest, form) => rest.replaceAll(form, REPLACEMENT), text);
  // Only what is escaped can still hold it.
  const whole = /[\\%]/.test(clean) ? escaped.reduce((rest, form) => rest.replace(form, REPLACEMENT), clean) : clean;
  return withoutParts(whole, key, parts);
}

/** Removes every part of a key. Looks at each tenth character first: a part has to contain it. */
function withoutParts(text: string, key: string, parts: ReadonlySet<string>): string {
  let clean = '';
  let from = 0;
  for (let at = SHORTEST_PART - 1; at < text.length; at += SHORTEST_PART) {
    if (!key.includes(text[at]!)) continue;
    for (let start = Math.max(from, at - SHORTEST_PART + 1); start <= at; start += 1) {
      if (!parts.has(text.slice(start, start + SHORTEST_PART))) continue;
      let end = start + SHORTEST_PART;
      while (end < text.length && key.includes(text.slice(start, end + 1))) end += 1;
      clean += `${text.slice(from, start)}${REPLACEMENT}`;
      from = end;
      at = end - 1;
      break;
    }
  }
  return clean + text.slice(from);
}

/** The parts of a key that look like one: words and paths in it may be anywhere. */
function partsOf(key: string): ReadonlySet<string> {
  const starts = Array.from({ length: Math.max(0, key.length - SHORTEST_PART + 1) }, (_, at) => at);
  const parts = starts.map((start) => key.slice(start, start + SHORTEST_PART));
  return new Set(parts.filter((part) => !ORDINARY_WORD.test(part)));
}

/** As it is, in hexadecimal, and in base64: by itself, and as a part of something longer such as a whole header. */
function formsOf(key: string) {
  const bytes = Buffer.from(key);
  const hex = bytes.toString('hex');
  const encoded = [
    bytes.toString('base64'),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].map((before) => inside(bytes, before)),
  ];
  const forms = [key, ...encoded].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
  const plain = [...new Set(forms)];
  // Every character as it is, or as JSON or an address may write it.
  const parts = partsOf(key);
  return {
    plain,
    parts,
    escaped: plain.map((form) => new RegExp([...form.toWellFormed()].map(anyForm).join(''), 'g')),
  };
}

/** The part of the base64 of a longer text that encodes the key and nothing else, with so many bytes before it. */
function inside(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const ends = (before + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1;
  return encoded.slice(Math.ceil((before * 8) / 6), ends);
}

function anyForm(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const unicode = units.map((unit) => `${ESCAPES}u${anyCase(unit.toString(16).padStart(4, '0'))}`).join('');
  const percent = [...Buffer.from(character)].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`).join('');
  const quoted = `${/["'/]/.test(character) ? '\\\\{0,8}' : ''}${escapePattern(character)}`;
  const forms = [character === '\\' ? ESCAPES : quoted, unicode, percent];
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) forms.push(`${ESCAPES}${short}`);
  if (character === ' ') forms.push('\\+');
  return `(?:${forms.join('|')})`;
}

function anyCase(hex: string): string {
  return hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

const SECRET_NAME = /(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Values of variables that are named like secrets: the user's own code gets them, and may print them. */
export function secretsIn(environment: Environment): string[] {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) ? [value.trim()] : [],
  );
  return longestFirst(values);
}

/** Each once, since one may begin another. */
export function longestFirst(secrets: readonly string[]): string[] {
  return [...new Set(secrets)].sort((a, b) => b.length - a.length);
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => withoutKey(rest, secret), text);
}

/** Parsed JSON without them, in every text and every name of a field; a number that shows one becomes a text. */
export function valueWithoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return withoutSecrets(value, secrets);
  if (typeof value === 'number') {
    const text = String(value);
    const clean = withoutSecrets(text, secrets);
    return clean === text ? value : clean;
  }
  if (Array.isArray(value)) return value.map((inner: unknown) => valueWithoutSecrets(inner, secrets));
  return isRecord(value) ? fieldsWithoutSecrets(value, secrets) : value;
}

export function fieldsWithoutSecrets(fields: Fields, secrets: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [withoutSecrets(name, secrets), valueWithoutSecrets(inner, secrets)]),
  );
}
