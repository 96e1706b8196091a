import { describe, expect, it } from 'vitest';

import { memorySource } from '../../../src/data/source.ts';
import { caseOf, jsonl, problems, readerOf, shown } from '../reading.ts';
import { converted } from './read-side.ts';

const mention = { annotator: 'a1', span_text: 'Ann', start_offset: 0, end_offset: 3, entity_type: 'PERSON' };
const detected = { label: 'GIVENNAME', text: 'Ann', start: 0, end: 3, score: 0.9 };
const document = {
  doc_id: 'd1',
  text: 'Ann met Bo.',
  year: 1999,
  annotations: [mention],
  piranha_detected_pii: [detected],
};

describe('annotated documents', () => {
  it.each([
    ['JSONL', memorySource('docs.jsonl', jsonl(document))],
    ['a JSON array', memorySource('docs.json', JSON.stringify([document], null, 2))],
    ['one JSON object', memorySource('docs.json', JSON.stringify(document, null, 2))],
  ])('come as %s', async (_, cases) => {
    const reader = readerOf({ cases });
    const [only] = await Array.fromAsync(reader);
    expect(only).toMatchObject({ id: 'd1', text: 'Ann met Bo.', fields: { year: 1999 } });
    expect([shown(only!.gold), shown(only!.predicted)]).toEqual([['PERSON Ann 0..3'], ['GIVENNAME Ann 0..3']]);
    expect(only!.gold[0]!.annotator).toBe('a1');
    expect(only!.predicted[0]!.fields['score']).toBe(0.9);
    expect(reader.files()[0]!.format).toBe('annotated-documents');
  });

  it('may stand for one side each', async () => {
    const only = await caseOf({ gold: jsonl(document), predictions: jsonl(document) });
    expect([only.gold.length, only.predicted.length]).toEqual([1, 1]);
  });

  it('keep annotators apart, also those that are numbers', async () => {
    const annotations = [mention, { ...mention, annotator: 2 }, { ...mention, annotator: null }];
    const only = await caseOf({ cases: jsonl({ ...document, annotations }) });
    expect(only.gold.map(({ annotator }) => annotator)).toEqual(['a1', '2', null]);
  });

  it('come by annotator, as in the Text Anonymization Benchmark', async () => {
    const { annotator: _, ...own } = mention;
    const annotations = {
      annotator2: { entity_mentions: [own, { ...own, span_text: 'Bo', start_offset: 8, end_offset: 10 }] },
      annotator10: { entity_mentions: [own] },
    };
    const only = await caseOf({ gold: jsonl({ ...document, annotations }), predictions: jsonl(document) });
    expect(only.gold.map(({ index, annotator, text }) => [index, annotator, text])).toEqual([
      [0, 'annotator2', 'Ann'],
      [1, 'annotator2', 'Bo'],
      [2, 'annotator10', 'Ann'],
    ]);
  });

  it('name the annotator whose mentions cannot be read', async () => {
    const annotations = {
      a1: { entity_mentions: [{ ...mention, start_offset: 'x' }] },
      a2: [mention],
      a3: { entity_mentions: 7 },
    };
    expect(await problems({ cases: jsonl({ ...document, annotations }) })).toEqual([
      'cases.jsonl:1: annotations.a1.entity_mentions[0].start_offset: expected a whole number below 2^53, found "x"',
      'cases.jsonl:1: annotations.a2.entity_mentions: expected a list, found nothing',
      'cases.jsonl:1: annotations.a3.entity_mentions: expected a list, found 7',
    ]);
  });

  const two = { ...document, presidio_detected_pii: [{ ...detected, label: 'PERSON' }] };

  it('with several systems need a choice', async () => {
    expect(await problems({ cases: jsonl(two) })).toEqual([
      'cases.jsonl:1: *_detected_pii: expected one system\'s detections, found "piranha, presidio" (choose with --set data.system=piranha or presidio)',
    ]);
    expect(shown((await caseOf({ cases: jsonl(two) }, { system: 'presidio' })).predicted)).toEqual(['PERSON Ann 0..3']);
  });

  it('without the chosen system say whose are there', async () => {
    expect(await problems({ cases: jsonl(two) }, { system: 'pirana' })).toEqual([
      'cases.jsonl:1: pirana_detected_pii: expected a list of detections, found nothing (this record has piranha, presidio)',
    ]);
  });

  it('are not misled by what every object inherits', async () => {
    const odd = { ...document, constructor_detected_pii: [] };
    expect((await caseOf({ cases: jsonl(odd) }, { system: 'constructor' })).predicted).toEqual([]);
  });

  it('without detections are unanswered where others have some, and an error as predictions', async () => {
    const { piranha_detected_pii: _, ...silent } = document;
    const reader = readerOf({ cases: jsonl(document, { ...silent, doc_id: 'd2' }) });
    expect((await Array.fromAsync(reader)).map(({ answered }) => answered)).toEqual([true, false]);
    expect(reader.notices.unansweredCases).toBe(1);
    expect(await problems({ gold: jsonl(document), predictions: jsonl(silent) })).toEqual([
      'predictions.jsonl:1: <system>_detected_pii: expected a list of detections, found nothing',
    ]);
  });

  it('without annotations are an error where others have some', async () => {
    const { annotations: _, ...bare } = document;
    expect(await problems({ cases: jsonl(document, { ...bare, doc_id: 'd2' }) })).toEqual([
      'cases.jsonl:2: no gold for "d2" (leave such cases out: --set data.missingGold=leave-out; or count them as empty: --set data.missingGold=empty)',
    ]);
    expect(await problems({ cases: jsonl(bare) })).toEqual([
      'cases.jsonl: no gold items in this file, read as annotated-documents (give them with --gold FILE)',
    ]);
  });

  it.each([
    [{ annotations: 'none' }, 'annotations: expected a list, found "none"'],
    [
      { annotations: [{ ...mention, start_offset: '0' }] },
      'annotations[0].start_offset: expected a whole number below 2^53, found "0"',
    ],
    [{ annotations: [{ ...mention, entity_type: null }] }, 'annotations[0].entity_type: expected a label, found null'],
    [{ piranha_detected_pii: 'none' }, 'piranha_detected_pii: expected a list, found "none"'],
    [
      { piranha_detected_pii: [{ ...detected, end: 2.5 }] },
      'piranha_detected_pii[0].end: expected a whole number below 2^53, found 2.5',
    ],
  ])('refuses %j', async (fault, message) => {
    expect(await problems({ cases: jsonl({ ...document, ...fault }) })).toContain(`cases.jsonl:1: ${message}`);
  });

  it('in an array are reported with the lines they begin on', async () => {
    const text = JSON.stringify(
      [document, { ...document, doc_id: 'd2', annotations: [{ ...mention, end_offset: 99 }] }],
      null,
      1,
    );
    const line = text.split('\n').findIndex((one) => one.includes('"d2"'));
    expect((await problems({ cases: memorySource('docs.json', text) }))[0]).toMatch(
      new RegExp(`^docs\\.json:${line}: d2 gold item 0: .* past the end`),
    );
  });

  it('are written by annotator, as the benchmark has them, or as a list if nobody is named', async () => {
    const spans = [{ start: 2, end: 5, label: 'PERSON', annotator: 'a1', identifier_type: 'DIRECT' }];
    const given = { id: 'd1', text: '🙂 Ann', spans };
    const to = { to: 'annotated-documents' };
    const named = await converted('a.jsonl', jsonl(given), 'out.json', to);
    const written = { entity_type: 'PERSON', span_text: 'Ann', start_offset: 2, end_offset: 5 };
    const entity_mentions = [{ ...written, identifier_type: 'DIRECT' }];
    expect(JSON.parse(named.files['out.json']!)).toEqual([
      { doc_id: 'd1', text: '🙂 Ann', annotations: { a1: { entity_mentions } } },
    ]);
    const nobody = jsonl({ ...given, spans: [{ start: 2, end: 5, label: 'PERSON' }] });
    const plain = await converted('a.jsonl', nobody, 'out.json', to);
    expect(JSON.parse(plain.files['out.json']!)).toEqual([{ doc_id: 'd1', text: '🙂 Ann', annotations: [written] }]);
    expect([...named.lost, ...plain.lost]).toEqual([]);
  });
});
