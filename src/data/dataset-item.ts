import type { Fields } from './item.ts';
import { isRecord } from './record-fields.ts';

/**
 * A dataset item (`{id, input, expected_output}`) or what was made of one (`{id, output}`) as the plain record that is
 * inside it, under `idName`; any other record as it is. A field of the output stands above one of the input, the item's
 * own fields above all.
 */
export function unwrapped(record: Fields, idName: string): Fields {
  if (!isWrapped(record)) return record;
  const { id, input, expected_output, expectedOutput, output, metadata, ...rest } = record;
  return {
    ...fieldsOf(metadata),
    ...(typeof input === 'string' ? { text: input } : withText(fieldsOf(input))),
    ...fieldsOf(expected_output ?? expectedOutput),
    ...fieldsOf(output),
    ...rest,
    [idName]: id,
  };
}

function isWrapped(record: Fields): boolean {
  return (
    'id' in record &&
    ('expected_output' in record ||
      'expectedOutput' in record ||
      isRecord(record['output']) ||
      isRecord(record['input']))
  );
}

/** Datasets of extractions call the text `document_text`. */
function withText(input: Fields): Fields {
  return 'text' in input || !('document_text' in input) ? input : { ...input, text: input['document_text'] };
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
