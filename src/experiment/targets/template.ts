import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { harmless, shorten, visible } from '../../data/visible.ts';
import { nearestNames } from '../../text/nearest.ts';

/** A text with places in it that are filled for each item. */
export interface Template {
  readonly parts: readonly (string | Variable)[];
}

interface Variable {
  readonly path: readonly string[];
}

/** What variables stand for: fields of the input, and what is known beside it, which goes first. */
export interface Scope {
  readonly input: unknown;
  readonly known: Readonly<Record<string, unknown>>;
}

// A backslash before the braces makes them mere braces.
const OPENING = /\\?\{\{/g;
const MOST_NAMES = 20;

/**
 * `{{ name }}` and `{{ name.field.0 }}`. Nothing else is special: no conditions, no loops, no escaping.
 *
 * @example parseTemplate('Dear {{ name }}', 'prompt').parts // ['Dear ', { path: ['name'] }]
 */
export function parseTemplate(text: string, where: string): Template {
  const parts: (string | Variable)[] = [];
  let from = 0;
  OPENING.lastIndex = 0;
  for (let opening = OPENING.exec(text); opening !== null; opening = OPENING.exec(text)) {
    if (opening[0].startsWith('\\')) {
      parts.push(text.slice(from, opening.index), '{{');
      from = OPENING.lastIndex;
      continue;
    }
    const start = opening.index + 2;
    const end = text.indexOf('}}', start);
    const name = end < 0 ? null : text.slice(start, end).trim();
    const path = name?.split('.').map((part) => part.trim()) ?? [];
    if (name === null || /[{}\n]/.test(name) || path.includes(''))
      throw new UsageError(
        `${where}: ${visible(shorten(text.slice(opening.index)))} is no variable`,
        'expected {{ name }} or {{ name.field }}; write \\{{ for two braces that are meant as such',
      );
    parts.push(text.slice(from, opening.index), { path });
    from = end + 2;
    OPENING.lastIndex = from;
  }
  parts.push(text.slice(from));
  return { parts: parts.filter((part) => part !== '') };
}

export function hasVariables({ parts }: Template): boolean {
  return parts.some((part) => typeof part !== 'string');
}

/** The first names of its variables: `passages` of `{{ passages.0.text }}`. */
export function namesIn({ parts }: Template): string[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [] : part.path.slice(0, 1)));
}

/** Values are put in as they are: what looks like a variable in them is none. */
export function render({ parts }: Template, scope: Scope, where: string): string {
  return parts.map((part) => (typeof part === 'string' ? part : asText(valueOf(part, scope, where)))).join('');
}

/** A template that is one variable and nothing more gives its value as it is, any other a text. */
export function renderValue(template: Template, scope: Scope, where: string): unknown {
  const [first] = template.parts;
  return template.parts.length === 1 && typeof first === 'object'
    ? valueOf(first, scope, where)
    : render(template, scope, where);
}

/** The value of one name; a UsageError that says what there is, where there is no such thing. */
export function valueOf({ path }: Variable, { input, known }: Scope, where: string): unknown {
  const [first = '', ...rest] = path;
  let at = field(known, first) ?? field(input, first);
  for (const part of rest) at = at === null ? null : field(at.value, part);
  if (at !== null) return at.value;
  const names = [...Object.keys(known), ...(isRecord(input) ? Object.keys(input) : [])];
  const near = nearestNames(first, names, 1);
  throw new UsageError(
    `${where}: there is no {{ ${shorten(harmless(path.join('.')), 80)} }} for this item; there is ${listed(names)}`,
    near.length > 0 && near[0] !== first ? `did you mean {{ ${near[0]!} }}?` : null,
  );
}

/** Text as it is, nothing for null, everything else as JSON. */
export function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function field(value: unknown, name: string): { readonly value: unknown } | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
  return Array.isArray(value) && name === 'length' ? null : { value: Reflect.get(value, name) };
}

function listed(names: readonly string[]): string {
  const unique = [...new Set(names)];
  const shown = unique.slice(0, MOST_NAMES).map((name) => shorten(harmless(name)));
  return shown.length < unique.length ? `${shown.join(', ')}, … (${unique.length} in all)` : shown.join(', ');
}
