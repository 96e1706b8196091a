import type { ReadContext, TextFormat, WrittenCase } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import type { Span } from '../../text/span.ts';
import { wrong } from '../record-fields.ts';
import { mentionItem, sideOfRole, relationItem } from './mentions.ts';
import { writtenItems } from './written-items.ts';

const TEXT_BOUND = /^(T\S*)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?$/;
const RELATION = /^(R\S*)\t(\S+) Arg1:(\S+) Arg2:(\S+)\s*$/;
const EVENT = /^(E\S*)\t([^\s:]+):(\S+)((?: [^\s:]+:\S+)*)\s*$/;
const ATTRIBUTE = /^([AM]\S*)\t(\S+) (\S+)(?: (.+))?$/;
const EQUIVALENT = /^\*\t(\S+)((?: \S+)+)\s*$/;
const NORMALISATION = /^(N\S*)\t(\S+) (\S+) ([^\s\t]+)(?:\t(.*))?$/;
const NOTE = /^(#\S*)\t(\S+) (\S+)\t(.*)$/;

/** Lines of a file that say more of something named by an earlier or later one. */
interface Extras {
  readonly attributes: Map<string, Record<string, unknown>>;
  readonly notes: Map<string, string[]>;
  readonly links: Map<string, string[]>;
}

/**
 * Brat standoff: a .ann file of text-bound annotations (T), relations (R), events (E), attributes (A), normalisations (N)
 * and notes (#), with the text in the .txt file of the same name. An event is its trigger, related to its arguments.
 * Offsets are code points. https://brat.nlplab.org/standoff.html
 */
export const brat: TextFormat = {
  kind: 'text',
  name: 'brat',
  about: 'brat standoff: a.ann beside a.txt, or a folder of them',
  example: 'T1\tPERSON 0 3\tAnn',
  extensions: ['.ann'],
  mayBeEmpty: true,
  detects: (lines) =>
    lines.every((line) => /^(?:[TREAMN]\S*|#\S*|\*)\t/.test(line)) && /^[TREAMN]\S*\t\S+ /.test(lines[0] ?? ''),
  async *read(records, context) {
    const { path = null } = context;
    const text = path === null ? null : await records.beside(path.replace(/(?:\.ann)?(?:\.gz)?$/i, '.txt'));
    const lines = (await records.text()).split('\n').map((line) => line.replace(/\r$/, ''));
    const items = bratItems(lines, text, context);
    yield [
      {
        id: stemOf(context),
        line: 1,
        text,
        fields: {},
        ...sideOfRole(items, context),
        failed: null,
        unit: 'codepoint',
      },
    ];
  },
  writer: {
    extension: '.ann',
    layout: 'files',
    files: (given) => ({ '.ann': bratLines(given), '.txt': given.text ?? '' }),
  },
};

/** The name of a file without its ending: the id of the only case in it. */
export function stemOf({ file, path = null }: Pick<ReadContext, 'file' | 'path'>): string {
  const name = (path ?? file).split(/[\\/]/).at(-1) ?? file;
  return name.replace(/\.gz$/i, '').replace(/(?<=.)\.[^.]*$/, '');
}

function bratItems(lines: readonly string[], text: string | null, context: ReadContext): Item[] {
  const characters = [...(text ?? '')];
  const extras = extrasOf(lines);
  const fieldsOf = (id: string): { fields?: Fields } => {
    const [attributes, notes, links] = [extras.attributes.get(id), extras.notes.get(id), extras.links.get(id)];
    if (attributes === undefined && notes === undefined && links === undefined) return {};
    return {
      fields: { ...(attributes && { attributes }), ...(notes && { notes }), ...(links && { normalisations: links }) },
    };
  };
  /** Events are named by their trigger, which is what relations and arguments then lead to. */
  const triggers = new Map(
    lines.flatMap((line) =>
      EVENT.exec(line) === null ? [] : [[EVENT.exec(line)![1]!, EVENT.exec(line)![3]!] as const],
    ),
  );
  const refOf = (id: string): string => triggers.get(id) ?? id;
  const items: Item[] = [];
  const add = (item: Item | null): void => void (item !== null && items.push(item));
  lines.forEach((line, at) => {
    const place = { index: items.length, line: at + 1, field: '', context };
    const bound = TEXT_BOUND.exec(line);
    const relation = RELATION.exec(line);
    const event = EVENT.exec(line);
    if (bound !== null) {
      const [, id = '', label = '', offsets = '', words] = bound;
      const fragments = offsets.split(';').map((piece): Span => {
        const [start = 0, end = 0] = piece.split(' ').map(Number);
        return { start, end };
      });
      const start = Math.min(...fragments.map((piece) => piece.start));
      const end = Math.max(...fragments.map((piece) => piece.end));
      // Brat writes a line break in a text as a space.
      const isFlat = fragments.length === 1 && flat(characters.slice(start, end).join('')) === words;
      add(mentionItem({ id, label, start, end, text: isFlat ? undefined : words, fragments, ...fieldsOf(id) }, place));
    } else if (relation !== null) {
      const [, id = '', label = '', source = '', target = ''] = relation;
      add(relationItem({ id, label, source: refOf(source), target: refOf(target), ...fieldsOf(id) }, place));
    } else if (event !== null) {
      const [, id = '', type = '', trigger = '', args = ''] = event;
      for (const argument of args.trim().split(' ').filter(Boolean)) {
        const [role = '', target = ''] = argument.split(/:(.*)/s);
        const fields = { event: id, event_type: type, ...fieldsOf(id).fields };
        add(
          relationItem(
            { label: role, source: trigger, target: refOf(target), fields },
            { ...place, index: items.length },
          ),
        );
      }
    } else if (line.trim() !== '' && !isExtra(line))
      wrong(context, at + 1, 'line', 'an annotation such as T1<TAB>PERSON 0 3<TAB>Ann', line);
  });
  return items;
}

function isExtra(line: string): boolean {
  return [ATTRIBUTE, NORMALISATION, NOTE, EQUIVALENT].some((shape) => shape.test(line)) || line.startsWith('#');
}

function extrasOf(lines: readonly string[]): Extras {
  const extras: Extras = { attributes: new Map(), notes: new Map(), links: new Map() };
  const push = (map: Map<string, string[]>, id: string, value: string): void =>
    void map.set(id, [...(map.get(id) ?? []), value]);
  for (const line of lines) {
    const [, , name = '', target = '', value] = ATTRIBUTE.exec(line) ?? [];
    if (target !== '' && name !== '__proto__')
      extras.attributes.set(target, { ...extras.attributes.get(target), [name]: value ?? true });
    const [, , kind = '', noted = '', text = ''] = NOTE.exec(line) ?? [];
    if (noted !== '') push(extras.notes, noted, kind === 'AnnotatorNotes' ? text : `${kind}: ${text}`);
    const [, , type = '', linked = '', entry = '', words] = NORMALISATION.exec(line) ?? [];
    if (linked !== '') push(extras.links, linked, [type, entry, words ?? ''].join(' ').trimEnd());
  }
  return extras;
}

/** Line breaks inside a text are written as spaces, as brat does; what has no place is left out. */
function bratLines(given: WrittenCase): string {
  const { mentions, relations } = writtenItems(given, 'T', /^T\S+$/);
  const word = (text: string): string => text.replaceAll(/\s+/g, '_') || '_';
  const lines: string[] = [];
  let count = 0;
  const extras = (id: string, fields: Fields): void => {
    for (const [name, value] of Object.entries(recordIn(fields['attributes'])))
      if (value !== false)
        lines.push(`A${(count += 1)}\t${word(name)} ${id}${value === true ? '' : ` ${flat(String(value))}`}`);
    for (const note of listIn(fields['notes'])) lines.push(`#${(count += 1)}\tAnnotatorNotes ${id}\t${flat(note)}`);
    for (const link of listIn(fields['normalisations'])) {
      const [type = '', entry = '', ...words] = link.split(' ');
      lines.push(`N${(count += 1)}\t${type} ${id} ${entry}\t${words.join(' ')}`);
    }
  };
  for (const mention of mentions) {
    const { item, fields } = mention;
    if (item.start < 0) continue;
    const pieces = item.fragments ?? [{ start: item.start, end: item.end }];
    const id = mention.ref;
    lines.push(
      `${id}\t${word(item.label)} ${pieces.map(({ start, end }) => `${start} ${end}`).join(';')}\t${flat(item.text)}`,
    );
    extras(id, fields);
  }
  for (const { ref, item, source, target, fields } of relations) {
    if (source === null || target === null || source.item.start < 0 || target.item.start < 0) continue;
    const id = ref.startsWith('R') ? ref : `R${ref}`;
    lines.push(`${id}\t${word(item.label)} Arg1:${source.ref} Arg2:${target.ref}`);
    extras(id, fields);
  }
  return lines.map((line) => `${line}\n`).join('');
}

function flat(text: string): string {
  return text.replaceAll(/\s/g, ' ');
}

function recordIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function listIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one: unknown) => typeof one === 'string') : [];
}
