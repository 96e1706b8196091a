import type { JsonFormat } from '../format.ts';
import type { Fields } from '../item.ts';
import { isRecord } from '../record-fields.ts';
import { stemOf } from './brat.ts';
import { casRow, casStructures, type FeatureStructure } from './cas.ts';

const META = 'de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData';
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
    const sofa = all.find((one) => one['%TYPE'] === 'uima.cas.Sofa');
    const structures = all.map((one) => structureOf(one, arrays, line));
    const id = String(structures.find(({ type }) => type === META)?.values['documentId'] ?? '') || stemOf(context);
    const text = typeof sofa?.['sofaString'] === 'string' ? sofa['sofaString'] : null;
    return casRow(
      id,
      text,
      structures.filter(({ type }) => !type.startsWith('uima.') && !ARRAY.test(type)),
      context,
    );
  },
  writer: {
    extension: '.json',
    offsets: 'utf16',
    layout: 'files',
    files(given) {
      const structures = casStructures(given);
      const [sofa, meta] = [structures.length + 1, structures.length + 2];
      const arrays: Fields[] = [];
      const records = structures.map(({ id, type, begin, end, values, refs }) => ({
        '%ID': Number(id),
        '%TYPE': type,
        ...(begin === null ? {} : { '@sofa': sofa, begin, end }),
        ...values,
        ...Object.fromEntries(
          Object.entries(refs).map(([name, ids]) => {
            if (!ARRAY_FEATURE.test(name)) return [`@${name}`, Number(ids[0])];
            arrays.push({ '%ID': meta + 1 + arrays.length, '%TYPE': `${type}[]`, '%ELEMENTS': ids.map(Number) });
            return [`@${name}`, meta + arrays.length];
          }),
        ),
      }));
      const document = {
        '%TYPES': {},
        '%FEATURE_STRUCTURES': [
          {
            '%ID': sofa,
            '%TYPE': 'uima.cas.Sofa',
            sofaNum: 1,
            sofaID: '_InitialView',
            mimeType: 'text',
            sofaString: given.text ?? '',
          },
          { '%ID': meta, '%TYPE': META, '@sofa': sofa, begin: 0, end: (given.text ?? '').length, documentId: given.id },
          ...records,
          ...arrays,
        ],
        '%VIEWS': { _InitialView: { '%SOFA': sofa, '%MEMBERS': [meta, ...structures.map(({ id }) => Number(id))] } },
      };
      return { '.json': `${JSON.stringify(document)}\n` };
    },
  },
};

/** Slots hold lists; the ends of a relation do not. */
const ARRAY_FEATURE = /^(?!Governor$|Dependent$|source$|target$)/;

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
