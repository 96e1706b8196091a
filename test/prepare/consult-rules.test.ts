import { describe, expect, test } from 'vitest';

import { type Case, type Logged, makeCase } from '../../src/data/case.ts';
import { type Item, makeItem } from '../../src/data/item.ts';
import { classNames } from '../../src/prepare/read-class.ts';
import { prepare } from './prepare.ts';

/* Rules for consultations: the class, the components, what gold cannot answer, readability. */

const CLASSES = {
  vata: ['वात'],
  pitta: ['पित्त'],
  kapha: ['कफ'],
  'vata-pitta': [],
  'pitta-kapha': [],
  'vata-kapha': [],
  tridosha: ['tridoshic', 'vata-pitta-kapha'],
};
const FILLERS = ['dosha', 'prakriti', 'constitution', 'type'];

function classItem(label: string): Item {
  return makeItem({ kind: 'class', index: 0, label, text: label });
}

function answered(response: string, more: Partial<Case> = {}, language = 'en'): Case {
  const item = makeItem({ kind: 'answer', index: 0, label: 'answer', text: response, fields: { language } });
  const line: Logged = { item, verdict: 'excused', rule: 'logged' };
  return { ...makeCase({ id: 'c1', logged: [line] }), ...more };
}

describe('classNames', () => {
  const any = classNames(CLASSES, FILLERS, 'any-order');

  test('knows a class by any of its names, in either word order', () => {
    expect(['Vata', ' PITTA ', 'Pitta-Vata', 'pitta / vata', 'Kapha–Vata', 'kapha and pitta'].map(any.of)).toEqual([
      'vata',
      'pitta',
      'vata-pitta',
      'vata-pitta',
      'vata-kapha',
      'pitta-kapha',
    ]);
    expect(['वात', 'पित्त-वात', 'Vata dosha', 'Tridoshic', 'Kapha-Vata-Pitta'].map(any.of)).toEqual([
      'vata',
      'vata-pitta',
      'vata',
      'tridosha',
      'tridosha',
    ]);
  });

  test('a name that is none is none', () => {
    expect(['Unknown', 'Multiple', '', 'vatapitta', 'constructor'].map(any.of)).toEqual([null, null, null, null, null]);
    expect(['Vatta', 'N/A', 'Vata-Vata', 'Kapha or none'].map(any.of)).toEqual([null, null, null, null]);
  });

  test('however it is written down', () => {
    const ways = [
      'Vata Pitta',
      'vata_pitta',
      'VataPitta',
      'Pitta & Vata',
      'Vata-Pitta.',
      '"Pitta/Vata"',
      'vata, pitta',
    ];
    expect(new Set(ways.map(any.of))).toEqual(new Set(['vata-pitta']));
    expect(['Vata.', 'Vata (dosha)', 'Pitta-type'].map(any.of)).toEqual(['vata', 'vata', 'pitta']);
  });

  test('as written, a name is what it is', () => {
    const written = classNames(CLASSES, [], 'as-written');
    expect(['Vata-Pitta', 'Pitta-Vata', 'वात'].map(written.of)).toEqual([null, null, null]);
  });

  test('finds the classes that a text names, each once', () => {
    expect(any.namedIn('Your Vata is high; vata calms. A Pitta-Kapha type would differ.')).toEqual([
      'vata',
      'pitta-kapha',
    ]);
    expect(any.namedIn('Vata and Pitta are two doshas')).toEqual(['vata', 'pitta']);
    expect(any.namedIn('You are mostly Pitta Kapha.')).toEqual(['pitta-kapha']);
    expect(any.namedIn('innovata')).toEqual([]);
  });
});

