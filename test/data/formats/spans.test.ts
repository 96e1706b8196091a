import { describe, expect, it } from 'vitest';

import { NO_FIELDS } from '../../../src/data/item.ts';
import { caseOf, jsonl, problems, shown } from '../reading.ts';

const text = 'Ann met Bo.';
const ann = { start: 0, end: 3, label: 'PER', text: 'Ann' };
const bo = { start: 8, end: 10, label: 'PER', text: 'Bo' };

describe('spans', () => {
  it('are gold or predicted by the file they stand in', async () => {
    const only = await caseOf({
      gold: jsonl({ id: 'd1', text, spans: [ann] }),
      predictions: jsonl({ id: 'd1', spans: [ann, bo] }),
    });
    expect([shown(only.gold), shown(only.predicted)]).toEqual([['PER Ann 0..3'], ['PER Ann 0..3', 'PER Bo 8..10']]);
  });

  it.each(['predicted', 'predictions'])('stand in one record as gold and %s', async (name) => {
    const record = jsonl({ id: 'd1', text, gold: [ann], [name]: [bo] });
    for (const files of [{ cases: record }, { gold: record, predictions: record }]) {
      const only = await caseOf(files);
      expect([shown(only.gold), shown(only.predicted)]).toEqual([['PER Ann 0..3'], ['PER Bo 8..10']]);
    }
  });

  it('may go without a text when both sides are there', async () => {
    expect((await caseOf({ cases: jsonl({ id: 'd1', gold: [ann], predicted: [] }) })).text).toBeNull();
  });

  it('under gold and predicted go before those under spans', async () => {
    const gold = jsonl({ id: 'd1', text, spans: [ann], gold: [bo] });
    const predictions = jsonl({ id: 'd1', spans: [bo], predicted: [ann] });
    const only = await caseOf({ gold, predictions });
    expect([shown(only.gold), shown(only.predicted)]).toEqual([['PER Bo 8..10'], ['PER Ann 0..3']]);
  });

  it.each(['id', 'doc_id', 'case'])('take the id from %s', async (name) => {
    const only = await caseOf({ cases: jsonl({ [name]: 'd1', gold: [], predicted: [] }) });
    expect([only.id, only.fields]).toEqual(['d1', {}]);
  });

  it('keep fields of the record and of the span, also when the span gives no text', async () => {
    const { text: _, ...bare } = ann;
    const only = await caseOf({
      gold: jsonl({ id: 'd1', text, spans: [ann, { ...bare, score: 0.5 }], court: 'north' }),
      predictions: jsonl({ id: 'd1', spans: [{ ...bare, score: 0.25 }] }),
    });
    expect(only.fields).toEqual({ court: 'north' });
    expect(only.gold[0]!.fields).toBe(NO_FIELDS);
    expect([only.gold[1]!.fields['score'], only.predicted[0]!.fields['score']]).toEqual([0.5, 0.25]);
  });

  it('have to be there in some record, which needs a text to go without', async () => {
    const predictions = jsonl({ id: 'd1', spans: null });
    expect(await problems({ gold: jsonl({ id: 'd1', text }), predictions })).toEqual([
      expect.stringContaining('gold.jsonl:1: spans: expected a list of annotations, found none in any record'),
    ]);
    const gold = jsonl({ id: 'd1', spans: [ann] }, { id: 'd2' }, { id: 'd3', text, predicted: [] });
    expect(await problems({ gold, predictions: jsonl({ id: 'd1', spans: [] }) })).toEqual([
      'gold.jsonl:2: spans: expected a list of spans (may be empty), found nothing',
      'gold.jsonl:3: spans: expected a list of spans (may be empty), found nothing',
    ]);
  });

  it('are not needed where the system failed, be it in every case', async () => {
    const only = await caseOf({
      gold: jsonl({ id: 'd1', text, spans: [ann] }),
      predictions: jsonl({ id: 'd1', error: 'timeout' }),
    });
    expect([only.failed, only.answered, only.predicted]).toEqual(['timeout', true, []]);
  });

  it('without a text are no case file', async () => {
    const predictions = jsonl({ id: 'd1', spans: [ann] });
    expect(await problems({ cases: predictions, predictions })).toEqual([
      'cases.jsonl:1: text: expected the text of the case, found nothing (give a file of one side with --gold or --predictions)',
    ]);
  });

  it.each([
    [{ spans: 'x' }, 'spans: expected a list, found "x"'],
    [{ spans: { 0: ann } }, 'spans: expected a list, found an object'],
    [{ spans: [null] }, 'spans[0]: expected a span (an object with start, end and label), found null'],
    [{ spans: [[0, 3]] }, 'spans[0]: expected a span (an object with start, end and label), found a list of 2'],
    [{ spans: [{ ...ann, label: '' }] }, 'spans[0].label: expected a label, found ""'],
    [{ spans: [{ ...ann, label: 5 }] }, 'spans[0].label: expected a label, found 5'],
    [{ spans: [{ ...ann, text: 5 }] }, 'spans[0].text: expected text, found 5'],
    [{ spans: [], text: 5 }, 'text: expected text, found 5'],
  ])('refuses %j', async (record, message) => {
    const found = await problems({ gold: jsonl({ id: 'd1', ...record }), predictions: jsonl({ id: 'd1', spans: [] }) });
    expect(found).toEqual([`gold.jsonl:1: ${message}`]);
  });

  it('takes a null text of a span as none', async () => {
    const only = await caseOf({
      gold: jsonl({ id: 'd1', text, spans: [{ ...ann, text: null }] }),
      predictions: jsonl({ id: 'd1', spans: [] }),
    });
    expect(shown(only.gold)).toEqual(['PER Ann 0..3']);
  });

  it('may be nested deep where nothing is kept, and nowhere else', async () => {
    const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    const predictions = jsonl({ id: 'd1', spans: [] });
    expect(
      await problems({
        gold: jsonl({ id: 'd1', text, spans: [] }).replace(
          '"spans"',
          `"meta":${'['.repeat(1e5)}${']'.repeat(1e5)},"spans"`,
        ),
        predictions,
      }),
    ).toEqual(['gold.jsonl:1: meta: nested more than 500 levels deep (leave the field out, or give it as text)']);
    expect(
      await problems({ gold: jsonl({ id: 'd1', text, spans: [{ ...ann, meta: deep(501) }] }), predictions }),
    ).toEqual([
      'gold.jsonl:1: spans[0].meta: nested more than 500 levels deep (leave the field out, or give it as text)',
    ]);
    const only = await caseOf({ gold: jsonl({ id: 'd1', text, spans: [{ ...ann, meta: deep(500) }] }), predictions });
    expect(() => JSON.stringify(only.gold)).not.toThrow();
  });
});
