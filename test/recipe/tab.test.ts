import { expect, it } from 'vitest';

import { score } from '../../src/report/score.ts';
import { example } from '../cli/run-assay.ts';

/** Counted by a separate program over the example letters, per document and annotator, NO_MASK spans left out. */
it('pii/tab: entities are masked wholly or not at all, for every annotator', async () => {
  const { measures, rules } = await score('pii/tab', { cases: example('pii/docs.json') });
  const overall = (name: string) => measures.find((m) => m.name === name && Object.keys(m.slice).length === 0);
  expect(overall('recall')).toMatchObject({ value: 42 / 105, n: 105 });
  expect(overall('entity_recall')).toMatchObject({ value: 39 / 101, n: 101 });
  expect(overall('entity_recall_direct')).toMatchObject({ value: 10 / 18, n: 18 });
  expect(overall('entity_recall_quasi')).toMatchObject({ value: 29 / 83, n: 83 });
  const spurious = rules.filter((rule) => rule.scheme === null && rule.verdict === 'spurious');
  expect(spurious.reduce((sum, { n }) => sum + n, 0)).toBe(3);
  expect(measures.some((m) => m.slice['annotator'] === 'annotator10')).toBe(true);
});

it('pii/tab: an entity with one mention left standing is not masked', async () => {
  const gold = [
    {
      annotator: 'a',
      span_text: 'Ann',
      start_offset: 0,
      end_offset: 3,
      entity_type: 'PERSON',
      identifier_type: 'DIRECT',
      entity_id: 'e1',
    },
    {
      annotator: 'a',
      span_text: 'Ann',
      start_offset: 12,
      end_offset: 15,
      entity_type: 'PERSON',
      identifier_type: 'DIRECT',
      entity_id: 'e1',
    },
    {
      annotator: 'a',
      span_text: 'Bo',
      start_offset: 8,
      end_offset: 10,
      entity_type: 'PERSON',
      identifier_type: 'DIRECT',
      entity_id: 'e2',
    },
  ];
  const detected = [
    { label: 'X', text: 'Ann', start: 0, end: 3 },
    { label: 'X', text: 'Bo', start: 8, end: 10 },
  ];
  const { memorySource } = await import('../../src/data/source.ts');
  const document = { doc_id: 'd', text: 'Ann met Bo; Ann left.', annotations: gold, x_detected_pii: detected };
  const { measures } = await score('pii/tab', { cases: memorySource('d.json', JSON.stringify([document])) });
  const overall = (name: string) => measures.find((m) => m.name === name && Object.keys(m.slice).length === 0)?.value;
  // Two of three mentions, but only e2 is masked in full; no quasi-identifier occurs.
  expect([overall('recall'), overall('entity_recall_direct'), overall('entity_recall_quasi')]).toEqual([
    2 / 3,
    0.5,
    null,
  ]);
});
