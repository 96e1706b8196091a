import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { type Item, type ItemInit, makeItem } from '../../../src/data/item.ts';
import { zeroMatches } from '../../../src/audit/checks/zero-matches.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

/** The gold of case `at`: two spans at places that no other case has. */
const gold = (at: number): string[] => [`A ${100 * at}`, `B ${100 * at + 50}`];
const spanned = (n: number, predicted: (at: number) => readonly string[]): Case[] =>
  times(n, (at) => spanCase(`c${at}`, gold(at), predicted(at)));
const items = (kind: 'object' | 'entity', words: readonly string[], more: Partial<ItemInit> = {}): Item[] =>
  words.map((word, index) => {
    const [label = '', ...text] = word.split(' ');
    return makeItem({ kind, index, label, text: text.join(' '), fields: { type: label }, ...more });
  });
const title = async (cases: readonly Case[], recipe: object = STRICT): Promise<string | undefined> =>
  (await look(zeroMatches, recipe, cases)).findings[0]?.title;

describe('spans of which none hits', () => {
  const NONE = 'f1 is 0.000: none of 24 predictions hits any of 24 gold items';

  test('are told with the measures that say nothing then', async () => {
    const { said, findings } = await look(
      zeroMatches,
      STRICT,
      spanned(12, (at) => [`A ${100 * at + 20}`, `B ${100 * at + 80}`]),
    );
    expect(said).toEqual([`warning: ${NONE}`]);
    expect(findings[0]).toMatchObject({
      subjects: ['precision', 'recall', 'f1'],
      cases: { total: 12 },
      items: { total: 24 },
    });
  });

  test.each([
    [1, 'offsets were counted from 1'],
    [-1, 'both offsets were 1 more'],
  ])('moved by %d', async (by, when) => {
    const moved = spanned(12, (at) => [`A ${100 * at + 1 + by}`, `B ${100 * at + 51 + by}`]).map((one) => ({
      ...one,
      gold: one.gold.map((item) => ({ ...item, start: item.start + 1, end: item.end + 1 })),
    }));
    expect(await title(moved)).toBe(`${NONE}; 24 would if ${when}`);
  });

  test('with their last character for the end', async () => {
    const ended = spanned(12, gold).map((one) => ({
      ...one,
      predicted: one.predicted.map((item) => ({ ...item, end: item.end - 1 })),
    }));
    expect(await title(ended)).toBe(`${NONE}; 24 would if the end were the last character instead of the one after it`);
  });

  test('with labels of other names', async () => {
    const named = spanned(12, (at) => gold(at).map((word) => word.toLowerCase()));
    expect(await title(named)).toBe(`${NONE}; 24 would if labels did not count (the first: A in gold, a predicted)`);
  });

  test('with the answers of the next case', async () => {
    // The last case has the answer of the first, which is no neighbour of it.
    const next = spanned(12, (at) => gold((at + 1) % 12));
    expect(await title(next)).toBe(`${NONE}; 22 would if the answers belonged to the case after theirs`);
  });

  test('a slip that explains less than half is not told', async () => {
    const some = spanned(12, (at) =>
      at < 5 ? [`A ${100 * at + 1}`, `B ${100 * at + 51}`] : [`A ${100 * at + 20}`, `B ${100 * at + 80}`],
    );
    expect(await title(some)).toBe(NONE);
  });

  test('a few chance hits do not hide a slip that explains the rest', async () => {
    // 2 of 24 hit: more than 2 %, and 22 would.
    const rest = spanned(12, (at) => (at === 0 ? gold(0) : [`A ${100 * at + 1}`, `B ${100 * at + 51}`]));
    expect(await title(rest)).toBe(
      'f1 is 0.083: 2 of 24 predictions hit one of 24 gold items; 22 would if offsets were counted from 1',
    );
  });
});

describe('other kinds', () => {
  test('quotes that stand in the text of the case before', async () => {
    const text = (at: number): string => `entry ${at} tells of kettle number ${at}, and of lantern number ${at}.`;
    const cases = times(12, (at) =>
      makeCase({
        id: `c${at}`,
        text: text(at),
        gold: items('object', [`food kettle number ${at}`, `mind lantern number ${at}`]),
        predicted: items('object', [`food of kettle number ${at - 1},`, `mind of lantern number ${at - 1}.`]),
      }),
    );
    const recipe = { task: 'journal', pair: { gate: ['label'], similarity: 'exact' }, measure: ['f1'] };
    expect(await title(cases, recipe)).toBe(
      'f1 is 0.000: none of 24 predictions hits any of 24 gold items; 22 would if the answers belonged to the case before theirs',
    );
  });

  test('relationships that point the other way', async () => {
    const relation = (source: string, target: string): Item[] => [
      makeItem({ kind: 'relationship', index: 0, label: 'owns', text: '', source, target }),
    ];
    const entities = (at: number): Item[] => items('entity', [`Person Ada ${at}`, `Firm Mill ${at}`]);
    const cases = times(20, (at) =>
      makeCase({
        id: `c${at}`,
        gold: [...entities(at), ...relation(`Ada ${at}`, `Mill ${at}`)],
        predicted: [...entities(at), ...relation(`Mill ${at}`, `Ada ${at}`)],
      }),
    );
    const { said, findings } = await look(zeroMatches, 'graph/openspec', cases);
    expect(said).toEqual([
      'warning: relationship_f1 is 0.000: none of 20 predictions of the kind relationship hits any of 20 gold items; 20 would if source and target were exchanged',
    ]);
    expect(findings[0]?.subjects).toEqual([
      'relationship_accuracy',
      'relationship_precision',
      'relationship_recall',
      'relationship_f1',
      'relationship_strict_f1',
    ]);
  });
});

