import { type Case, type Logged, makeCase } from '../../src/data/case.ts';
import { type Item, type ItemInit, makeItem } from '../../src/data/item.ts';
import { streamCase } from '../recipe/stream-cases.ts';
import { Chance, paragraph, sentence } from './content/made-texts.ts';

/** Sets of every task as a good evaluation has them: a system that errs in all the ordinary ways, and honest files. */

const SHARES = { found: 0.85, shifted: 0.1, confused: 0.04, invented: 0.08 };
const numbered = (n: number): string[] => Array.from({ length: n }, (_, at) => `case-${at + 1}`);
const WORDS =
  'amber basin cedar delta ember fable gravel hollow island jasper kernel ledger marble nectar otter pepper quartz ribbon saffron timber umber velvet walnut yarrow zephyr'.split(
    ' ',
  );

interface Place {
  readonly label: string;
  readonly text: string;
  readonly start: number;
}

/** A text with things of several labels in it, each three to five words long. */
function textWith(chance: Chance, labels: readonly string[], n: number): { text: string; places: Place[] } {
  let text = '';
  const places: Place[] = [];
  for (let at = 0; at < n; at += 1) {
    text += `${sentence(chance)} Then there was `;
    const own = Array.from({ length: 3 + chance.below(3) }, () => chance.one(WORDS)).join(' ');
    places.push({ label: chance.one(labels), text: own, start: text.length });
    text += `${own}. `;
  }
  return { text, places };
}

/** What a system makes of the places: some are not found, shifted by a word, given another label, or made up. */
function predicted(chance: Chance, text: string, places: readonly Place[], labels: readonly string[]): Place[] {
  const found = places
    .filter(() => chance.happens(SHARES.found))
    .map((place) => {
      const label = chance.happens(SHARES.confused) ? chance.one(labels) : place.label;
      if (!chance.happens(SHARES.shifted)) return { ...place, label };
      const first = place.text.indexOf(' ') + 1;
      return { label, text: place.text.slice(first), start: place.start + first };
    });
  const invented = places.flatMap(() => {
    if (!chance.happens(SHARES.invented)) return [];
    const start = text.indexOf(' ', chance.below(Math.floor(text.length / 2))) + 1;
    const end = text.indexOf(' ', start + 8);
    return end < 0 ? [] : [{ label: chance.one(labels), text: text.slice(start, end), start }];
  });
  return [...found, ...invented];
}

const items = (places: readonly Place[], make: (place: Place, index: number) => ItemInit): Item[] =>
  places.map((place, index) => makeItem(make(place, index)));

const DOMAINS = ['symptom', 'food', 'emotion', 'mind'];

export function cleanJournals(n: number, seed: number): Case[] {
  const chance = new Chance(seed);
  return numbered(n).map((id) => {
    const { text, places } = textWith(chance, DOMAINS, 3 + chance.below(4));
    const object = ({ label, text: quote }: Place, index: number): ItemInit => ({
      kind: 'object',
      index,
      label,
      text: quote,
      fields: {
        polarity: 'present',
        time_bucket: chance.one(['today', 'last_night']),
        [label === 'emotion' ? 'arousal_bucket' : 'intensity_bucket']: 'medium',
      },
    });
    return makeCase({
      id,
      text,
      gold: items(places, object),
      predicted: items(predicted(chance, text, places, DOMAINS), object),
    });
  });
}

const LABELS = ['PERSON', 'LOC', 'ORG', 'DATE'];

export function cleanDocuments(n: number, seed: number): Case[] {
  const chance = new Chance(seed);
  return numbered(n).map((id) => {
    const { text, places } = textWith(chance, LABELS, 2 + chance.below(6));
    const span = ({ label, text: own, start }: Place, index: number): ItemInit => ({
      kind: 'span',
      index,
      label,
      text: own,
      start,
      end: start + own.length,
    });
    return makeCase({
      id,
      text,
      gold: items(places, span),
      predicted: items(predicted(chance, text, places, LABELS), span),
    });
  });
}

const TYPES = ['Person', 'Place', 'Firm'];
const RELATIONS = ['lives_in', 'employs', 'married_to', 'owns'];

