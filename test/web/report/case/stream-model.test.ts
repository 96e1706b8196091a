import { describe, expect, it } from 'vitest';

import type { ViewRecord } from '../../../../src/report/html/report-data.ts';
import { caseItems } from '../../../../web/src/report/case/case-items.ts';
import { answerMarks, consultOf } from '../../../../web/src/report/case/consult-model.ts';
import { streamOf } from '../../../../web/src/report/case/stream-model.ts';
import { detail, item, record } from './case-detail.ts';

const linesOf = (records: readonly ViewRecord[]) => caseItems(detail(null, records), 'full').lines;
const logged = (kind: string, index: number, label: string, fields: Record<string, unknown>, text = ''): ViewRecord =>
  record({ kind, verdict: 'excused', rule: 'logged', label, predicted: item(index, { label, text, fields }) });

describe('a stream', () => {
  const summary = (fields: Record<string, unknown>): ViewRecord => ({
    ...logged('summary', 2, 'flush', fields, 'All is well.'),
    verdict: 'hit',
  });
  const grounding = (verdict: ViewRecord['verdict'], text: string): ViewRecord => ({
    ...logged('grounding', 2, 'concept', {}, text),
    verdict,
  });

  it('is laid along the clock of the trace where it has one', () => {
    const stream = streamOf(
      linesOf([
        logged('trace', 0, 'trace', {
          parsing_statistics: { included_message_chunks: 5, excluded_system_note: 2, odd: 'x' },
          agents: [
            {
              name: 'doctor',
              turns: [
                [0, 900],
                ['x', 2],
              ],
            },
          ],
        }),
        logged('flush', 0, 'boundary_cue', { end_seq: 9, end_ms: 1000 }),
        { ...logged('decision', 0, 'buffer', { end_seq: 9, end_ms: 1100 }), rule: 'failed-call' },
        summary({ start_seq: 1, end_seq: 9, start_ms: 100, end_ms: 1200 }),
        grounding('hit', 'C1'),
        grounding('spurious', 'C2'),
      ]),
    );
    expect(stream).toMatchObject({ unit: 'ms', span: [0, 1200], outside: 0 });
    expect(stream.agents).toEqual([{ name: 'doctor', turns: [[0, 900]] }]);
    expect(stream.chunks).toEqual([
      ['included_message_chunks', 5],
      ['excluded_system_note', 2],
    ]);
    expect(stream.decisions).toMatchObject([{ at: 1100, failed: true }]);
    expect(stream.summaries[0]).toMatchObject({ number: 2, from: 100, to: 1200 });
    expect(stream.summaries[0]?.unsupported.map(({ predicted }) => predicted?.item.text)).toEqual(['C2']);
  });

  it('is laid along the records of the trace where there are no times', () => {
    const stream = streamOf(linesOf([summary({ start_seq: 5, end_seq: 89 }), logged('flush', 0, 'x', {})]));
    expect(stream).toMatchObject({ unit: 'seq', span: [5, 89], outside: 1 });
  });

  it('has no axis where nothing has a place on it', () => {
    expect(streamOf(linesOf([logged('flush', 0, 'x', { end_seq: 'soon' })])).span).toBeNull();
  });
});

describe('a consultation', () => {
  const answer = 'Eat dates. Neem cures all.';
  const claim = (index: number, text: string, verdict: ViewRecord['verdict'], label: string): ViewRecord => ({
    ...logged('claim', index, label, {}, text),
    verdict,
  });
  const consult = consultOf(
    linesOf([
      logged('answer', 0, 'answer', { language: 'en' }, answer),
      record({
        kind: 'component',
        label: 'diet',
        gold: item(0, { label: 'diet' }),
        predicted: item(0, { label: 'diet', fields: { found: 'Eat' } }),
      }),
      claim(0, 'Neem cures all.', 'spurious', 'hallucinated'),
      claim(1, 'Eat dates.', 'hit', 'grounded'),
      claim(2, 'Never said.', 'hit', 'grounded'),
      ...[4, 2].map((value, at) => ({
        ...logged('rating', at, 'safety', { question: 'relevance', value }),
        predicted: item(at, { label: 'safety', annotator: `p${at}`, fields: { question: 'relevance', value } }),
      })),
    ]),
  );

  it('lists claims as the answer makes them', () => {
    expect(consult.claims.map(({ record: { label } }) => label)).toEqual(['grounded', 'hallucinated', 'grounded']);
  });

  it('marks parts above the answer and claims below it, where their words stand', () => {
    expect(answerMarks(consult).map(({ row, start, end, label }) => [row, start, end, label])).toEqual([
      [0, 0, 3, 'diet'],
      [1, 0, 10, 'grounded'],
      [1, 11, 26, 'hallucinated'],
    ]);
  });

  it('gathers ratings by what was asked, person by person', () => {
    expect(consult).toMatchObject({ people: ['p0', 'p1'], best: 5 });
    expect(consult.ratings).toMatchObject([{ question: 'relevance', dimension: 'safety' }]);
    expect(consult.ratings[0]?.ratings.map(({ person, value }) => [person, value])).toEqual([
      ['p0', 4],
      ['p1', 2],
    ]);
  });
});
