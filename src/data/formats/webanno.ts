import type { ReadContext, TextFormat } from '../format.ts';
import { wrong } from '../record-fields.ts';
import { stemOf } from './brat.ts';
import { casRow, type FeatureStructure, TOKEN } from './cas.ts';
import { cellValues, splitCell, unescapeTsv, webannoText } from './webanno-text.ts';

/** A layer as the header declares it, with its columns: of features, and pairs of them for slots. */
interface Layer {
  readonly type: string;
  readonly features: readonly { readonly name: string; readonly at: number }[];
  readonly slots: readonly {
    readonly name: string;
    readonly link: string;
    readonly target: string;
    readonly at: number;
  }[];
  /** Of relations: the layer that they join, and the column of what they come from. */
  readonly base: string | null;
  readonly from: number;
}

interface Line {
  readonly token: string;
  readonly begin: number;
  readonly end: number;
  readonly cells: readonly string[];
  readonly line: number;
}

/** An annotation as its lines are read. */
interface Mark {
  readonly id: string;
  readonly line: number;
  readonly begin: number;
  end: number;
  readonly values: Record<string, string>;
  readonly refs: Record<string, string[]>;
}

/** The annotations of a layer, by their number or else by their token and place in its cell. */
type Marks = Map<string, Mark>;

const ROW = /^\d+-\d+(?:\.\d+)?\t/;
const SLOT = /^ROLE_(?:[^|]*:)?(.+?)_([A-Za-z]\w*(?:\.\w+)+)$/;
/** What is between two sentences is not in the file; more than this is no gap. */
const LONGEST_GAP = 100_000;

/**
 * WebAnno TSV 3, as WebAnno and INCEpTION export it: one document a file, a token a line, a column for each feature of each
 * layer. Spans of several tokens share a number, `PER[1]`; several on one token are parted by bars; parts of a token have
 * extra lines, `1-3.1`. Places are UTF-16.
 * https://inception-project.github.io/releases/latest/docs/user-guide.html#sect_formats_webannotsv3
 */
export const webanno: TextFormat = {
  kind: 'text',
  name: 'webanno-tsv',
  about: 'WebAnno TSV 3 (WebAnno, INCEpTION): a file, or a folder of them',
  example:
    '#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Person|value\n\n#Text=Ann left\n1-1\t0-3\tAnn\tPER\t\n1-2\t4-8\tleft\t_\t\n',
  extensions: [],
  detects: (lines) => lines[0]?.startsWith('#FORMAT=WebAnno TSV 3') === true,
  async *read(records, context) {
    const layers: Layer[] = [];
    const lines: Line[] = [];
    const sentences: { text: string; before: number }[] = [];
    let columns = 0;
    let isText = false;
    for (const [at, written] of (await records.text()).split('\n').entries()) {
      const line = written.replace(/\r$/, '');
      const wasText = isText;
      isText = line.startsWith('#Text=');
      if (/^#T_(?:SP|RL)=/.test(line)) {
        const [layer, width] = layerOf(line, columns);
        layers.push(layer);
        columns += width;
      } else if (line.startsWith('#T_CH=')) {
        const next = 'remove the chain layer from the export';
        wrong(context, at + 1, 'layer', 'layers of spans and relations', 'chains', next);
      } else if (isText) {
        const text = unescapeTsv(line.slice(6));
        // A sentence over several lines has as many of these.
        if (wasText) sentences.at(-1)!.text += `\n${text}`;
        else sentences.push({ text, before: lines.length });
      } else if (ROW.test(line)) {
        const [token = '', range = '', , ...cells] = line.split('\t');
        const [, begin, end] = /^(\d{1,9})-(\d{1,9})$/.exec(range) ?? [];
        if (begin === undefined || end === undefined) wrong(context, at + 1, 'place', 'two numbers, 0-3', range);
        else lines.push({ token, begin: Number(begin), end: Number(end), cells, line: at + 1 });
      }
    }
    const text = documentText(sentences, lines, context);
    yield [casRow(stemOf(context), text, structuresOf(lines, layers, context), context)];
  },
  writer: {
    extension: '.tsv',
    offsets: 'utf16',
    layout: 'files',
    needsText: true,
    files: (given) => ({ '.tsv': webannoText(given) }),
  },
};

