import { describe, expect, test } from 'vitest';

import type { AuditCheck } from '../../src/audit/check.ts';
import { emptyAnswers } from '../../src/audit/checks/content/answer-sizes.ts';
import { goldInText } from '../../src/audit/checks/content/gold-in-text.ts';
import { refusedAnswers } from '../../src/audit/checks/content/refused-answers.ts';
import { unannotatedCases } from '../../src/audit/checks/unannotated-cases.ts';
import { unreadableConfidence } from '../../src/audit/checks/unreadable-confidence.ts';
import { type Case, type CaseInit, makeCase } from '../../src/data/case.ts';
import { type Item, makeItem } from '../../src/data/item.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { fileSource } from '../../src/data/source.ts';
import { consultReader, readConsultFiles } from '../../src/formats/consult/consult-reader.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { noReference, referencePath } from '../reference/reference-data.ts';
import { look } from './audited.ts';
import { cleanConsultations, cleanDocuments, cleanGraphs, cleanJournals } from './clean-sets.ts';
import { Chance, sentence } from './content/made-texts.ts';

type Dataset = Readonly<{ recipe: string; cases: () => Promise<readonly Case[]> | readonly Case[] }>;
type Planted = (given: Case, at: number) => Partial<CaseInit>;

async function fileCases(recipe: string, files: Readonly<Record<string, string>>): Promise<readonly Case[]> {
  const { data } = await planRecipe(recipe);
  const sources = Object.entries(files).map(([role, file]) => [role, fileSource(file)] as const);
  const cases = await Array.fromAsync(readCases({ cases: sources[0]![1], ...Object.fromEntries(sources) }, data));
  return cases.map(copyOf);
}

/** An ordinary case: those of plain spans make their items when asked. */
function copyOf({ id, text, gold, predicted, failed, answered, fields }: Case): Case {
  return makeCase({ id, text, gold, predicted, failed, answered, fields });
}

const NAMES = [
  'Ashford',
  'Brackwater',
  'Corwen',
  'Dunmere',
  'Elmstead',
  'Fennick',
  'Garrowby',
  'Hollin',
  'Isk',
  'Jarrow',
];

/** Sentences as in sets of named entities: most have nothing to find, and the system is weak and invents some. */
function sentences(n: number, share: number, { recall = 0.5, wrong = 0.3, invents = 0.08, most = 3 } = {}): Case[] {
  const chance = new Chance(11);
  return Array.from({ length: n }, (_, at) => {
    let text = sentence(chance);
    const span = (label: string, name: string): Omit<Item, 'index'> => {
      text += ` Then ${name}`;
      return makeItem({
        kind: 'span',
        index: 0,
        label,
        text: name,
        start: text.length - name.length,
        end: text.length,
      });
    };
    const names = chance.happens(share) ? 1 + chance.below(most) : 0;
    const gold = Array.from({ length: names }, () =>
      span(chance.one(['LOC', 'ORG', 'PER']), `${chance.one(NAMES)} ${at}`),
    );
    const decoys = chance.happens(invents) ? [span('LOC', chance.one(NAMES))] : [];
    const predicted = gold
      .filter(() => chance.happens(recall))
      .map((item) => (chance.happens(wrong) ? { ...item, start: item.start + 1, text: item.text.slice(1) } : item));
    const numbered = (items: readonly Omit<Item, 'index'>[]): Item[] =>
      items.map((item, index) => ({ ...item, index }));
    return makeCase({
      id: `s${at}`,
      text: `${text ?? ''}.`,
      gold: numbered(gold),
      predicted: numbered([...predicted, ...decoys]),
    });
  });
}

const TAB = referencePath('pii/tab_presidio_64.json');
const SETS: Readonly<Record<string, Dataset>> = {
  documents: { recipe: 'pii/strict', cases: () => cleanDocuments(120, 4) },
  journals: { recipe: 'journal/ashwam', cases: () => cleanJournals(120, 4) },
  graphs: { recipe: 'graph/openspec', cases: () => cleanGraphs(120, 4) },
  'sentences, 4 of 10 with names': { recipe: 'spans/strict', cases: () => sentences(800, 0.4) },
  'sentences, 2 of 10 with names': { recipe: 'spans/strict', cases: () => sentences(1500, 0.2) },
  'chunks in every sentence': {
    recipe: 'spans/strict',
    cases: () => sentences(300, 1, { recall: 0.93, wrong: 0.03, invents: 0.2, most: 9 }),
  },
  'a weak system': {
    recipe: 'spans/strict',
    cases: () => sentences(600, 0.5, { recall: 0.25, wrong: 0.4, invents: 0.3 }),
  },
  ...(noReference
    ? {}
    : {
        'court cases, Presidio': { recipe: 'pii/exact', cases: () => fileCases('pii/exact', { cases: TAB }) },
        'court cases, as published': {
          recipe: 'pii/piranha',
          cases: () => fileCases('pii/piranha', { cases: referencePath('pii/tab_relabelled_64.json') }),
        },
      }),
};
const OWN_CHECKS = [goldInText, unannotatedCases, unreadableConfidence, emptyAnswers, refusedAnswers];

