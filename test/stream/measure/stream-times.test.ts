import { describe, expect, test } from 'vitest';

import type { Fields } from '../../../src/data/item.ts';
import type { Join } from '../../../src/stream/canonical-text.ts';
import { streamCase } from '../../../src/stream/measure/stream-case.ts';
import type { RunLog } from '../../../src/stream/run-log-records.ts';
import { capitals, fallback, madeLog } from '../../audit/content/stream-log.ts';
import { madeTrace, turn } from '../made-trace.ts';

// Seqs: start 0, deltas 1 to 3, end 4; start 5, delta 6, end 7.
const trace = madeTrace('c', [turn('anna', 'Fe@0', 'ver@100', ' rose@250'), turn('bert', 'Agreed@900')]);

async function fieldsOf(log: RunLog, kind: string, join: Join = 'concat'): Promise<Fields[]> {
  const { logged = [] } = await streamCase(trace, log, capitals, join);
  return logged.filter(({ item }) => item.kind === kind).map(({ item }) => item.fields);
}

describe('what a timeline needs is in the ledger', () => {
  test('summaries and flushes have their window on the clock of the trace', async () => {
    const log = madeLog(trace, [
      [1, 3, 'Fever'],
      [5, 6, 'Agreed'],
    ]);
    const times = [
      { start_ms: 0, end_ms: 250 },
      { start_ms: 900, end_ms: 900 },
    ];
    expect(await fieldsOf(log, 'summary')).toMatchObject(times);
    expect(await fieldsOf(log, 'flush')).toMatchObject(times);
  });

  test('a seq that the trace does not have has no time', async () => {
    const [fields] = await fieldsOf(madeLog(trace, [[1, 99, 'Fever']]), 'summary');
    expect(fields).toMatchObject({ start_ms: 0 });
    expect(fields).not.toHaveProperty('end_ms');
  });

  test('a timestamp that is not from the trace says what it is, one that is says nothing', async () => {
    const [made] = await fieldsOf(madeLog(trace, [[1, 3, 'Fever']], fallback), 'summary');
    expect(made).toMatchObject({ time_source: 'fallback' });
    const [good] = await fieldsOf(madeLog(trace, [[1, 3, 'Fever']]), 'summary');
    expect(good).not.toHaveProperty('time_source');
  });

  test('the trace has its agents’ turns, its join and the words that were cut', async () => {
    const agents = [
      { name: 'anna', turns: [[0, 250]] },
      { name: 'bert', turns: [[900, 900]] },
    ];
    const log = madeLog(trace, []);
    expect(await fieldsOf(log, 'trace')).toMatchObject([{ join: 'concat', cut_words: 0, agents }]);
    expect(await fieldsOf(log, 'trace', 'space')).toMatchObject([
      { join: 'space', cut_words: 1, cuts: 1, cut_examples: ['Fe ver'], agents },
    ]);
  });
});
