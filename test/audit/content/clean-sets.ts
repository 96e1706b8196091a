import { type Case, makeCase } from '../../../src/data/case.ts';
import { type Item, makeItem } from '../../../src/data/item.ts';
import { type CaseReader, readCases } from '../../../src/data/read-cases.ts';
import { memorySource } from '../../../src/data/source.ts';
import { streamCase } from '../../../src/stream/measure/stream-case.ts';
import { madeTrace } from '../../stream/made-trace.ts';
import { Chance, paragraph, sentence, thing } from './made-texts.ts';
import { capitals, madeLog } from './stream-log.ts';

/** Sets of every task with a system's ordinary mistakes in them, and nothing else that is wrong. */

const FIRST = ['Ada', 'Bruno', 'Celia', 'Dario', 'Edda', 'Falk', 'Greta', 'Hanno', 'Ines', 'Jorin', 'Klara', 'Levin'];
const LAST = ['Arden', 'Brook', 'Calder', 'Dorn', 'Ember', 'Frost', 'Gale', 'Holm', 'Irving', 'Jarrow', 'Keel', 'Lund'];
const TOWNS = ['Ashford', 'Brackwater', 'Corwen', 'Dunmere', 'Elmstead', 'Fennick', 'Garrowby', 'Hollin'];

const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const ids = (n: number): string[] => Array.from({ length: n }, (_, at) => `c${at + 1}`);

export function cleanJournals(n: number, seed: number): CaseReader {
  const chance = new Chance(seed);
  const cases: object[] = [];
  const gold: object[] = [];
  const predictions: object[] = [];
  for (const id of ids(n)) {
    const things = Array.from({ length: 3 + chance.below(3) }, () => thing(chance));
    cases.push({ journal_id: id, text: things.map((own) => sentence(chance, own)).join(' ') });
    const items = things.map((own) => ({
      domain: chance.one(['food', 'symptom', 'mind']),
      evidence_span: own,
      polarity: 'present',
      time_bucket: chance.one(['today', 'last_night']),
      intensity_bucket: chance.one(['low', 'medium', 'high']),
    }));
    gold.push({ journal_id: id, items });
    const found = items
      .filter(() => chance.happens(0.85))
      .map((item) => ({
        ...item,
        domain: chance.happens(0.9) ? item.domain : 'mind',
        evidence_span: chance.happens(0.7) ? item.evidence_span : item.evidence_span.split(' ').slice(1).join(' '),
        intensity_bucket: chance.happens(0.8) ? item.intensity_bucket : 'unknown',
      }));
    predictions.push({ journal_id: id, items: found });
  }
  return readCases({
    cases: memorySource('journals', lines(cases)),
    gold: memorySource('gold', lines(gold)),
    predictions: memorySource('predictions', lines(predictions)),
  });
}

export function cleanDocuments(n: number, seed: number): CaseReader {
  const chance = new Chance(seed);
  const gold: object[] = [];
  const predictions: object[] = [];
  for (const id of ids(n)) {
    let text = '';
    const spans: { start: number; end: number; label: string; text: string }[] = [];
    const put = (label: string, own: string): void => {
      text += `${paragraph(chance, 1)} Then came `;
      spans.push({ start: text.length, end: text.length + own.length, label, text: own });
      text += `${own}. `;
    };
    for (let at = 0; at < 2 + chance.below(3); at += 1) {
      put('PERSON', `${chance.one(FIRST)} ${chance.one(LAST)}`);
      put('LOC', chance.one(TOWNS));
    }
    gold.push({ id, text, spans });
    const found = spans
      .filter(() => chance.happens(0.85))
      .map((span) => {
        if (chance.happens(0.85)) return span;
        const start = span.start + 1 + chance.below(2);
        return { ...span, start, text: text.slice(start, span.end) };
      });
    predictions.push({ id, spans: found });
  }
  return readCases({
    gold: memorySource('gold', lines(gold)),
    predictions: memorySource('predictions', lines(predictions)),
  });
}