describe('read-class', () => {
  const params = {
    classes: CLASSES,
    fillers: FILLERS,
    cues: ['prakriti', 'constitution', 'प्रकृति'],
    negations: ['not', 'नहीं'],
  };
  const read = (response: string, language = 'en'): readonly unknown[] =>
    prepare('read-class', params, answered(response, {}, language)).predicted.map(({ label, fields }) => [
      label,
      fields['read'],
    ]);

  test('a class that the system gave is only brought to its name', () => {
    const given = answered('Vata, surely.', { gold: [classItem('Vata')], predicted: [classItem('Pitta-Vata')] });
    const { gold, predicted } = prepare('read-class', params, given);
    expect(gold.map(({ label, was }) => [label, was])).toEqual([['vata', 'Vata']]);
    expect(predicted.map(({ label }) => label)).toEqual(['vata-pitta']);
  });

  test('a class that it gave as unknown stays so, whatever the answer says', () => {
    const given = answered('Your prakriti is Vata.', { predicted: [classItem('Unknown')] });
    expect(prepare('read-class', params, given).predicted.map(({ label }) => label)).toEqual(['unknown']);
  });

  test('else it is read from the sentence that announces it', () => {
    expect(read('Pitta burns and kapha binds. Your constitution is Vata-Pitta. Kapha is low.')).toEqual([
      ['vata-pitta', 'a sentence that announces it'],
    ]);
    expect(read('आपकी प्रकृति वात है। पित्त कम है।', 'hi')).toEqual([['vata', 'a sentence that announces it']]);
  });

  test('or from the whole answer where it names one class only', () => {
    expect(read('Vata is high. Calm your vata.')).toEqual([['vata', 'the only class that the answer names']]);
  });

  test('and is unknown where the answer names several, or none', () => {
    expect(read('Vata or pitta, who knows.')).toEqual([['unknown', 'the answer names vata, pitta']]);
    expect(read('Drink water.')).toEqual([['unknown', 'the answer names no class']]);
    const off = prepare('read-class', { ...params, read: 'off' }, answered('Your constitution is Vata.'));
    expect(off.predicted.map(({ label }) => label)).toEqual(['unknown']);
  });

  test('what a sentence denies is not read', () => {
    expect(read('This is not a Vata constitution.')).toEqual([['unknown', 'the answer names no class']]);
    expect(read('It is not a Vata constitution. Your constitution is Kapha.')).toEqual([
      ['kapha', 'a sentence that announces it'],
    ]);
  });

  test('as written, names are compared as they are, whatever their case', () => {
    const given = answered('x', { gold: [classItem('Pitta-Vata')], predicted: [classItem('VATA-PITTA')] });
    const { gold, predicted } = prepare('read-class', { ...params, names: 'as-written' }, given);
    expect([gold[0]?.label, predicted[0]?.label]).toEqual(['pitta-vata', 'vata-pitta']);
  });

  test('a case without an answer gets no class: it was not asked', () => {
    expect(prepare('read-class', params, makeCase({ id: 'c', answered: false })).predicted).toEqual([]);
  });
});

describe('leave-out-gold', () => {
  const params = { kind: 'class', labels: ['unknown', 'multiple'] };

  test('both sides leave where gold has no right answer: a hit there counts as little as a miss', () => {
    const given = answered('x', { gold: [classItem('unknown')], predicted: [classItem('unknown')] });
    const out = prepare('leave-out-gold', params, given);
    expect([out.gold.length, out.predicted.length]).toEqual([0, 0]);
    expect(out.setAside.map(({ side, rule }) => [side, rule])).toEqual([
      ['gold', 'leave-out-gold'],
      ['predicted', 'leave-out-gold'],
    ]);
  });

  test('a prediction of unknown stays where gold has an answer', () => {
    const given = answered('x', { gold: [classItem('vata')], predicted: [classItem('unknown')] });
    expect(prepare('leave-out-gold', params, given)).toBe(given);
  });
});

