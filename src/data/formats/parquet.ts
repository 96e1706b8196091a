import type { RecordsFormat } from '../format.ts';
import { openParquetRows } from '../parquet-rows.ts';
import { isRecord } from '../record-fields.ts';

const MAGIC = Buffer.from('PAR1');

/**
 * Parquet, as data sets are stored on the Hugging Face hub: its rows are records of any shape that is read as JSON. Names of
 * numbered tags are taken from the data set's own description in the file.
 */
export const parquet: RecordsFormat = {
  kind: 'records',
  name: 'parquet',
  about: 'Parquet: rows in any of the JSON shapes, such as a Hugging Face dataset',
  example: '',
  extensions: ['.parquet'],
  isBinary: (head) => head.subarray(0, 4).equals(MAGIC),
  async open(records, { options, file }) {
    const table = await openParquetRows(file, new Uint8Array(await records.bytes()).buffer);
    const tagNames = options.tagNames ?? tagNamesIn(table.described);
    return {
      options: tagNames === undefined ? {} : { tagNames },
      async *values() {
        let line = 0;
        for await (const rows of table.batches()) yield rows.map((value) => ({ line: (line += 1), text: '', value }));
      },
    };
  },
};

/** The names of the first list of classes, `info.features.ner_tags.feature.names`. */
function tagNamesIn(described: string | undefined): readonly string[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(described ?? 'null');
  } catch {
    return undefined;
  }
  const info = isRecord(value) && isRecord(value['info']) ? value['info'] : {};
  for (const feature of Object.values(isRecord(info['features']) ? info['features'] : {})) {
    const inner = isRecord(feature) && isRecord(feature['feature']) ? feature['feature'] : {};
    if (Array.isArray(inner['names']) && inner['names'].every((name) => typeof name === 'string'))
      return inner['names'];
  }
  return undefined;
}
