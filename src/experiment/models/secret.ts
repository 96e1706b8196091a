// What is shorter stands in ordinary words, and is no secret: local servers take any key.
const SHORTEST_SECRET = 8;
const REPLACEMENT = '[key]';

// Each quoting of a quoted text doubles them. Bounded: what is searched is hostile.
const ESCAPES = '\\\\{1,8}';
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };

const patterns = new Map<string, RegExp>();

/**
 * A text without a key, also where a server sends it back, as it is, in base64, or as JSON and addresses write it. What is
 * handed on passes through here: answers, errors.
 *
 * @example withoutKey('bad key sk-12345678', 'sk-12345678') // 'bad key [key]'
 * @example withoutKey('{"said":"a\\u0022bcdefgh"}', 'a"bcdefgh') // '{"said":"[key]"}'
 */
export function withoutKey(text: string, key: string | null): string {
  if (key === null || key.length < SHORTEST_SECRET) return text;
  const bytes = Buffer.from(key);
  const forms = [key, bytes.toString('base64'), bytes.toString('base64url')];
  const plain = forms.reduce((rest, form) => rest.replaceAll(form, REPLACEMENT), text);
  // Only what is escaped can still hold it.
  if (!/[\\%]/.test(plain)) return plain;
  return forms.reduce((rest, form) => rest.replace(escapedForms(form), REPLACEMENT), plain);
}

/** Every character as it is, or as JSON or an address may write it. */
function escapedForms(secret: string): RegExp {
  const known = patterns.get(secret);
  if (known !== undefined) return known;
  const made = new RegExp([...secret.toWellFormed()].map(formsOf).join(''), 'g');
  patterns.set(secret, made);
  return made;
}

function formsOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const unicode = units.map((unit) => `${ESCAPES}u${anyCase(unit.toString(16).padStart(4, '0'))}`).join('');
  const percent = [...Buffer.from(character)].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`).join('');
  const short = SHORT_ESCAPES[character];
  const forms = [literal(character), unicode, percent];
  if (short !== undefined) forms.push(`${ESCAPES}${short}`);
  if (character === ' ') forms.push('\\+');
  return `(?:${forms.join('|')})`;
}

function literal(character: string): string {
  if (character === '\\') return ESCAPES;
  return `${/["'/]/.test(character) ? '\\\\{0,8}' : ''}${RegExp.escape(character)}`;
}

function anyCase(hex: string): string {
  return hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