/** A layer, and how many columns it takes. */
function layerOf(line: string, first: number): [layer: Layer, width: number] {
  const [type = '', ...names] = line.slice(6).split('|');
  const [features, slots]: [{ name: string; at: number }[], Layer['slots'][number][]] = [[], []];
  let base: string | null = null;
  names.forEach((name, index) => {
    const [, slot, link] = SLOT.exec(name) ?? [];
    if (slot !== undefined && link !== undefined)
      slots.push({ name: slot, link, target: names[index + 1] ?? '', at: first + index });
    else if (name.startsWith('BT_')) base = name.slice(3);
    else if (SLOT.exec(names[index - 1] ?? '') === null) features.push({ name, at: first + index });
  });
  return [{ type, features, slots, base, from: first + names.length - 1 }, Math.max(1, names.length)];
}

/** The sentences at the places of their first tokens; what is between them is taken for spaces and a line break. */
function documentText(
  sentences: readonly { text: string; before: number }[],
  lines: readonly Line[],
  context: ReadContext,
): string {
  let text = '';
  for (const one of sentences) {
    const first = lines[one.before];
    const gap = (first?.begin ?? text.length) - text.length;
    if (gap > LONGEST_GAP && first !== undefined)
      wrong(context, first.line, 'place', `a place near ${text.length}, where the text before it ends`, first.begin);
    else if (gap > 0) text += text === '' ? ' '.repeat(gap) : '\n'.padStart(gap, ' ');
    text = text.slice(0, first?.begin ?? text.length) + one.text;
  }
  return text;
}

function structuresOf(lines: readonly Line[], layers: readonly Layer[], context: ReadContext): FeatureStructure[] {
  const out: FeatureStructure[] = lines
    .filter(({ token }) => !token.includes('.'))
    .map(({ token, begin, end, line }) => ({ id: token, type: TOKEN, line, begin, end, values: {}, refs: {} }));
  const marks = new Map<string, Marks>();
  /** The first annotation of a layer on a token. */
  const firsts = new Map<string, Mark>();
  for (const layer of layers.filter(({ base }) => base === null)) {
    const own = marks.get(layer.type) ?? new Map<string, Mark>();
    marks.set(layer.type, own);
    for (const line of lines) readMarks(line, layer, own, firsts);
  }
  /** An annotation by its number, which is one in the whole file or none, or the one on a token. */
  const markAt = (type: string, token: string, number: string | undefined): Mark | undefined => {
    if (number === undefined || number === '0')
      return firsts.get(`${type} ${token}`) ?? (marks.has(type) ? undefined : firsts.get(` ${token}`));
    const key = `#${number}`;
    return marks.get(type)?.get(key) ?? [...marks.values()].find((own) => own.has(key))?.get(key);
  };
  const links: FeatureStructure[] = [];
  for (const { type, slots } of layers)
    for (const slot of slots) for (const link of readSlots(lines, type, slot, marks, markAt, context)) links.push(link);
  for (const [type, own] of marks) for (const mark of own.values()) out.push({ ...mark, type });
  const relations = layers
    .filter(({ base }) => base !== null)
    .flatMap((layer) => readRelations(lines, layer, markAt, context));
  return [out, links, relations].flat();
}

