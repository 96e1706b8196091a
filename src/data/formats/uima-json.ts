import type { JsonFormat } from '../format.ts';
import type { Fields } from '../item.ts';
import { isRecord } from '../record-fields.ts';
import { stemOf } from './brat.ts';
import { casRow, casStructures, DOCUMENT, type FeatureStructure, firstView, NO_LAYER } from './cas.ts';

const ARRAY = /\[\]$/;

/** UIMA CAS as JSON (0.4), as INCEpTION exports it: one document a file. https://github.com/apache/uima-uimaj-io-jsoncas */
export const uimaJson: JsonFormat = {
  kind: 'json',
  name: 'uima-json',
  about: 'UIMA CAS as JSON (INCEpTION): a file, or a folder of them',
  example:
    '{"%FEATURE_STRUCTURES":[{"%ID":1,"%TYPE":"uima.cas.Sofa","sofaString":"Ann met Bo."}],"%VIEWS":{"_InitialView":{"%SOFA":1}}}',
  detects: (record) => '%FEATURE_STRUCTURES' in record || '%VIEWS' in record,
  read(record, line, context) {
    const given = record['%FEATURE_STRUCTURES'];
    const all = (
      Array.isArray(given)
        ? given
        : isRecord(given)
          ? Object.entries(given).map(([id, one]) => ({ '%ID': id, ...(isRecord(one) ? one : {}) }))
          : []
    ).filter(isRecord);
    const arrays = new Map(
      all.flatMap((one) =>
        ARRAY.test(String(one['%TYPE'])) && Array.isArray(one['%ELEMENTS'])
          ? [[String(one['%ID']), one['%ELEMENTS'].map(String)] as const]
          : [],
      ),
    );
    const sofa = firstView(
      all.filter((one) => one['%TYPE'] === 'uima.cas.Sofa'),
      (one) => one,
    );
    const own = all.filter(({ '@sofa': view }) => view === undefined || view === sofa?.['%ID']);
    const structures = own.map((one) => structureOf(one, arrays, line));
    const id = String(structures.find(({ type }) => type === DOCUMENT)?.values['documentId'] ?? '') || stemOf(context);
    const text = typeof sofa?.['sofaString'] === 'string' ? sofa['sofaString'] : null;
    const layers = structures.filter(({ type }) => !NO_LAYER.test(type) && !ARRAY.test(type));
    return casRow(id, text, layers, context);
  },
  writer: {
    extension: '.json',
    offsets: 'utf16',
    layout: 'files',
    needsText: true,
    idOf: (id) => id,
    files(given) {
      const structures = casStructures(given);
      const byId = new Map(structures.map((one) => [one.id, one]));
      const [sofa, meta] = [structures.length + 1, structures.length + 2];
      const arrays: Fields[] = [];
      const whole = { '@sofa': sofa, begin: 0, end: (given.text ?? '').length };
      const records = structures.map(({ id, type, begin, end, values, refs }) => ({
        '%ID': Number(id),
        '%TYPE': type,
        ...(begin === null ? {} : { '@sofa': sofa, begin, end }),
        ...values,
        ...Object.fromEntries(
          Object.entries(refs).map(([name, ids]) => {
            if (ENDS.has(name)) return [`@${name}`, Number(ids[0])];
            const [link = type] = ids.map((one) => byId.get(one)?.type ?? type);
            arrays.push({ '%ID': meta + 1 + arrays.length, '%TYPE': `${link}[]`, '%ELEMENTS': ids.map(Number) });
            return [`@${name}`, meta + arrays.length];
          }),
        ),
      }));
      const document = {
        '%TYPES': typesOf(structures),
        '%FEATURE_STRUCTURES': [
          {
            '%ID': sofa,
            '%TYPE': 'uima.cas.Sofa',
            sofaNum: 1,
            sofaID: '_InitialView',
            mimeType: 'text',
            sofaString: given.text ?? '',
          },
          { '%ID': meta, '%TYPE': DOCUMENT, ...whole, documentId: given.id },
          ...records,
          ...arrays,
        ],
        '%VIEWS': { _InitialView: { '%SOFA': sofa, '%MEMBERS': [meta, ...structures.map(({ id }) => Number(id))] } },
      };
      return { '.json': `${JSON.stringify(document)}\n` };
    },
  },
};

const ENDS = new Set(['Governor', 'Dependent', 'source', 'target']);

/** The types of what is written, with the features that any of them has: a reader of UIMA has to know them. */
function typesOf(structures: ReturnType<typeof casStructures>): Fields {
  const byId = new Map(structures.map((one) => [one.id, one]));
  const features = new Map<string, Record<string, string>>([[DOCUMENT, { documentId: 'uima.cas.String' }]]);
  for (const { type, values, refs } of structures) {
    const own = features.get(type) ?? {};
    features.set(type, own);
    for (const [name, value] of Object.entries(values)) own[name] = rangeOf(value, own[name]);
    for (const [name, ids] of Object.entries(refs))
      own[name] = ENDS.has(name) ? 'uima.tcas.Annotation' : `${byId.get(ids[0] ?? '')?.type ?? type}[]`;
  }
  const links = new Set(structures.filter(({ begin }) => begin === null).map(({ type }) => type));
  return Object.fromEntries(
    [...features].map(([type, own]) => [
      type,
      {
        '%NAME': type,
        '%SUPER_TYPE':
          type === DOCUMENT
            ? 'uima.tcas.DocumentAnnotation'
            : links.has(type)
              ? 'uima.cas.TOP'
              : 'uima.tcas.Annotation',
        ...Object.fromEntries(Object.entries(own).map(([name, range]) => [name, { '%NAME': name, '%RANGE': range }])),
      },
    ]),
  );
}

/** What a feature may hold; text, if not all are of one kind. */
function rangeOf(value: string | number | boolean, before: string | undefined): string {
  const range =
    typeof value === 'boolean'
      ? 'uima.cas.Boolean'
      : typeof value === 'string'
        ? 'uima.cas.String'
        : Number.isSafeInteger(value)
          ? 'uima.cas.Long'
          : 'uima.cas.Double';
  return before === undefined || before === range ? range : 'uima.cas.String';
}

function structureOf(one: Fields, arrays: ReadonlyMap<string, readonly string[]>, line: number): FeatureStructure {
  const { '%ID': id, '%TYPE': type, begin, end, ...features } = one;
  const values: Record<string, string | number | boolean> = {};
  const refs: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(features)) {
    if (name.startsWith('@') && name !== '@sofa' && name !== '__proto__')
      refs[name.slice(1)] = arrays.get(String(value)) ?? [String(value)];
    else if (
      !/^[%@]/.test(name) &&
      (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    )
      values[name] = value;
  }
  const [from, to] = [begin, end].map((place) => (typeof place === 'number' ? place : null));
  return { id: String(id), type: String(type), line, begin: from ?? null, end: to ?? null, values, refs };
}
