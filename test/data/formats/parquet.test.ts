import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';

import type { DataOptions } from '../../../src/data/data-options.ts';
import { memorySource, type Source } from '../../../src/data/source.ts';
import { casesOf, complaint, jsonl, shown } from '../reading.ts';

const TEXT = 'Ann met Bo';
const ANN = { start: 0, end: 3, label: 'PER' };
const BO = { start: 8, end: 10, label: 'PER' };

/** A file with these rows, a list in each column that is not of texts. */
function parquet(rows: readonly Record<string, unknown>[]): Source {
  const columnData = Object.keys(rows[0]!).map((name) => ({
    name,
    data: rows.map((row) => row[name]),
    type: rows.some((row) => typeof row[name] === 'string') ? ('STRING' as const) : ('JSON' as const),
  }));
  return memorySource('a.parquet', new Uint8Array(parquetWriteBuffer({ columnData })));
}

/** What is read of the same records in both, as predictions. */
async function bothWays(
  rows: readonly Record<string, unknown>[],
  options: Partial<DataOptions> = {},
): Promise<unknown[]> {
  const ids = [...new Set(rows.map(({ id }) => String(id)))];
  const gold = jsonl(...ids.map((id) => ({ id, text: TEXT, spans: [] })));
  const read = async (predictions: Source): Promise<unknown> => {
    try {
      return (await casesOf({ gold, predictions }, options)).map(({ id, predicted }) => [id, shown(predicted)]);
    } catch (error) {
      return error instanceof Error ? error.message.replaceAll(/a\.(?:jsonl|parquet)/g, 'FILE') : error;
    }
  };
  return [await read(parquet(rows)), await read(memorySource('a.jsonl', jsonl(...rows)))];
}

describe('rows of a Parquet file are read as the same records of a JSON file', () => {
  it.each<
    readonly [what: string, rows: readonly Record<string, unknown>[], expected: unknown, options: Partial<DataOptions>]
  >([
    ['spans', [{ id: 'a', text: TEXT, spans: [ANN] }], [['a', ['PER Ann 0..3']]], {}],
    [
      'several triples of a case',
      [
        { id: 'a', subject: 'Ann', predicate: 'met', object: 'Bo' },
        { id: 'a', subject: 'Bo', predicate: 'met', object: 'Ann' },
      ],
      [['a', ['met Ann --met--> Bo -1..-1', 'met Bo --met--> Ann -1..-1']]],
      {},
    ],
    [
      'a list that is named after the side',
      [{ id: 'a', text: TEXT, spans: [ANN], predicted_spans: [BO] }],
      expect.stringContaining('FILE:1: predicted_spans: another list was read as predictions'),
      {},
    ],
    [
      'a record without the list that others have',
      [
        { id: 'a', text: TEXT, spans: [ANN], predicted: [BO] },
        { id: 'b', text: TEXT, spans: [ANN], predicted: null },
      ],
      expect.stringContaining('FILE:2: predictions: expected predictions, as other records have'),
      {},
    ],
    [
      'the columns that a message names',
      [{ id: 'a', body: TEXT, entities: [BO] }],
      [['a', ['PER Bo 8..10']]],
      { columns: { spans: 'entities', text: 'body' } },
    ],
  ])('%s', async (_, rows, expected, options) => {
    const [asParquet, asJson] = await bothWays(rows, options);
    expect(asParquet).toEqual(expected);
    expect(asParquet).toEqual(asJson);
  });

  it('and what they have in no known format is refused with the flag that reads it', async () => {
    const { message } = await complaint({
      gold: jsonl({ id: 'a', text: TEXT, spans: [] }),
      predictions: parquet([{ id: 'a', body: TEXT, marks: [BO] }]),
    });
    expect(message).toContain('a.parquet:1: unknown file format');
    expect(message).toContain('--columns text=body,spans=marks');
  });
});
