import { describe, expect, it } from 'vitest';

import { caseOf, casesOf, jsonl, problems, readerOf, shown } from '../reading.ts';

const TEXT = 'Ann met Bo in Oslo.';
const NOTHING = jsonl({ id: 'd1', spans: [] });

describe('a field map', () => {
  it('names the fields of records and of their spans', async () => {
    const gold = jsonl({
      doc_id: 'd1',
      full_text: TEXT,
      ents: [
        { entity_type: 'PER', start_position: 0, end: 3 },
        { entity_type: 'LOC', start_position: 14, end: 18 },
      ],
    });
    const columns = { id: 'doc_id', text: 'full_text', spans: 'ents', label: 'entity_type', start: 'start_position' };
    const read = await caseOf({ gold, predictions: NOTHING }, { columns });
    expect([read.id, read.text, shown(read.gold)]).toEqual(['d1', TEXT, ['PER Ann 0..3', 'LOC Oslo 14..18']]);
  });

  it('takes paths into objects and lists', async () => {
    const gold = jsonl({
      meta: { id: 7 },
      data: { pages: [{ body: TEXT }] },
      result: { hits: [{ value: { from: 8, to: 10, labels: ['PER', 'other'] } }] },
    });
    const columns = {
      id: 'meta.id',
      text: 'data.pages.0.body',
      spans: 'result.hits',
      start: 'value.from',
      end: 'value.to',
      label: 'value.labels',
    };
    const read = await caseOf({ gold, predictions: jsonl({ id: '7', spans: [] }) }, { columns });
    expect([read.id, shown(read.gold)]).toEqual(['7', ['PER Bo 8..10']]);
  });

  it('takes a field whose name has a full stop for that field', async () => {
    const gold = jsonl({ id: 'd1', text: TEXT, 'a.b': [[0, 3, 'PER']], a: { b: [] } });
    expect(shown((await caseOf({ gold, predictions: NOTHING }, { columns: { spans: 'a.b' } })).gold)).toEqual([
      'PER Ann 0..3',
    ]);
  });

  it.each([
    [{ spans: 'ents' }, [[0, 3, 'PER']]],
    [{ spans: 'ents', label: '0', start: '1', end: '2' }, [['PER', 0, 3]]],
  ])('reads lists with %j', async (columns, ents) => {
    const gold = jsonl({ id: 'd1', text: TEXT, ents });
    expect(shown((await caseOf({ gold, predictions: NOTHING }, { columns })).gold)).toEqual(['PER Ann 0..3']);
  });

  it('places quotes that have no offsets', async () => {
    const gold = jsonl({ id: 'd1', text: TEXT, found: [{ kind: 'PER', surface: 'Bo' }] });
    const columns = { spans: 'found', label: 'kind', quote: 'surface' };
    expect(shown((await caseOf({ gold, predictions: NOTHING }, { columns })).gold)).toEqual(['PER Bo 8..10']);
  });

  it('reads relations, beside spans or alone', async () => {
    const rels = [{ arg1: 'Ann', arg2: 'Bo', pred: 'met' }];
    const columns = { relations: 'rels', source: 'arg1', target: 'arg2', type: 'pred' };
    const alone = await caseOf({ gold: jsonl({ id: 'd1', text: TEXT, rels }), predictions: NOTHING }, { columns });
    expect(alone.gold.map(({ kind, source, label, target }) => [kind, source, label, target])).toEqual([
      ['relationship', 'Ann', 'met', 'Bo'],
    ]);
    const spans = [{ id: 'e1', start: 0, end: 3, label: 'PER' }];
    const beside = await caseOf(
      { gold: jsonl({ id: 'd1', text: TEXT, spans, rels }), predictions: NOTHING },
      { columns },
    );
    expect(beside.gold.map(({ label }) => label)).toEqual(['PER', 'met']);
  });

  it('may be another one for each side, of two files or of one', async () => {
    const columns = {
      'gold.id': 'uid',
      'gold.spans': 'truth',
      'gold.label': 'l',
      'predicted.id': 'key',
      'predicted.spans': 'model',
      'predicted.start': 'from',
      'predicted.end': 'to',
      'predicted.label': 'tag',
    };
    const truth = [{ start: 0, end: 3, l: 'PER' }];
    const model = [{ from: 8, to: 10, tag: 'LOC' }];
    const two = await caseOf(
      { gold: jsonl({ uid: 'd1', text: TEXT, truth }), predictions: jsonl({ key: 'd1', model }) },
      { columns },
    );
    expect([two.id, shown(two.gold), shown(two.predicted)]).toEqual(['d1', ['PER Ann 0..3'], ['LOC Bo 8..10']]);
    const { 'gold.id': _, 'predicted.id': __, ...sides } = columns;
    const one = await caseOf({ cases: jsonl({ id: 'd1', text: TEXT, truth, model }) }, { columns: sides });
    expect([shown(one.gold), shown(one.predicted)]).toEqual([['PER Ann 0..3'], ['LOC Bo 8..10']]);
  });

  it('reads a list that some records leave out as empty there, and counts them', async () => {
    const gold = jsonl(
      { id: 'd0', text: TEXT },
      { id: 'd1', text: TEXT, ents: [[0, 3, 'PER']] },
      { id: 'd2', ents: null },
    );
    const predictions = jsonl(...['d0', 'd1', 'd2'].map((id) => ({ id, ents: [] })));
    const reader = readerOf({ gold, predictions }, { columns: { spans: 'ents' } });
    const cases = await Array.fromAsync(reader);
    expect(cases.map((one) => shown(one.gold))).toEqual([[], ['PER Ann 0..3'], []]);
    expect(reader.notices.absentLists).toBe(2);
  });

  it('is left aside by a file that has none of its names', async () => {
    const gold = jsonl({ doc: 'd1', text: TEXT, ents: [[0, 3, 'PER']] });
    const predictions = jsonl({ id: 'd1', spans: [{ start: 8, end: 10, label: 'PER' }] });
    const read = await caseOf({ gold, predictions }, { columns: { id: 'doc', spans: 'ents' } });
    expect(shown(read.predicted)).toEqual(['PER Bo 8..10']);
  });
});

describe('a wrong field map', () => {
  const gold = jsonl({ doc: 'd1', text: TEXT, ents: [{ start: 0, end: 3, label: 'PER' }] });

  it('with an id that is not there is refused, not numbered', async () => {
    expect(await problems({ gold, predictions: NOTHING }, { columns: { id: 'dok', spans: 'ents' } })).toEqual([
      'gold.jsonl:1: dok: expected a case id (text or number, not empty), found nothing',
    ]);
  });

  it('with a list that is not there, or is none, is refused', async () => {
    expect(await problems({ gold, predictions: NOTHING }, { columns: { id: 'doc', spans: 'entz' } })).toEqual([
      expect.stringContaining('gold.jsonl:1: entz: expected a list of annotations, found none in any record'),
    ]);
    const [first] = await problems({ gold, predictions: NOTHING }, { columns: { id: 'doc', spans: 'text' } });
    expect(first).toBe(`gold.jsonl:1: text: expected a list, found "${TEXT}"`);
  });

  it('with a part that there is not names the one that was meant', async () => {
    await expect(casesOf({ gold, predictions: NOTHING }, { columns: { id: 'doc', lable: 'x' } })).rejects.toMatchObject(
      {
        message: 'columns: there is no part called lable',
        next: 'did you mean label?',
      },
    );
  });
});
