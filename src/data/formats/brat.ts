import { COMPRESSED_NAME } from '../compression.ts';
import type { ReadContext, TextFormat, WrittenCase } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { hullOf } from '../../text/pieces.ts';
import type { Span } from '../../text/span.ts';
import { wrong } from '../record-fields.ts';
import { textBeside } from '../stored-digest.ts';
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
  // A line that is wrong is reported as one of this format, not taken for a row of a table.
  detects: (lines) =>
    /^[TREAMN]\S*\t\S+ /.test(lines[0] ?? '') &&
    lines.filter((line) => /^(?:[TREAMN]\S*|#\S*|\*)\t/.test(line)).length * 2 >= lines.length,
  async *read(records, context) {
    const { path = null } = context;
    const text = path === null ? null : await records.beside(textBeside(path));
    const lines = (await records.text()).split('\n').map((line) => line.replace(/\r$/, ''));
    const { items, leftOut } = bratItems(lines, text, context);
    const sides = sideOfRole(items, context);
    yield [
      {
        id: stemOf(context),
        line: 1,
        text,
        fields: {},
        ...sides,
        leftOut: [...leftOut, ...(sides.leftOut ?? [])],
        failed: null,
        unit: 'codepoint',
      },
    ];
  },
  writer: {
    extension: '.ann',
    layout: 'files',
    holds: ['pieces'],
    files: (given) => ({ '.ann': bratLines(given), ...(given.text === null ? {} : { '.txt': given.text }) }),
  },
};

/** The name of a file without its ending: the id of the only case in it. */
export function stemOf({ file, path = null }: Pick<ReadContext, 'file' | 'path'>): string {
  const name = (path ?? file).split(/[\\/]/).at(-1) ?? file;
  return name.replace(COMPRESSED_NAME, '').replace(/(?<=.)\.[^.]*$/, '');
}

interface BratEvent {
  readonly id: string;
  readonly type: string;
  readonly trigger: string;
  readonly roles: readonly (readonly [role: string, target: string])[];
}

function bratItems(
  lines: readonly string[],
  text: string | null,
  context: ReadContext,
): { items: Item[]; leftOut: string[] } {
  const characters = [...(text ?? '')];
  const extras = extrasOf(lines);
  const eventLines = lines.map(eventOf);
  const events = new Map(eventLines.flatMap((event) => (event === null ? [] : [[event.id, event]])));
  const byTrigger = Map.groupBy(events.values(), ({ trigger }) => trigger);
  const fieldsOf = (id: string): Fields => {
    const [attributes, notes, links] = [extras.attributes.get(id), extras.notes.get(id), extras.links.get(id)];
    const own = byTrigger.get(id)?.map(({ id: event, type }) => [event, type] as const);
    return {
      ...(attributes && { attributes }),
      ...(notes && { notes }),
      ...(links && { normalisations: links }),
      ...(own && { events: Object.fromEntries(own) }),
    };
  };
  /** An event is what its trigger is: relations and arguments that name it lead there. */
  const refOf = (id: string): string => events.get(id)?.trigger ?? id;
  const items: Item[] = [];
  const leftOut: string[] = [];
  lines.forEach((line, at) => {
    const place = () => ({ index: items.length, line: at + 1, field: '', context });
    const add = (item: Item | null): void => void (item !== null && items.push(item));
    const bound = TEXT_BOUND.exec(line);
    const relation = RELATION.exec(line);
    const event = eventLines[at] ?? null;
    if (bound !== null) {
      const [, id = '', label = '', offsets = '', words] = bound;
      const fragments = offsets.split(';').map((piece): Span => {
        const [start = 0, end = 0] = piece.split(' ').map(Number);
        return { start, end };
      });
      const { start, end } = hullOf(fragments);
      // Brat writes a line break in a text as a space.
      const slices = fragments.map((piece) => characters.slice(piece.start, piece.end).join(''));
      const isFlat = flat(slices.join(' ')) === words;
      const fields = fieldsOf(id);
      add(mentionItem({ id, label, start, end, text: isFlat ? undefined : words, fragments, fields }, place()));
    } else if (relation !== null) {
      const [, id = '', label = '', source = '', target = ''] = relation;
      const fields = fieldsOf(id);
      add(relationItem({ id, label, source: refOf(source), target: refOf(target), fields }, place()));
    } else if (event !== null) {
      const own = fieldsOf(event.id);
      if (event.roles.length === 0) leftOut.push(...Object.keys(own).map((what) => `${what} of the event ${event.id}`));
      for (const [role, target] of event.roles) {
        const fields = { event: event.id, event_type: event.type, ...own };
        add(relationItem({ label: role, source: event.trigger, target: refOf(target), fields }, place()));
      }
    } else if (EQUIVALENT.test(line)) leftOut.push(line.replace('\t', ' '));
    else if (line.trim() !== '' && !isExtra(line))
      wrong(context, at + 1, 'line', 'an annotation such as T1<TAB>PERSON 0 3<TAB>Ann', line);
  });
  return { items, leftOut };
}

function eventOf(line: string): BratEvent | null {
  const [, id, type = '', trigger = '', roles = ''] = EVENT.exec(line) ?? [];
  if (id === undefined) return null;
  const pairs = roles.split(' ').filter((pair) => pair !== '');
  return {
    id,
    type,
    trigger,
    roles: pairs.map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)] as const),
  };
}

