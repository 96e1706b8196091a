import { CaseSize } from '../case-size.ts';
import type { JsonFormat, ReadContext, Row, TextFormat, WrittenCase } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { withFields } from '../extra-fields.ts';
import { isRecord, without } from '../record-fields.ts';
import { parseXml, type XmlElement, xmlContent, xmlElements, escapeXml } from '../xml.ts';
import { stemOf } from './brat.ts';
import { mentionItem, sideOfRole } from './mentions.ts';
import { writtenItems } from './written-items.ts';

/** An annotation of GATE, in its set. */
interface Annotation {
  readonly set: string;
  readonly type: unknown;
  readonly id: unknown;
  readonly start: unknown;
  readonly end: unknown;
  readonly features: Fields;
  readonly line: number;
}

/** Types that say how the text is cut, not what is in it. */
const SEGMENTS = new Set(['Token', 'SpaceToken', 'Sentence', 'Split', 'paragraph', 'DEFAULT_TOKEN']);

/**
 * Documents of GATE as bdoc JSON: annotations in named sets, each with a type and features. `offset_type` is `p` for code
 * points and `j` for UTF-16. https://gatenlp.github.io/gateplugin-Format_Bdoc
 */
export const gateBdoc: JsonFormat = {
  kind: 'json',
  name: 'gate-bdoc',
  about: 'documents of GATE and gatenlp as bdoc JSON: a file, or a folder of them',
  example:
    '{"text":"Ann met Bo.","offset_type":"p","features":{},"annotation_sets":{"":{"name":"","annotations":[{"type":"Person","id":0,"start":0,"end":3,"features":{}}]}}}',
  detects: (record) => isRecord(record['annotation_sets']),
  read(record, line, context) {
    const sets = isRecord(record['annotation_sets']) ? Object.entries(record['annotation_sets']) : [];
    const annotations = sets.flatMap(([set, value]) =>
      (isRecord(value) && Array.isArray(value['annotations']) ? value['annotations'] : [])
        .filter(isRecord)
        .map(({ type, id, start, end, features }): Annotation => ({
          set,
          type,
          id,
          start,
          end,
          features: isRecord(features) ? features : {},
          line,
        })),
    );
    const { name } = record;
    const id = typeof name === 'string' && name !== '' ? name : stemOf(context);
    const text = typeof record['text'] === 'string' ? record['text'] : null;
    const unit = record['offset_type'] === 'j' ? 'utf16' : 'codepoint';
    return {
      ...gateRow(id, text, annotations, line, context),
      fields: documentFields(record['features'], line, context),
      unit,
    };
  },
  writer: {
    extension: '.bdocjs',
    layout: 'files',
    needsText: true,
    idOf: (id) => id,
    files(given) {
      const sets = gateSets(given);
      const document = {
        annotation_sets: Object.fromEntries(
          sets.map(([name, annotations]) => [
            name,
            { name, annotations, next_annid: 1 + Math.max(-1, ...annotations.map(({ id }) => Number(id))) },
          ]),
        ),
        features: given.fields,
        name: given.id,
        offset_type: 'p',
        text: given.text ?? '',
      };
      return { '.bdocjs': `${JSON.stringify(document)}\n` };
    },
  },
};

/** Documents of GATE as XML: the text with nodes in it, and annotations between nodes. Places are UTF-16. */
export const gateXml: TextFormat = {
  kind: 'text',
  name: 'gate-xml',
  about: 'documents of GATE as XML: a file, or a folder of them',
  example:
    '<GateDocument version="3"><TextWithNodes><Node id="0"/>Ann<Node id="3"/> left</TextWithNodes></GateDocument>',
  extensions: [],
  detects: (lines) => /<GateDocument[\s>]/.test(lines.slice(0, 5).join('\n')),
  async *read(records, context) {
    const root = parseXml(await records.text(), context.file);
    const [body] = xmlElements(root, 'TextWithNodes');
    const places = new Map<string, number>();
    let text = '';
    for (const child of body?.children ?? []) {
      if (typeof child === 'string') text += child;
      else if (child.name === 'Node') places.set(child.attributes['id'] ?? '', text.length);
    }
    const annotations = xmlElements(root, 'AnnotationSet').flatMap((set) =>
      xmlElements(set, 'Annotation').map(({ attributes, children, line, name }): Annotation => ({
        set: set.attributes['Name'] ?? '',
        type: attributes['Type'],
        id: attributes['Id'],
        start: places.get(attributes['StartNode'] ?? ''),
        end: places.get(attributes['EndNode'] ?? ''),
        features: featuresIn({ attributes, children, line, name }),
        line,
      })),
    );
    const [features] = xmlElements(root, 'GateDocumentFeatures');
    const fields = features === undefined ? {} : documentFields(featuresIn(features), 1, context);
    yield [{ ...gateRow(stemOf(context), text, annotations, 1, context), fields, unit: 'utf16' }];
  },
  writer: {
    extension: '.xml',
    offsets: 'utf16',
    layout: 'files',
    needsText: true,
    files: (given) => ({ '.xml': gateText(given) }),
  },
};

