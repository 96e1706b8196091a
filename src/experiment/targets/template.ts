import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { harmless, shorten, visible } from '../../data/visible.ts';
import { closestNames } from '../../text/closest-names.ts';
import { valueAt } from '../json-schema.ts';

/** A text with places in it that are filled for each item: each is the path to a value. */
export type Template = readonly (string | Path)[];
type Path = readonly string[];

/** What variables stand for: fields of the input, and what is known beside it, which goes first. */
export interface Scope {
  readonly input: unknown;
  readonly known: Readonly<Record<string, unknown>>;
}

// A backslash before the braces makes them mere braces.
const OPENING = /\\?\{\{/g;
const MOST_NAMES = 20;

/** `{{ name }}` and `{{ name.field.0 }}`; nothing else is special. 'Dear {{ name }}' becomes ['Dear ', ['name']]. */
export function parseTemplate(text: string, where: string): Template {
  const parts: (string | Path)[] = [];
  let from = 0;
  for (const { 0: opening, index } of text.matchAll(OPENING)) {
    if (index < from) continue;
    parts.push(text.slice(from, index));
    from = index + opening.length;
    if (opening.startsWith('\\')) {
      parts.push('{{');
      continue;
    }
    const end = text.indexOf('}}', from);
    const name = text.slice(from, end);
    const path = name.split('.').map((part) => part.trim());
    const next = 'expected {{ name }} or {{ name.field }}; write \\{{ for two braces that are meant as such';
    if (end < 0 || /[{}\n]/.test(name.trim()) || path.includes(''))
      throw new UsageError(`${where}: ${visible(shorten(text.slice(index)))} is no variable`, next);
    parts.push(path);
    from = end + 2;
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part !== '');
}

/** The first names of its variables: `passages` of `{{ passages.0.text }}`. */
export function variablesIn(template: Template): string[] {
  return template.flatMap((part) => (typeof part === 'string' ? [] : part.slice(0, 1)));
}

/** Values are put in as they are: what looks like a variable in them is none. */
export function render(template: Template, scope: Scope, where: string): string {
  return template.map((part) => (typeof part === 'string' ? part : asText(variableValue(part, scope, where)))).join('');
}

/** A template that is one variable and nothing more gives its value as it is, any other a text. */
export function renderValue(template: Template, scope: Scope, where: string): unknown {
  const [first, ...rest] = template;
  return typeof first === 'object' && rest.length === 0
    ? variableValue(first, scope, where)
    : render(template, scope, where);
}

/** The value of one name; a UsageError that lists what there is, if it is missing. */
export function variableValue(path: Path, { input, known }: Scope, where: string): unknown {
  const [first = '', ...rest] = path;
  const start = valueAt(known, [first]) ?? valueAt(input, [first]);
  const end = start === null ? null : valueAt(start.value, rest);
  if (end !== null) return end.value;
  const names = [...new Set([...Object.keys(known), ...(isRecord(input) ? Object.keys(input) : [])])];
  const shown = names.slice(0, MOST_NAMES).map((name) => shorten(harmless(name)));
  const more = shown.length < names.length ? `, … (${names.length} in all)` : '';
  const near = closestNames(first, names, 1);
  throw new UsageError(
    `${where}: there is no {{ ${shorten(harmless(path.join('.')), 80)} }} for this item; there is ${shown.join(', ')}${more}`,
    near.length > 0 && near[0] !== first ? `did you mean {{ ${near[0]!} }}?` : null,
  );
}

/** Text as it is, nothing for null, everything else as JSON. */
export function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