function isExtra(line: string): boolean {
  return [ATTRIBUTE, NORMALISATION, NOTE].some((shape) => shape.test(line)) || line.startsWith('#');
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
  const { mentions, relations } = writtenItems(given, 'T', { mention: /^T\S+$/, relation: /^R\S+$/ });
  const word = (text: string): string => text.replaceAll(/\s+/g, '_');
  const lines: string[] = [];
  let count = 0;
  const next = (): number => (count += 1);
  const extras = (id: string, fields: Fields): void => {
    for (const [name, value] of Object.entries(recordIn(fields['attributes'])))
      if (/^\S+$/.test(name) && isPlain(value))
        lines.push(`A${next()}\t${name} ${id}${value === true ? '' : ` ${flat(String(value))}`}`);
    for (const note of listIn(fields['notes'])) lines.push(`#${next()}\tAnnotatorNotes ${id}\t${flat(note)}`);
    for (const link of listIn(fields['normalisations'])) {
      const [, type, entry = '', words = ''] = LINK.exec(flat(link)) ?? [];
      if (type !== undefined) lines.push(`N${next()}\t${type} ${id} ${entry}\t${words}`);
    }
  };
  for (const { ref, item, fields } of mentions) {
    const pieces = item.fragments ?? [item];
    const places = pieces.map(({ start, end }) => `${start} ${end}`).join(';');
    lines.push(`${ref}\t${word(item.label)} ${places}\t${flat(item.text)}`);
    extras(ref, fields);
  }
  const joined = relations.flatMap(({ source, target, ...rest }) =>
    source === null || target === null ? [] : [{ ...rest, source, target }],
  );
  const events = new Map(
    mentions.flatMap((trigger) =>
      Object.entries(recordIn(trigger.fields['events'])).flatMap(([id, type]) =>
        /^E\S+$/.test(id) && typeof type === 'string' && /^[^\s:]+$/.test(type)
          ? [[id, { type, trigger }] as const]
          : [],
      ),
    ),
  );
  const eventIn = ({ item, source }: (typeof joined)[number]): string | null => {
    const { event } = item.fields;
    const isArgument = typeof event === 'string' && events.get(event)?.trigger === source && !/[\s:]/.test(item.label);
    return isArgument ? event : null;
  };
  const byEvent = Map.groupBy(joined, eventIn);
  for (const [id, { type, trigger }] of events) {
    const own = byEvent.get(id) ?? [];
    const roles = own.map(({ item, target }) => ` ${item.label}:${target.ref}`).join('');
    lines.push(`${id}\t${type}:${trigger.ref}${roles}`);
    extras(id, own[0]?.fields ?? {});
  }
  for (const { ref, item, source, target, fields } of byEvent.get(null) ?? []) {
    lines.push(`${ref}\t${word(item.label)} Arg1:${source.ref} Arg2:${target.ref}`);
    extras(ref, fields);
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** A type, an entry and its words, `Reference Wikipedia:1 Ann`. */
const LINK = /^(\S+) (\S+)(?: (.*))?$/;

/** What an attribute can have; one that is false is none. */
function isPlain(value: unknown): boolean {
  return value === true || typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
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