function gateRow(
  id: string,
  text: string | null,
  annotations: readonly Annotation[],
  line: number,
  context: ReadContext,
): Row {
  const leftOut: string[] = [];
  const size = new CaseSize({ ...context, maxBytes: Infinity }, line);
  const isCut = ({ type }: Annotation): boolean => context.kinds !== undefined && SEGMENTS.has(String(type));
  const items = annotations.flatMap((one): Item[] => {
    if (one.start === one.end || isCut(one)) {
      leftOut.push(`annotation ${String(one.type)} at ${String(one.start)}..${String(one.end)}`);
      return [];
    }
    const fields = { ...featureFields(one.features), ...(one.set === '' ? {} : { set: one.set }) };
    const init = { id: one.id, label: one.type, start: one.start, end: one.end, fields };
    const item = mentionItem(init, { index: 0, line: one.line, field: `annotation ${String(one.id)}`, context });
    return item === null || !size.add(0, 1) ? [] : [item];
  });
  const numbered = items.map((item, index) => ({ ...item, index }));
  return { id, line, text, fields: {}, ...sideOfRole(numbered, context), leftOut, failed: null };
}

/** Names that fields of an item have for something else: features of these names are kept apart. */
const TAKEN = new Set(['id', 'temp_id', 'set', 'features', 'annotator', 'start', 'end', 'fragments']);

function featureFields(features: unknown): Fields {
  const entries = Object.entries(isRecord(features) ? features : {});
  const apart = entries.filter(([name]) => TAKEN.has(name));
  return {
    ...Object.fromEntries(entries.filter(([name]) => !TAKEN.has(name))),
    ...(apart.length === 0 ? {} : { features: Object.fromEntries(apart) }),
  };
}

function featuresOf({ features, ...rest }: Fields): Fields {
  return isRecord(features) ? withFields(features, rest) : withFields(rest, features === undefined ? {} : { features });
}

function documentFields(features: unknown, line: number, context: ReadContext): Fields {
  return isRecord(features) ? without(features, new Set(), line, context) : {};
}

/** Numbers and truth values by the class of Java that they are of; lists and maps stay the XML that they are written in. */
function featuresIn(element: XmlElement): Fields {
  return Object.fromEntries(
    xmlElements(element, 'Feature').flatMap((feature): [string, unknown][] => {
      const [name, value] = [xmlElements(feature, 'Name')[0], xmlElements(feature, 'Value')[0]];
      const key = name === undefined ? '' : xmlContent(name).trim();
      if (key === '' || key === '__proto__' || value === undefined) return [];
      return [[key, javaValue(value.attributes['className'] ?? '', xmlContent(value))]];
    }),
  );
}

const NUMBERS = /^java\.(?:lang\.(?:Byte|Short|Integer|Long|Float|Double)|math\.(?:BigDecimal|BigInteger))$/;
const WRAPPER = 'gate.corpora.ObjectWrapper';

function javaValue(type: string, written: string): unknown {
  if (type === 'java.lang.Boolean' && /^(?:true|false)$/.test(written)) return written === 'true';
  // Digits that a number cannot keep are kept as text.
  return NUMBERS.test(type) && String(Number(written)) === written ? Number(written) : written;
}

function javaType(value: unknown): string {
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'java.lang.Long' : 'java.lang.Double';
  return typeof value === 'string' && /^<\?xml[^>]*><gate\.corpora\.ObjectWrapper>/.test(value)
    ? WRAPPER
    : 'java.lang.String';
}

function gateSets(given: WrittenCase): [string, Fields[]][] {
  const { mentions } = writtenItems(given, '', { mention: /^\d{1,9}$/ });
  const sets = Map.groupBy(mentions, ({ fields }) => (typeof fields['set'] === 'string' ? fields['set'] : ''));
  return [...sets].map(([name, own]) => [
    name,
    own.map(({ ref, item, fields }) => {
      const { set: _, ...rest } = fields;
      return { type: item.label, start: item.start, end: item.end, id: Number(ref), features: featuresOf(rest) };
    }),
  ]);
}

function gateText(given: WrittenCase): string {
  const text = given.text ?? '';
  const sets = gateSets(given);
  const places = [
    ...new Set([
      0,
      text.length,
      ...sets.flatMap(([, own]) => own.flatMap(({ start, end }) => [Number(start), Number(end)])),
    ]),
  ].sort((a, b) => a - b);
  const body = places
    .map((place, at) => `<Node id="${place}"/>${bodyText(text.slice(place, places[at + 1] ?? place))}`)
    .join('');
  const features = (own: unknown): string =>
    Object.entries(isRecord(own) ? own : {})
      .map(([name, value]) => {
        const written = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
        return `<Feature>\n  <Name className="java.lang.String">${escapeXml(name)}</Name>\n  <Value className="${javaType(value)}">${escapeXml(written)}</Value>\n</Feature>\n`;
      })
      .join('');
  const set = ([name, own]: [string, Fields[]]): string => {
    const rows = own.map(
      (one) =>
        `<Annotation Id="${String(one['id'])}" Type="${escapeXml(String(one['type']))}" StartNode="${String(one['start'])}" EndNode="${String(one['end'])}">\n${features(one['features'])}</Annotation>\n`,
    );
    return `<AnnotationSet${name === '' ? '' : ` Name="${escapeXml(name)}"`}>\n${rows.join('')}</AnnotationSet>\n`;
  };
  return `<?xml version='1.0' encoding='UTF-8'?>\n<GateDocument version="3">\n<GateDocumentFeatures>\n${features(given.fields)}</GateDocumentFeatures>\n<TextWithNodes>${body}</TextWithNodes>\n${sets.map(set).join('')}</GateDocument>\n`;
}

/** In the body a line break is one, not an entity. */
function bodyText(text: string): string {
  return escapeXml(text).replaceAll('&#10;', '\n').replaceAll('&#9;', '\t');
}