async function severities(check: AuditCheck, { recipe }: Dataset, cases: readonly Case[]): Promise<readonly string[]> {
  return (await look(check, recipe, cases)).said;
}

function changed(given: Case, change: Partial<CaseInit>): Case {
  return makeCase({ ...given, ...change });
}

/** Cases a share of which is changed, spread over all of them. */
async function planted({ cases }: Dataset, share: number, change: Planted): Promise<Case[]> {
  return (await cases()).map((given, at) =>
    Math.floor((at + 1) * share) > Math.floor(at * share) ? changed(given, change(given, at)) : given,
  );
}

const KEYS: Readonly<Record<string, (items: readonly Item[]) => string>> = {
  'a key with labels': (items) =>
    `\nANSWER: ${items.map(({ text, label }) => `${text} = ${label.toLowerCase()}`).join('; ')}`,
  'a list without labels': (items) => `\n\nEntities: ${items.map(({ text }) => text).join(', ')}`,
  'lines of a list': (items) => `\n## Annotations:\n${items.map(({ text }) => `- ${text}`).join('\n')}`,
  'labels in brackets': (items) => ` (${items.map(({ text, label }) => `${text} [${label}]`).join(', ')})`,
  JSON: (items) => ` ${JSON.stringify(items.map(({ text, label }) => ({ text, label })))}`,
};

describe('an unplanted set has no such finding', () => {
  test.each(Object.keys(SETS))('%s', async (name) => {
    const set = SETS[name]!;
    const cases = await set.cases();
    for (const check of OWN_CHECKS) expect(await severities(check, set, cases), check.name).toEqual([]);
  });
});

