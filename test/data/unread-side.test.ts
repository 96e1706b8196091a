import { describe, expect, it } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import { casesOf, complaint, jsonl, shown } from './reading.ts';

const text = 'Ann met Bo';
const ann = { start: 0, end: 3, label: 'PER' };
const bo = { start: 8, end: 10, label: 'PER' };
const file = (record: object) => memorySource('a.jsonl', jsonl({ id: 1, text, ...record }));
const plain = memorySource('p.jsonl', jsonl({ id: 1, text, spans: [ann] }));

describe('a list named after the side that a file is given for', () => {
  it.each([
    ['spans', { spans: [ann, bo], predicted_spans: [ann] }, 'predicted_spans'],
    ['spaCy JSON', { ents: [ann, bo], ents_pred: [ann] }, 'ents_pred'],
    ['doccano', { label: [[0, 3, 'PER']], prediction: [[8, 10, 'PER']] }, 'prediction'],
  ])('is not passed over as predictions: %s', async (_, record, name) => {
    const { message } = await complaint({ gold: plain, predictions: file(record) });
    expect(message).toMatch(
      `a.jsonl:1: ${name}: another list was read as predictions, found a list of 1 here (read it with --columns spans=${name}, or rename it)`,
    );
    const [first] = await casesOf({ gold: plain, predictions: file(record) }, { columns: { 'predicted.spans': name } });
    expect(first!.predicted).toHaveLength(1);
    // The other list is gold, whatever the model's is called.
    expect(await casesOf({ gold: file(record), predictions: plain })).toHaveLength(1);
  });

  it('is not passed over as gold', async () => {
    const { message } = await complaint({ gold: file({ spans: [bo], gold_spans: [ann] }), predictions: plain });
    expect(message).toContain('a.jsonl:1: gold_spans: another list was read as gold');
  });

  it('is a field of the record if it holds no annotations, or another thing than a side', async () => {
    for (const fields of [{ predicted_spans: [] }, { pred: 0.9 }, { prediction_ids: [[1]] }]) {
      const [first] = await casesOf({ gold: plain, predictions: file({ spans: [ann], ...fields }) });
      expect(shown(first!.predicted)).toEqual(['PER Ann 0..3']);
    }
  });
});
