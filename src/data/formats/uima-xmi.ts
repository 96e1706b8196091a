import type { TextFormat } from '../format.ts';
import { NOT_XML, parseXml, type XmlElement, xmlElements, escapeXml } from '../xml.ts';
import { stemOf } from './brat.ts';
import { casRow, casStructures, DOCUMENT, type FeatureStructure, firstView, NO_LAYER } from './cas.ts';

/**
 * UIMA CAS as XMI, as INCEpTION and other tools of UIMA export it: one document a file, places in UTF-16.
 * https://uima.apache.org/d/uimaj-current/references.html#ugr.ref.xmi
 */
export const uimaXmi: TextFormat = {
  kind: 'text',
  name: 'uima-xmi',
  about: 'UIMA CAS as XMI (INCEpTION): a file, or a folder of them',
  example: '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"><cas:Sofa xmi:id="1" sofaString="Ann met Bo."/></xmi:XMI>',
  extensions: ['.xmi'],
  detects: (lines) => /<xmi:XMI[\s>]/.test(lines.slice(0, 5).join('\n')),
  async *read(records, context) {
    const root = parseXml(await records.text(), context.file);
    const elements = xmlElements(root);
    const sofa = firstView(
      elements.filter(({ name }) => localName(name) === 'Sofa'),
      ({ attributes }) => attributes,
    );
    const links = new Set(elements.filter(isLink).map(({ attributes }) => attributes['xmi:id'] ?? ''));
    const own = elements.filter(
      ({ attributes }) =>
        ['begin', ...ENDS].some((name) => attributes[name] !== undefined) &&
        [undefined, sofa?.attributes['xmi:id']].includes(attributes['sofa']),
    );
    const structures = own.map((element) => structureOf(element, root.attributes, links));
    const meta = structures.find(({ type }) => type.endsWith('.DocumentMetaData'));
    const id = String(meta?.values['documentId'] ?? '') || stemOf(context);
    const layers = structures.filter(({ type }) => !NO_LAYER.test(type));
    yield [casRow(id, sofa?.attributes['sofaString'] ?? null, layers, context)];
  },
  writer: {
    extension: '.xmi',
    offsets: 'utf16',
    layout: 'files',
    needsText: true,
    idOf: xmlHeld,
    files(given) {
      const structures = casStructures(given);
      const prefixes = new Map<string, string>();
      const prefixOf = (type: string): string => {
        const space = type.split('.').slice(0, -1).join('/');
        const known = prefixes.get(space) ?? `t${prefixes.size + 1}`;
        prefixes.set(space, known);
        return known;
      };
      const lines = structures.map(({ id, type, begin, end, values, refs }) => {
        const attributes = {
          'xmi:id': id,
          ...(begin === null ? {} : { sofa: SOFA, begin, end }),
          ...values,
          ...Object.fromEntries(Object.entries(refs).map(([name, ids]) => [name, ids.join(' ')])),
        };
        return `  <${prefixOf(type)}:${localName(type.replaceAll('.', ':'))}${written(attributes)}/>`;
      });
      const head = `  <${prefixOf(DOCUMENT)}:DocumentMetaData${written({ 'xmi:id': META, sofa: SOFA, begin: 0, end: (given.text ?? '').length, documentId: given.id })}/>`;
      const spaces = [...prefixes]
        .map(([space, prefix]) => ` xmlns:${prefix}="http:///${escapeXml(space)}.ecore"`)
        .join('');
      const members = [META, ...structures.map(({ id }) => id)].join(' ');
      return {
        '.xmi': [
          '<?xml version="1.0" encoding="UTF-8"?>',
          `<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"${spaces} xmi:version="2.0">`,
          '  <cas:NULL xmi:id="0"/>',
          head,
          ...lines,
          `  <cas:Sofa${written({ 'xmi:id': SOFA, sofaNum: 1, sofaID: '_InitialView', mimeType: 'text', sofaString: given.text ?? '' })}/>`,
          `  <cas:View sofa="${SOFA}" members="${members}"/>`,
          '</xmi:XMI>',
          '',
        ].join('\n'),
      };
    },
  },
};

/** Ids that no structure gets. */
const SOFA = '900000001';
const META = '900000002';

/** An id as XML can hold it. */
function xmlHeld(id: string): string {
  return id.toWellFormed().replaceAll(NOT_XML, '\ufffd');
}

function written(attributes: Readonly<Record<string, unknown>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}

function localName(name: string): string {
  return name.split(':').at(-1) ?? name;
}

/** What a slot holds: a role and the annotation that has it. */
function isLink({ attributes }: XmlElement): boolean {
  return attributes['begin'] === undefined && /^\d+$/.test(attributes['target'] ?? '');
}

const NO_REFS = {};
const ENDS = new Set(['Governor', 'Dependent', 'source', 'target']);

/** Features that are ids of others are known by what they name: XMI has no types in the file. */
function structureOf(
  { name, attributes, line }: XmlElement,
  spaces: XmlElement['attributes'],
  links: ReadonlySet<string>,
): FeatureStructure {
  const [prefix = '', local = name] = name.split(':');
  const space = (spaces[`xmlns:${prefix}`] ?? '')
    .replace(/^https?:\/*/, '')
    .replace(/\.ecore$/, '')
    .replaceAll('/', '.');
  const { 'xmi:id': id = '', sofa: _, begin, end, ...features } = attributes;
  const isRef = ([feature, value]: readonly [string, string]): boolean =>
    ENDS.has(feature) ? /^\d+$/.test(value) : value.split(' ').every((one) => links.has(one));
  const entries = Object.entries(features);
  return {
    id,
    type: space === '' ? local : `${space}.${local}`,
    line,
    begin: begin === undefined ? null : Number(begin),
    end: end === undefined ? null : Number(end),
    values: Object.fromEntries(entries.filter((entry) => !isRef(entry))),
    refs: entries.some(isRef)
      ? Object.fromEntries(entries.filter(isRef).map(([feature, value]) => [feature, value.split(' ')]))
      : NO_REFS,
  };
}