export function cleanGraphs(n: number, seed: number): CaseReader {
  const chance = new Chance(seed);
  const items: object[] = [];
  const outputs: object[] = [];
  for (const id of ids(n)) {
    const people = Array.from({ length: 2 + chance.below(2) }, () => `${chance.one(FIRST)} ${chance.one(LAST)}`);
    const names = [...new Set([...people, chance.one(TOWNS)])];
    const entities = names.map((name) => ({ name, type: TOWNS.includes(name) ? 'Place' : 'Person' }));
    const town = names.at(-1)!;
    const lives = names
      .slice(0, -1)
      .map((name) => ({ source_name: name, target_name: town, relationship_type: 'lives_in' }));
    const text = `${paragraph(chance, 2)} ${names.slice(0, -1).join(' and ')} live in ${town}. ${paragraph(chance, 2)}`;
    items.push({ id, input: { document_text: text }, expected_output: { entities, relationships: lives } });
    const found = entities.filter(() => chance.happens(0.85)).map((entity, at) => ({ temp_id: `e${at}`, ...entity }));
    const known = new Set(found.map(({ name }) => name));
    outputs.push({
      id,
      output: {
        entities: found,
        relationships: lives
          .filter((one) => known.has(one.source_name) && known.has(one.target_name) && chance.happens(0.8))
          .map((one) => ({ source_ref: one.source_name, target_ref: one.target_name, type: one.relationship_type })),
      },
    });
  }
  return readCases({
    cases: memorySource('items', lines(items)),
    predictions: memorySource('outputs', lines(outputs)),
  });
}

const DOSHAS = ['Vata', 'Pitta', 'Kapha'];
const OPENINGS = ['Thank you for telling me about this.', 'Based on what you describe, some things stand out.'];
const DISCLAIMER = 'Please remember that this is general advice and that a doctor should see what does not get better.';

export function cleanConsultations(n: number, seed: number): Case[] {
  const chance = new Chance(seed);
  return ids(n).map((id) => {
    const text = paragraph(chance, 3);
    const right = chance.one(DOSHAS);
    const said = chance.happens(0.7) ? right : chance.one(DOSHAS);
    const answer = [
      chance.one(OPENINGS),
      `You mention that ${text.slice(0, 40)}.`,
      `This points to ${said}.`,
      ...Array.from({ length: 4 + chance.below(4) }, () => sentence(chance)),
      DISCLAIMER,
    ].join(' ');
    const item = (label: string): Item => makeItem({ kind: 'class', index: 0, label, text: label });
    return makeCase({
      id,
      text,
      gold: [item(right)],
      predicted: [item(said)],
      logged: [
        {
          item: makeItem({ kind: 'answer', index: 0, label: 'answer', text: answer }),
          verdict: 'excused',
          rule: 'logged',
        },
      ],
    });
  });
}

export function cleanStreams(n: number, seed: number): Promise<Case[]> {
  const chance = new Chance(seed);
  return Promise.all(
    ids(n).map((id) => {
      let time = 0;
      const turns = Array.from({ length: 3 }, (_, at) => ({
        agent: `agent${at}`,
        deltas: `${chance.one(FIRST)} of ${chance.one(TOWNS)} said: ${paragraph(chance, 2)}`
          // Pieces of words, as models give them.
          .split(/(?<=\w{4})(?=\w{3})|(?= )/)
          .map((piece) => [piece, (time += 5 + chance.below(60))] as const),
      }));
      const trace = madeTrace(id, turns);
      const ends = turns.map((_, at) => trace.boundaries[2 * at + 1]!.seq - 1);
      const starts = turns.map((_, at) => trace.boundaries[2 * at]!.seq + 1);
      const windows = ends.map(
        (end, at) => [starts[at]!, end, `${chance.one(FIRST)} spoke: ${paragraph(chance, 2)}`] as const,
      );
      return streamCase(trace, madeLog(trace, windows), capitals, 'concat');
    }),
  );
}
