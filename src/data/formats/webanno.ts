import type { ReadContext, TextFormat, WrittenCase } from '../format.ts';
import { wrong } from '../record-fields.ts';
import { stemOf } from './brat.ts';
import { casRow, casStructures, type FeatureStructure, TOKEN } from './cas.ts';

/** A layer as the header declares it, with the columns of its features. */
interface Layer {
  readonly type: string;
  readonly features: readonly string[];
  /** Of relations: the layer that they join. */
  readonly base: string | null;
  readonly column: number;
}

interface Line {
  readonly token: string;
  readonly begin: number;
  readonly end: number;
  readonly cells: readonly string[];
  readonly line: number;
}

const ROW = /^\d+-\d+(?:\.\d+)?\t/;

/**
 * WebAnno TSV 3, as WebAnno and INCEpTION export it: one document a file, a token a line, a column for each feature of each
 * layer. Spans of several tokens share a number, `PER[1]`; several on one token are parted by bars. Places are UTF-16.
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
    const texts: { text: string; before: number }[] = [];
    for (const [at, written] of (await records.text()).split('\n').entries()) {
      const line = written.replace(/\r$/, '');
      if (/^#T_(?:SP|RL)=/.test(line)) layers.push(layerOf(line, layers));
      else if (line.startsWith('#T_CH='))
        wrong(
          context,
          at + 1,
          'layer',
          'layers of spans and relations',
          'chains',
          'remove the chain layer from the export',
        );
      else if (line.startsWith('#Text=')) texts.push({ text: unescape(line.slice(6)), before: lines.length });
      else if (ROW.test(line)) {
        const [token = '', range = '', , ...cells] = line.split('\t');
        const [begin = 0, end = 0] = range.split('-').map(Number);
        lines.push({ token, begin, end, cells, line: at + 1 });
      }
    }
    yield [casRow(stemOf(context), textOf(texts, lines), structuresOf(lines, layers, context), context)];
  },
  writer: { extension: '.tsv', offsets: 'utf16', layout: 'files', files: (given) => ({ '.tsv': tsvText(given) }) },
};

function layerOf(line: string, before: readonly Layer[]): Layer {
  const [type = '', ...rest] = line.slice(6).split('|');
  const base = rest.find((name) => name.startsWith('BT_'))?.slice(3) ?? null;
  const features = rest.filter((name) => !name.startsWith('BT_'));
  const width = ({ features: own, base: joined }: Layer): number => Math.max(1, own.length + (joined === null ? 0 : 1));
  return { type, features, base, column: before.reduce((sum, layer) => sum + width(layer), 0) };
}

/** The sentences at the places of their first tokens, with line breaks between. */
function textOf(texts: readonly { text: string; before: number }[], lines: readonly Line[]): string {
  let text = '';
  for (const one of texts) {
    const begin = lines[one.before]?.begin ?? text.length;
    if (begin > text.length) text += '\n'.padStart(begin - text.length, ' ');
    text = text.slice(0, begin) + one.text;
  }
  return text;
}

function structuresOf(lines: readonly Line[], layers: readonly Layer[], context: ReadContext): FeatureStructure[] {
  const tokens = lines.filter(({ token }) => !token.includes('.'));
  const out: FeatureStructure[] = tokens.map(({ begin, end, line }, at) => ({
    id: `t${at}`,
    type: TOKEN,
    line,
    begin,
    end,
    values: {},
    refs: {},
  }));
  /** Spans by layer, then by their number or, without one, by their token and place in its cell. */
  const spans = new Map<
    string,
    Map<string, { id: string; line: number; begin: number; end: number; values: Record<string, string> }>
  >();
  for (const { type, features, base, column } of layers) {
    if (base !== null) continue;
    const own = new Map<
      string,
      { id: string; line: number; begin: number; end: number; values: Record<string, string> }
    >();
    spans.set(type, own);
    for (const { token, begin, end, cells, line } of lines) {
      const values = (features.length === 0 ? [null] : features).map((_, at) => valuesOf(cells[column + at] ?? '_'));
      const most = Math.max(...values.map((list) => list.length));
      for (let at = 0; at < most; at += 1) {
        const number = values.map((list) => list[at]?.number).find((one) => one !== undefined);
        const key = number === undefined ? `${token}/${at}` : `#${number}`;
        const known = own.get(key);
        if (known !== undefined) known.end = Math.max(known.end, end);
        else {
          const named = features.flatMap((name, index): [string, string][] => {
            const value = values[index]?.[at]?.value ?? null;
            return value === null ? [] : [[name, value]];
          });
          own.set(key, {
            id: `${type}:${key}`,
            line,
            begin,
            end,
            values: Object.fromEntries(named),
          });
        }
      }
    }
    for (const span of own.values()) out.push({ ...span, type, refs: {} });
  }
  const at = (base: string, token: string, number: string | undefined): string | null => {
    const own = spans.get(base);
    const found = number === undefined || number === '0' ? undefined : own?.get(`#${number}`);
    if (found !== undefined) return found.id;
    const place = lines.find((line) => line.token === token);
    const alone =
      own?.get(`${token}/0`) ??
      [...(own?.values() ?? [])].find(
        (span) => place !== undefined && span.begin <= place.begin && span.end >= place.end,
      );
    return alone?.id ?? null;
  };
  for (const { type, features, base, column } of layers) {
    if (base === null) continue;
    for (const { token, begin, end, cells, line } of lines) {
      const refs = (cells[column + features.length] ?? '_').split('|');
      refs.forEach((ref, index) => {
        const [, governor, from, to] = /^(\d+-\d+(?:\.\d+)?)(?:\[(\d+)_(\d+)\])?$/.exec(ref) ?? [];
        if (governor === undefined) return;
        const [source, target] = [at(base, governor, from), at(base, token, to)];
        if (source === null || target === null) {
          wrong(context, line, type, `annotations of ${base} at both ends`, ref);
          return;
        }
        const values = features.flatMap((name, feature) => {
          const { value } = valuesOf(cells[column + feature] ?? '_')[index] ?? {};
          return value === undefined || value === null ? [] : [[name, value] as const];
        });
        const id = `${type}:${token}/${index}`;
        out.push({
          id,
          type,
          line,
          begin,
          end,
          values: Object.fromEntries(values),
          refs: { Governor: [source], Dependent: [target] },
        });
      });
    }
  }
  return out;
}