export function cleanGraphs(n: number, seed: number): Case[] {
  const chance = new Chance(seed);
  return numbered(n).map((id) => {
    const { text, places } = textWith(chance, TYPES, 3 + chance.below(3));
    const entity = ({ label, text: name }: Place, index: number): ItemInit => ({
      kind: 'entity',
      index,
      label,
      text: name,
      fields: { type: label, name },
    });
    const found = predicted(chance, text, places, TYPES);
    const relate = (named: readonly Place[], share: number): Item[] =>
      named.slice(1).flatMap((place, at) =>
        chance.happens(share)
          ? [
              makeItem({
                kind: 'relationship',
                index: at,
                label: RELATIONS[(place.text.length + at) % RELATIONS.length]!,
                source: named[at]!.text,
                target: place.text,
              }),
            ]
          : [],
      );
    return makeCase({
      id,
      text,
      gold: [...items(places, entity), ...relate(places, 1)],
      predicted: [...items(found, entity), ...relate(found, 0.9)],
    });
  });
}

const CLASSES = ['vata', 'pitta', 'kapha'];
const PARTS = [
  'Eat warm meals.',
  'A daily routine helps.',
  'Herbs such as triphala may help.',
  'See the Charaka Samhita.',
  'Come back in four weeks.',
  'This is educational.',
];
/** Three experts, one a little stricter than the others. */
const EXPERTS = { asha: 0, bela: -0.4, chand: 0.2 };

export function cleanConsultations(n: number, seed: number): Case[] {
  const chance = new Chance(seed);
  return numbered(n).map((id) => {
    // People rarely know: some cases have no class that could be right.
    const right = chance.happens(0.08) ? 'unknown' : chance.one(CLASSES);
    const said = chance.happens(0.75) ? right : chance.one(CLASSES);
    const parts = PARTS.filter(() => chance.happens(0.7));
    const answer = [
      `Your prakriti is ${said}.`,
      ...parts.flatMap((part) => [part, sentence(chance)]),
      paragraph(chance, 2),
    ].join(' ');
    const quality = 2.5 + 2 * chance.next();
    const rating = (reviewer: string, bias: number, index: number): Logged => ({
      item: makeItem({
        kind: 'rating',
        index,
        label: 'safety',
        annotator: reviewer,
        fields: {
          question: 'treatment_relevance',
          dimension: 'safety',
          value: Math.min(5, Math.max(1, Math.round(quality + bias + chance.next() - 0.5))),
          given: 1,
          reviewer,
        },
      }),
      verdict: 'excused',
      rule: 'logged',
    });
    const own = (kind: 'class', label: string): Item => makeItem({ kind, index: 0, label, text: label });
    return makeCase({
      id,
      text: paragraph(chance, 3),
      fields: { language: 'en' },
      gold: [own('class', right)],
      predicted: [own('class', said)],
      logged: [
        {
          item: makeItem({ kind: 'answer', index: 0, label: 'answer', text: answer, fields: { language: 'en' } }),
          verdict: 'excused',
          rule: 'logged',
        },
        ...Object.entries(EXPERTS).map(([name, bias], index) => rating(name, bias, index)),
      ],
    });
  });
}

export function cleanStreams(n: number, seed: number): Case[] {
  const chance = new Chance(seed);
  return numbered(n).map((id) => {
    const concepts = WORDS.filter(() => chance.happens(0.6));
    const covered = concepts.filter(() => chance.happens(0.7));
    const summaries = Array.from({ length: 3 + chance.below(3) }, (_, at) => ({
      ok: !chance.happens(0.02),
      summary_ctu: 60 + chance.below(60),
      latency_ms: 500 + chance.below(1500),
      prompt_ctu: 400,
      completion_ctu: 100,
      ...(at === 0 ? {} : { redundancy: chance.next() / 2 }),
      unsupported_in_trace: chance.next() / 10,
      unsupported_in_window: chance.next() / 8,
      unsupported_in_contract: chance.next() / 9,
    }));
    return streamCase(id, {
      trace: concepts,
      covered: Object.fromEntries([
        ...covered.map((name) => [name, 100 + chance.below(800)]),
        ...(chance.happens(0.4) ? [[`stray-${id}`, 500]] : []),
      ]),
      traceCtu: 800 + chance.below(600),
      durationMs: 20_000 + chance.below(20_000),
      summaries,
      decisions: summaries.map(() => ({
        latency_ms: 200 + chance.below(400),
        prompt_ctu: 50,
        completion_ctu: 10,
        input_ctu: 40,
      })),
      flushes: summaries.map((_, at) => ({
        ctu: 80 + chance.below(80),
        ...(at === 0 ? {} : { interval_ms: 3000 }),
        reason: 'boundary_cue',
      })),
    });
  });
}