describe('find-components', () => {
  const components = {
    diet: { en: ['eat', 'food*'], hi: ['आहार'] },
    herbs: { en: ['herb*'], hi: ['औषधि'] },
    follow_up: ['consult*'],
  };
  const tick = (component: string, value: unknown): Logged => ({
    item: makeItem({ kind: 'tick', index: 0, label: component, fields: { value, because: '2 of 3 experts' } }),
    verdict: 'excused',
    rule: 'logged',
  });
  const withTicks = (response: string, ...ticks: Logged[]): Case => {
    const given = answered(response);
    return { ...given, logged: [...given.logged!, ...ticks] };
  };
  const present = (given: Case): unknown[] =>
    given.predicted.map(({ label, fields }) => [label, fields['by'], fields['found']]);

  test('gold is every component, predicted those whose phrases stand in the answer as whole words', () => {
    const out = prepare('find-components', { components }, answered('This treatment: eat foods. Consult someone.'));
    expect(out.gold.map(({ label }) => label)).toEqual(['diet', 'herbs', 'follow_up']);
    expect(present(out)).toEqual([
      ['diet', 'rule', 'eat'],
      ['follow_up', 'rule', 'Consult'],
    ]);
    expect(present(prepare('find-components', { components }, answered('A treatment of sweat.')))).toEqual([]);
  });

  test('substrings, for those who count as the original did', () => {
    const out = prepare(
      'find-components',
      { components: { diet: ['eat'] }, match: 'substring' },
      answered('Treatment.'),
    );
    expect(present(out)).toEqual([['diet', 'rule', 'eat']]);
  });

  test('Hindi answers are read by Hindi phrases, and by English ones that they borrow', () => {
    expect(present(prepare('find-components', { components }, answered('संतुलित आहार लें।', {}, 'hi')))).toEqual([
      ['diet', 'rule', 'आहार'],
    ]);
    expect(present(prepare('find-components', { components }, answered('Food अच्छा हो।', {}, 'hi')))).toEqual([
      ['diet', 'rule', 'Food'],
    ]);
  });

  const denials = { before: { en: ['nothing about'] }, after: { hi: ['के बारे में कुछ नहीं'] }, ends: ['but'] };

  test('what is denied does not count, in English and Hindi, and gold says why', () => {
    const out = prepare('find-components', { components, denials }, answered('I say nothing about food or herbs.'));
    expect(present(out)).toEqual([]);
    expect(out.gold.map(({ fields }) => fields['passed_over'])).toEqual([
      '“food” is denied: “nothing about”',
      '“herbs” is denied: “nothing about”',
      undefined,
    ]);
    const hindi = answered('मैं आहार और औषधि के बारे में कुछ नहीं कहूँगा।', {}, 'hi');
    expect(present(prepare('find-components', { components, denials }, hindi))).toEqual([]);
    expect(present(prepare('find-components', { components, denials: 'off' }, hindi))).toHaveLength(2);
  });

  test('a later word that is not denied counts', () => {
    const given = answered('I say nothing about food, but eat rice.');
    expect(present(prepare('find-components', { components, denials }, given))).toEqual([['diet', 'rule', 'eat']]);
  });

  test('a component that needs more than its word has it in the sentence or the next one, apart from the word', () => {
    const needs = { diet: { en: ['rice', 'food*'], hi: ['चावल'] } };
    const found = (response: string, more: object = {}): unknown[] =>
      present(prepare('find-components', { components, needs, ...more }, answered(response)));
    expect(found('Eat well.')).toEqual([]);
    expect(found('Eat rice.')).toEqual([['diet', 'rule', 'Eat']]);
    expect(found('Eat well. Rice is good.')).toEqual([['diet', 'rule', 'Eat']]);
    expect(found('Eat well. Rice is good.', { near: 0 })).toEqual([]);
    expect(found('Eat well. Sleep well. Rice is good.')).toEqual([]);
    // The word of the component is not its own detail; another one is.
    expect(found('Good food.')).toEqual([]);
    expect(found('Good food.', { needs: { diet: ['good food'] } })).toEqual([['diet', 'rule', 'food']]);
    expect(found('आहार में चावल लें।')).toEqual([['diet', 'rule', 'आहार']]);
    expect(found('Eat well.', { needs: 'off' })).toEqual([['diet', 'rule', 'Eat']]);
    expect(found('Consult someone.')).toEqual([['follow_up', 'rule', 'Consult']]);
  });

  test('a phrase that only looks like one does not count, nor as what another needs, and gold says why', () => {
    const walking = { components: { lifestyle: ['walk', 'exercise*'] }, needs: { lifestyle: ['daily', 'minute*'] } };
    const lookalikes = { en: ['walk through', 'walk you through', 'exercise caution', 'minute amount*'] };
    const run = (response: string): Case => prepare('find-components', { ...walking, lookalikes }, answered(response));
    expect(present(run('Exercise caution and walk daily.'))).toEqual([['lifestyle', 'rule', 'walk']]);
    for (const text of ['I will walk you through daily changes.', 'Exercise caution daily.', 'Walk. Minute amounts.'])
      expect(present(run(text))).toEqual([]);
    expect(run('Exercise caution daily.').gold[0]?.fields).toEqual({
      passed_over: '“Exercise” is part of “Exercise caution”',
    });
  });

  test('a question recommends nothing, if questions are left out', () => {
    const run = (response: string, more: object = {}): Case =>
      prepare('find-components', { components, ...more }, answered(response));
    const asks = 'Do you eat well? Which herbs do you take?”';
    expect(present(run(asks))).toHaveLength(2);
    expect(present(run(asks, { questions: 'ignore' }))).toEqual([]);
    expect(run(asks, { questions: 'ignore' }).gold[0]?.fields['passed_over']).toBe('“eat” is in a question');
    expect(present(run('What to do? Eat well.', { questions: 'ignore' }))).toEqual([['diet', 'rule', 'Eat']]);
    expect(present(run('क्या आप आहार बदलेंगे?', { questions: 'ignore' }))).toEqual([]);
  });

  test('an answer shows the phrase and what it needed', () => {
    const out = prepare('find-components', { components, needs: { diet: ['rice'] } }, answered('Eat rice. Consult.'));
    expect(out.predicted.map(({ fields }) => fields)).toEqual([
      { by: 'rule', found: 'Eat', with: 'rice' },
      { by: 'rule', found: 'Consult' },
    ]);
  });

  test('needs of a component that there is not are a mistake', () => {
    expect(() => prepare('find-components', { components, needs: { diett: ['rice'] } }, answered(''))).toThrow(
      /no component called diett/,
    );
  });

  test('an expert’s tick stands above the rule, and says whether the rule agrees', () => {
    const given = withTicks('Eat well.', tick('diet', false), tick('herbs', true), tick('follow_up', false));
    const out = prepare('find-components', { components }, given);
    expect(present(out)).toEqual([['herbs', 'expert', undefined]]);
    expect(out.logged!.slice(1).map(({ item, verdict, rule }) => [item.label, verdict, rule])).toEqual([
      ['diet', 'spurious', 'rule-differs'],
      ['herbs', 'spurious', 'rule-differs'],
      ['follow_up', 'hit', 'rule-agrees'],
    ]);
  });

  test('what does not apply leaves; where experts are divided the rule decides', () => {
    const out = prepare('find-components', { components }, withTicks('Eat.', tick('herbs', 'na'), tick('diet', null)));
    expect(out.gold.map(({ label }) => label)).toEqual(['diet', 'follow_up']);
    expect(out.setAside.map(({ item, because }) => [item.label, because])).toEqual([
      ['herbs', 'does not apply: 2 of 3 experts'],
    ]);
    expect(present(out)).toEqual([['diet', 'rule', 'Eat']]);
  });

  test('ticks can be left aside', () => {
    const out = prepare('find-components', { components, experts: 'ignore' }, withTicks('Eat.', tick('diet', false)));
    expect(present(out)).toEqual([['diet', 'rule', 'Eat']]);
  });
});