function readMarks(
  { token, begin, end, cells, line }: Line,
  layer: Layer,
  own: Marks,
  firsts: Map<string, Mark>,
): void {
  const { type, features, slots, from } = layer;
  const columns = features.length === 0 && slots.length === 0 ? [{ name: '', at: from }] : [...features, ...slots];
  const values = columns.map(({ at }) => cellValues(cells[at] ?? '_'));
  const most = values.reduce((longest, list) => Math.max(longest, list.length), 0);
  for (let at = 0; at < most; at += 1) {
    const number = values.map((list) => list[at]?.number).find((one) => one !== undefined);
    const key = number === undefined ? `${token}/${at}` : `#${number}`;
    const known = own.get(key);
    const mark = known ?? { id: `${type}:${key}`, line, begin, end, values: {}, refs: {} };
    mark.end = Math.max(mark.end, end);
    if (known === undefined) {
      features.forEach(({ name }, index) => {
        const value = values[index]?.[at]?.value ?? null;
        if (value !== null && name !== '__proto__') mark.values[name] = value;
      });
      own.set(key, mark);
    }
    for (const place of [`${type} ${token}`, ` ${token}`]) if (!firsts.has(place)) firsts.set(place, mark);
  }
}

type MarkAt = (type: string, token: string, number: string | undefined) => Mark | undefined;

/** What the slots of a layer hold: roles and, beside them, the annotations that have them, parted by semicolons. */
function readSlots(
  lines: readonly Line[],
  type: string,
  slot: Layer['slots'][number],
  marks: ReadonlyMap<string, Marks>,
  markAt: MarkAt,
  context: ReadContext,
): FeatureStructure[] {
  const links: FeatureStructure[] = [];
  for (const { token, cells, line } of lines) {
    const targets = splitCell(cells[slot.at + 1] ?? '_', '|');
    splitCell(cells[slot.at] ?? '_', '|').forEach((stacked, index) => {
      const [, plain = stacked, number] = /^(.*?)(?:\[(\d+)\])?$/s.exec(stacked) ?? [];
      const host = marks.get(type)?.get(number === undefined ? `${token}/${index}` : `#${number}`);
      // Of a host with several lines, the first one counts.
      if (host === undefined || host.line !== line) return;
      const refs = splitCell(targets[index] ?? '_', ';');
      splitCell(plain, ';').forEach((role, at) => {
        const [, place, mark] = /^(\d+-\d+(?:\.\d+)?)(?:\[(\d+)\])?$/.exec(refs[at] ?? '') ?? [];
        if (place === undefined) return;
        const target = markAt(slot.target, place, mark);
        if (target === undefined) return void wrong(context, line, slot.name, 'an annotation there', refs[at]);
        const id = `${host.id}/${slot.name}/${at}`;
        const values = role === '*' || role === '' ? {} : { role: unescapeTsv(role) };
        links.push({ id, type: slot.link, line, begin: null, end: null, values, refs: { target: [target.id] } });
        host.refs[slot.name] = [...(host.refs[slot.name] ?? []), id];
      });
    });
  }
  return links;
}

function readRelations(
  lines: readonly Line[],
  { type, features, base, from }: Layer,
  markAt: MarkAt,
  context: ReadContext,
): FeatureStructure[] {
  const endOf = (token: string, number: string | undefined): string | undefined =>
    base === TOKEN ? token : markAt(base ?? '', token, number)?.id;
  return lines.flatMap(({ token, begin, end, cells, line }) =>
    splitCell(cells[from] ?? '_', '|').flatMap((ref, index): FeatureStructure[] => {
      const [, governor, source, target] = /^(\d+-\d+(?:\.\d+)?)(?:\[(\d+)_(\d+)\])?$/.exec(ref) ?? [];
      if (governor === undefined) return [];
      const [start, stop] = [endOf(governor, source), endOf(token, target)];
      if (start === undefined || stop === undefined) {
        wrong(context, line, type, `annotations of ${base ?? ''} at both ends`, ref);
        return [];
      }
      const values = features.flatMap(({ name, at }) => {
        const value = cellValues(cells[at] ?? '_')[index]?.value ?? null;
        return value === null || name === '__proto__' ? [] : [[name, value] as const];
      });
      const id = `${type}:${token}/${index}`;
      const refs = { Governor: [start], Dependent: [stop] };
      return [{ id, type, line, begin, end, values: Object.fromEntries(values), refs }];
    }),
  );
}