/** What a cell has: `_` nothing, `*` an annotation without a value, others a value and perhaps the number of its span. */
function valuesOf(cell: string): { value: string | null; number: string | undefined }[] {
  if (cell === '_' || cell === '') return [];
  return cell.split(/(?<!\\)\|/).map((one) => {
    const [, value = one, number] = /^(.*?)(?<!\\)\[(\d+)\]$/s.exec(one) ?? [];
    return { value: value === '*' || value === '_' ? null : unescape(value), number };
  });
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, sign: string) => ESCAPED[sign] ?? sign);
}

function escape(text: string): string {
  return text
    .replaceAll(/[\\[\]|_;>*]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
}

/** All tokens as one sentence; spans that begin or end inside a token, and slots, have no place in it. */
function tsvText(given: WrittenCase): string {
  const all = casStructures(given);
  const tokens = all.filter(({ type }) => type === TOKEN);
  const [starts, ends] = [
    new Map(tokens.map(({ begin }, at) => [begin, at])),
    new Map(tokens.map(({ end }, at) => [end, at])),
  ];
  const isRelation = ({ refs }: (typeof all)[number]): boolean => 'Governor' in refs;
  const spans = all
    .filter((one) => one.type !== TOKEN && one.begin !== null && !isRelation(one))
    .flatMap((one, at) => {
      const [first, last] = [starts.get(one.begin), ends.get(one.end)];
      return first === undefined || last === undefined ? [] : [{ ...one, first, last, number: at + 1 }];
    });
  const byId = new Map(spans.map((span) => [span.id, span]));
  const joined = all.filter(isRelation).flatMap((one) => {
    const [source, target] = [byId.get(one.refs['Governor']?.[0] ?? ''), byId.get(one.refs['Dependent']?.[0] ?? '')];
    return source === undefined || target === undefined ? [] : [{ ...one, source, target }];
  });
  const spanLayers = [...Map.groupBy(spans, ({ type }) => type)].map(([type, own]) => ({
    type,
    own,
    features: [...new Set(own.flatMap(({ values }) => Object.keys(values)))],
  }));
  const relationLayers = [...Map.groupBy(joined, ({ type, target }) => `${type}|${target.type}`)].map(([key, own]) => ({
    key,
    own,
    features: [...new Set(own.flatMap(({ values }) => Object.keys(values)))],
  }));
  const cell = (parts: readonly string[]): string => (parts.length === 0 ? '_' : parts.join('|'));
  const valueText = (value: string | number | boolean | undefined): string =>
    value === undefined ? '*' : escape(String(value));
  const rows = tokens.map(({ begin, end }, at) => [
    `1-${at + 1}`,
    [begin, end].join('-'),
    escape((given.text ?? '').slice(begin ?? 0, end ?? 0)),
    ...spanLayers.flatMap(({ own, features }) => {
      const here = own.filter(({ first, last }) => first <= at && at <= last);
      return (features.length === 0 ? ['*'] : features).map((name) =>
        cell(here.map(({ values, number }) => `${valueText(values[name])}[${number}]`)),
      );
    }),
    ...relationLayers.flatMap(({ own, features }) => {
      const here = own.filter(({ target }) => target.first === at);
      return [
        ...features.map((name) => cell(here.map(({ values }) => valueText(values[name])))),
        cell(here.map(({ source, target }) => `1-${source.first + 1}[${source.number}_${target.number}]`)),
      ];
    }),
    '',
  ]);
  return [
    '#FORMAT=WebAnno TSV 3.3',
    ...spanLayers.map(({ type, features }) => `#T_SP=${[type, ...features].join('|')}`),
    ...relationLayers.map(({ key, features }) => `#T_RL=${key.replace('|', `|${[...features, 'BT_'].join('|')}`)}`),
    '',
    '',
    `#Text=${(given.text ?? '').replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}`,
    ...rows.map((row) => row.join('\t')),
    '',
  ].join('\n');
}
