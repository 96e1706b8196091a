import { describe, expect, it } from 'vitest';

import { caseOf, casesOf, jsonl, problems } from '../reading.ts';

const entry = { journal_id: 'J1', text: 'Had masala chai.', lang_hint: 'en' };
const item = { domain: 'food', evidence_span: 'masala chai', polarity: 'present', confidence: 0.9 };

describe('journal', () => {
  it('reads entries, gold and predictions from three files', async () => {
    const only = await caseOf({
      cases: jsonl(entry),
      gold: jsonl({ journal_id: 'J1', items: [item] }),
      predictions: jsonl({ journal_id: 'J1', items: [] }),
    });
    expect(only).toMatchObject({
      id: 'J1',
      text: 'Had masala chai.',
      fields: { lang_hint: 'en' },
      predicted: [],
      answered: true,
    });
    expect(only.gold).toEqual([
      expect.objectContaining({
        kind: 'object',
        index: 0,
        label: 'food',
        text: 'masala chai',
        start: -1,
        line: 1,
        fields: item,
      }),
    ]);
  });

  it('takes gold beside the text in one file', async () => {
    const only = await caseOf({
      cases: jsonl({ ...entry, items: [item] }),
      predictions: jsonl({ journal_id: 'J1', items: [item] }),
    });
    expect([only.gold.length, only.predicted.length]).toEqual([1, 1]);
  });

  it('takes an empty quote, and keeps the numbers of the items', async () => {
    const items = [{ ...item, evidence_span: '' }, item];
    const only = await caseOf({
      gold: jsonl({ journal_id: 'J1', items }),
      predictions: jsonl({ journal_id: 'J1', items: [] }),
    });
    expect(only.gold.map(({ index, text }) => [index, text])).toEqual([
      [0, ''],
      [1, 'masala chai'],
    ]);
  });

  it('counts a record with an error as a failure of the system', async () => {
    const gold = jsonl({ journal_id: 'J1', items: [item] });
    for (const [error, failed] of [
      ['timeout', 'timeout'],
      [{ message: 'rate limit', status: 429 }, 'rate limit'],
      [{ status: 500 }, 'an object'],
    ] as const) {
      const only = await caseOf({ gold, predictions: jsonl({ journal_id: 'J1', error }) });
      expect([only.failed, only.answered]).toEqual([failed, true]);
    }
    expect(
      (await caseOf({ gold, predictions: jsonl({ journal_id: 'J1', items: [], error: null }) })).failed,
    ).toBeNull();
  });

  it('needs items in gold and predictions, whatever else is there', async () => {
    expect(
      await problems({ gold: jsonl({ journal_id: 'J1', error: 'x' }), predictions: jsonl({ journal_id: 'J1' }) }),
    ).toEqual([
      'gold.jsonl:1: items: expected a list of objects (may be empty), found nothing',
      'predictions.jsonl:1: items: expected a list of objects (may be empty), found nothing',
    ]);
  });

  it('needs texts in the case file, so predictions given as cases are noticed', async () => {
    const predictions = jsonl({ journal_id: 'J1', items: [item] });
    expect(await problems({ cases: predictions, gold: predictions, predictions })).toEqual([
      'cases.jsonl:1: text: expected the text of the case, found nothing (give a file of one side with --gold or --predictions)',
    ]);
  });

  it.each([
    [{ 0: item }, 'items: expected a list, found an object'],
    ['none', 'items: expected a list, found "none"'],
    [[null], 'items[0]: expected an object with domain and evidence_span, found null'],
    [[[item]], 'items[0]: expected an object with domain and evidence_span, found a list of 1'],
    [[{ ...item, domain: '' }], 'items[0].domain: expected a domain, found ""'],
    [[{ ...item, domain: 7 }], 'items[0].domain: expected a domain, found 7'],
    [[item, { domain: 'food' }], 'items[1].evidence_span: expected a quote (text, may be empty), found nothing'],
    [
      [{ ...item, evidence_span: ['chai'] }],
      'items[0].evidence_span: expected a quote (text, may be empty), found a list of 1',
    ],
  ])('refuses items that are %j', async (items, message) => {
    const gold = jsonl({ journal_id: 'J1', items });
    expect(await problems({ gold, predictions: jsonl({ journal_id: 'J1', items: [] }) })).toEqual([
      `gold.jsonl:1: ${message}`,
    ]);
  });

  it.each([
    ['', '""'],
    [{}, 'an object'],
    [['J1'], 'a list of 1'],
    [true, 'true'],
  ])('refuses the id %j', async (journal_id, found) => {
    const gold = `${JSON.stringify({ journal_id, items: [] })}\n`;
    expect(await problems({ gold, predictions: gold })).toContain(
      `gold.jsonl:1: journal_id: expected a case id (text or number, not empty), found ${found}`,
    );
  });

  it('takes numbers as ids and keeps them apart from each other, not from their text', async () => {
    const read = await casesOf({
      gold: jsonl({ journal_id: 7, items: [] }, { journal_id: 1.5, items: [] }, { journal_id: -3, items: [] }),
      predictions: jsonl({ journal_id: '7', items: [item] }, { journal_id: 1.5, items: [] }),
    });
    expect(read.map(({ id, predicted }) => [id, predicted.length])).toEqual([
      ['7', 1],
      ['1.5', 0],
      ['-3', 0],
    ]);
  });

  it('refuses numbers as ids that are too large to be told apart', async () => {
    const gold = '{"journal_id":12345678901234567890,"items":[]}\n{"journal_id":12345678901234567891,"items":[]}\n';
    const found = await problems({ gold, predictions: jsonl({ journal_id: 'x', items: [] }) });
    expect(found).toHaveLength(2);
    expect(found[0]).toBe(
      'gold.jsonl:1: journal_id: expected a case id that a number can hold exactly, found 12345678901234567000 (write it in quotes)',
    );
  });
});