describe('gold written in the text', () => {
  const named = Object.keys(SETS).flatMap((set) => Object.keys(KEYS).map((key) => [set, key] as const));
  test.each(named)('%s, %s', async (name, key) => {
    const leak: Planted = ({ text, gold }) => ({
      text: `${text ?? ''}${KEYS[key]!(gold.filter(({ kind }) => kind !== 'relationship'))}`,
    });
    const set = SETS[name]!;
    const severityAt = async (share: number) => severities(goldInText, set, await planted(set, share, leak));
    expect((await severityAt(1))[0]).toMatch(/^error/);
    expect((await severityAt(0.5))[0]).toMatch(/^error/);
    expect((await severityAt(0.1))[0]).toMatch(/^warning/);
  });

  test('the evidence has the key', async () => {
    const set = SETS['documents']!;
    const leak: Planted = ({ text, gold }) => ({ text: `${text ?? ''}${KEYS['a key with labels']!(gold)}` });
    const { findings } = await look(goldInText, set.recipe, await planted(set, 0.5, leak));
    expect(findings[0]?.cases.total).toBe(60);
    expect(findings[0]?.items.shown[0]?.note).toMatch(/^the text has ".*ANSWER: .* = /s);
  });

  test('names beside words are none: forms, lists of a cast, a label in a sentence', async () => {
    const texts: readonly ((name: string) => string)[] = [
      (name) => `Name: ${name}\nCity: Oslo\nThis is about ${name}.`,
      (name) => `Cast: ${name} as the king, Bela Bartok as the queen. ${name} was praised.`,
      (name) => `${name}, a person of note, met another person. The person ${name} left.`,
      (name) => `Question: who? Answer: ${name}`,
    ];
    const cases = Array.from({ length: 60 }, (_, at) => {
      const name = `${NAMES[at % NAMES.length]!} ${at}`;
      const text = texts[at % texts.length]!(name);
      const spans = [...text.matchAll(new RegExp(name, 'g'))]
        // In a cast the annotators marked what is after the list.
        .slice(at % texts.length === 1 ? 1 : 0)
        .map(({ index: start }, index) =>
          makeItem({ kind: 'span', index, label: 'NAME', text: name, start, end: start + name.length }),
        );
      return makeCase({ id: `c${at}`, text, gold: spans, predicted: spans });
    });
    expect((await look(goldInText, 'spans/strict', cases)).said).toEqual([]);
  });

  test('a class after a heading is a key, in a sentence it is none', async () => {
    const item = (label: string) => [makeItem({ kind: 'class', index: 0, label, text: label })];
    const classes = (text: (label: string) => string): Case[] =>
      cleanConsultations(60, 3).map((given, at) => {
        const label = ['vata', 'pitta', 'kapha'][at % 3]!;
        return { ...given, gold: item(label), text: `${given.text ?? ''}${text(label)}` };
      });
    const found = async (text: (label: string) => string) =>
      (await look(goldInText, 'consult/ayurmind', classes(text))).said;
    expect((await found((label) => `\nCorrect answer: ${label}`))[0]).toMatch(/^error/);
    expect(await found((label) => `\nI read about ${label} and wonder.`)).toEqual([]);
  });
});

describe('cases that nobody annotated', () => {
  // A third of the few sentences with names is within what the system invents.
  const strengths = (name: string): number[] => (name.includes('2 of 10') ? [0.5, 0.7] : [0.3, 0.5]);
  const names = Object.keys(SETS).filter((name) => name !== 'a weak system');
  test.each(names.flatMap((name) => strengths(name).map((share) => [name, share] as const)))(
    '%s, %d of them',
    async (name, share) => {
      const set = SETS[name]!;
      const said = await severities(unannotatedCases, set, await planted(set, share, () => ({ gold: [] })));
      expect(said.map((one) => one.split(':')[0])).toEqual(['warning']);
    },
  );
});

test('four of forty documents that nobody annotated', async () => {
  const set: Dataset = { recipe: 'pii/strict', cases: () => cleanDocuments(40, 4) };
  const said = await severities(unannotatedCases, set, await planted(set, 0.1, () => ({ gold: [] })));
  expect(said.map((one) => one.split(':')[0])).toEqual(['warning']);
});

describe('lists of predictions that were emptied', () => {
  const names = Object.keys(SETS).filter((name) => name !== 'a weak system');
  test.each(names.flatMap((name) => [0.6, 0.75].map((share) => [name, share] as const)))(
    '%s, %d of them',
    async (name, share) => {
      const set = SETS[name]!;
      const [first] = await severities(emptyAnswers, set, await planted(set, share, () => ({ predicted: [] })));
      expect(first).toMatch(/^warning/);
    },
  );
});

describe('a confidence that is not a number', () => {
  const NO_NUMBERS = ['NaN', 'Infinity', 'high', '', '90 %', true, [0.9]];
  test.each(Object.keys(SETS))('%s', async (name) => {
    const set = SETS[name]!;
    const sure =
      (value: unknown): Planted =>
      ({ predicted }) => ({
        predicted: predicted.map((item) => ({ ...item, fields: { ...item.fields, confidence: value } })),
      });
    const numbers = await planted(set, 1, sure('0.75'));
    expect(await severities(unreadableConfidence, set, numbers)).toEqual([]);
    for (const value of NO_NUMBERS) {
      const cases = numbers.map((given, at) => (at % 3 === 0 ? changed(given, sure(value)(given, at)) : given));
      expect((await severities(unreadableConfidence, set, cases))[0], JSON.stringify(value)).toMatch(/^warning/);
    }
  });
});

describe('refusals', () => {
  const REFUSED = [
    "I'm sorry, but I can't help with that request.",
    'As an AI language model, I cannot give medical advice. Please consult a doctor.',
    'Es tut mir leid, aber dabei kann ich nicht helfen.',
    'Je suis désolé, mais je ne peux pas répondre à cette question.',
    'Lo siento, pero no puedo ayudar con eso.',
    'Mi dispiace, ma non posso aiutarti.',
    'Desculpe, mas não posso ajudar com isso.',
    'Het spijt me, maar ik kan u daar niet mee helpen.',
  ];
  const refusing: Planted = ({ logged = [] }, at) => ({
    logged: logged.map((one) =>
      one.item.kind === 'answer' ? { ...one, item: { ...one.item, text: REFUSED[at % REFUSED.length]! } } : one,
    ),
  });
  const consultations: Dataset = { recipe: 'consult/ayurmind', cases: () => cleanConsultations(60, 5) };

  test('are an error in half of the answers and a warning in a tenth', async () => {
    const at = async (share: number) =>
      severities(refusedAnswers, consultations, await planted(consultations, share, refusing));
    expect(await at(0.5)).toEqual(['error: 30 of 60 answers (50 %) only decline to answer']);
    expect(await at(0.1)).toEqual(['warning: 6 of 60 answers (10 %) only decline to answer']);
    expect(await at(0)).toEqual([]);
  });

  test.skipIf(noReference)('are none of the real answers, and are found among them', async () => {
    const plan = await planRecipe('consult/ayurmind', ['interval=off']);
    const systems = ['single_agent_rag', 'ayurmind', 'vanilla_llm'];
    const files = await readConsultFiles(
      fileSource(referencePath('consult/evaluation_cases.csv')),
      systems.map((system) => ({ system, source: fileSource(referencePath(`consult/results_${system}.jsonl`)) })),
      plan,
    );
    for (const own of files) {
      const set = { recipe: 'consult/ayurmind', cases: () => Array.fromAsync(consultReader(own, plan)) };
      expect(await severities(refusedAnswers, set, await set.cases())).toEqual([]);
      expect((await severities(refusedAnswers, set, await planted(set, 0.5, refusing)))[0]).toMatch(/^error/);
    }
  });
});