describe('attributes that are never right', () => {
  const typed = (n: number, said: (at: number) => string): Case[] =>
    times(n, (at) =>
      makeCase({
        id: `c${at}`,
        gold: items('entity', [`Person Ada ${at}`]),
        predicted: items('entity', [`${said(at)} Ada ${at}`]),
      }),
    );

  test('are told with every measure that looks at them', async () => {
    const { said, findings } = await look(
      zeroMatches,
      'graph/openspec',
      typed(20, () => 'Thing'),
    );
    expect(said).toEqual([
      'warning: type_accuracy is 0.000 (and entity_strict_f1 0.000): type is right in none of 20 matched pairs that have it',
    ]);
    expect(findings[0]?.subjects).toEqual(['type_accuracy', 'entity_strict_f1']);
    expect(findings[0]?.items).toMatchObject({ total: 20 });
    expect(findings[0]?.items.shown[0]?.note).toBe('type: Person in gold, Thing predicted');
  });

  test('and whether only their spelling differs', async () => {
    const recipe = {
      task: 'graph',
      pair: { entity: { similarity: 'exact' } },
      attributes: { type: { kind: 'entity' } },
      measure: { f1: {}, type_accuracy: { of: 'accuracy', attributes: ['type'] } },
    };
    expect(
      await title(
        typed(20, () => 'PERSON'),
        recipe,
      ),
    ).toBe(
      'type_accuracy is 0.000: type is right in none of 20 matched pairs that have it; 20 would be if neither upper and lower case nor white space counted',
    );
  });

  test('few pairs, and one right in twenty, are no sign', async () => {
    const few = typed(19, () => 'Thing');
    expect((await look(zeroMatches, 'graph/openspec', few)).said).toEqual([]);
    const one = typed(20, (at) => (at === 0 ? 'Person' : 'Thing'));
    expect((await look(zeroMatches, 'graph/openspec', one)).said).toEqual([]);
  });
});

describe('measures that count something else', () => {
  const recipe = (direction: string, name = 'unsupported'): object => ({
    ...STRICT,
    measure: { [name]: { of: 'field-mean', kind: 'span', field: 'share', direction, range: [0, 1] } },
    primary: [name],
  });
  const cases = (share: number): Case[] =>
    times(20, (at) =>
      makeCase({
        id: `c${at}`,
        gold: [makeItem({ kind: 'span', index: 0, label: 'A', start: 0, end: 5 })],
        predicted: [makeItem({ kind: 'span', index: 0, label: 'A', start: 0, end: 5, fields: { share } })],
      }),
    );

  test('are told at their worst end, not at their best', async () => {
    expect(await title(cases(1), recipe('lower'))).toBe(
      'unsupported is 1.000 (n 20), and 1 is the worst that it can be',
    );
    expect(await title(cases(0), recipe('lower'))).toBeUndefined();
    expect(await title(cases(0), recipe('higher', 'support'))).toBe(
      'support is 0.000 (n 20), and 0 is the worst that it can be',
    );
  });

  test('not where the direction itself is wrong: another check says so', async () => {
    expect(await title(cases(0), recipe('higher'))).toBeUndefined();
  });
});

describe('it is silent', () => {
  const wrong = (at: number): string[] => [`A ${100 * at + 20}`, `B ${100 * at + 80}`];

  test('below 20 items on either side', async () => {
    expect(await title(spanned(9, wrong))).toBeUndefined();
    const few = spanned(30, (at) => (at < 9 ? wrong(at) : []));
    expect(await title(few)).toBeUndefined();
  });

  test('where nothing is predicted, or predictions are in cases without gold', async () => {
    expect(await title(spanned(30, () => []))).toBeUndefined();
    const apart = [...spanned(20, () => []), ...times(20, (at) => spanCase(`x${at}`, [], ['A 0', 'B 50']))];
    expect(await title(apart)).toBeUndefined();
  });

  test('where a label is never right and the rest is', async () => {
    const weak = spanned(30, (at) => [`A ${100 * at}`, `B ${100 * at + 80}`]);
    expect((await look(zeroMatches, STRICT, weak)).said).toEqual([]);
  });

  test('where a flood of predictions holds what is wanted', async () => {
    const flood = spanned(12, (at) => [
      ...gold(at),
      ...Array.from({ length: 120 }, (_, more) => `A ${100_000 + 10 * more}`),
    ]);
    expect((await look(zeroMatches, STRICT, flood)).said).toEqual([]);
  });
});
