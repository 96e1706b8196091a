import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import { type Item, makeItem } from '../../src/data/item.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { caseOf, relationship } from '../pair/items.ts';
import { type Scored, scoreWith } from './score-with.ts';

/** An entity at a place, with an id: `e1 PER 0-3`. */
function entity(text: string | null, written: string): Item {
  const [id = '', label = '', place = ''] = written.split(' ');
  const [start = -1, end = -1] = place === '' ? [] : place.split('-').map(Number);
  return makeItem({ kind: 'entity', index: 0, label, text: text?.slice(start, end) ?? '', start, end, fields: { id } });
}

/** `e1 works_for e3`. */
function relation(written: string): Item {
  const [source = '', type = '', target = ''] = written.split(' ');
  return relationship(source, type, target);
}

interface Side {
  readonly entities: readonly string[];
  readonly relations: readonly string[];
}

function document(text: string, gold: Side, predicted: Side, id = 'd1'): Case {
  const items = ({ entities, relations }: Side): Item[] => [
    ...entities.map((written) => entity(text, written)),
    ...relations.map(relation),
  ];
  return caseOf({ id, text, gold: items(gold), predicted: items(predicted) });
}

/** Precision, recall and F1 of a kind: of the recipe's own pairing or of a scheme. */
function figures(scored: Scored, kind: string, scheme?: string): (number | null)[] {
  const slice: Readonly<Record<string, string>> = scheme === undefined ? {} : { scheme };
  return ['precision', 'recall', 'f1'].map((name) => scored.value(`${kind}_${name}`, slice));
}

const close = (value: number): unknown => expect.closeTo(value, 12);

const TEXT = 'Ann met Ann at Acme in Rome.';
const GOLD: Side = {
  entities: ['e1 PER 0-3', 'e2 PER 8-11', 'e3 ORG 15-19', 'e4 LOC 23-27'],
  relations: ['e1 works_for e3', 'e1 meets e2', 'e3 located_in e4'],
};

describe('relations as papers on relation extraction count them', () => {
  // Entities: two of PER right, Acme of another type, Rome with other boundaries.
  // Rel+: works_for has an argument of another type, so only meets is right.
  const predicted: Side = {
    entities: ['a PER 0-3', 'b PER 8-11', 'c LOC 15-19', 'd LOC 20-27'],
    relations: ['a works_for c', 'a meets b', 'c located_in d', 'b works_for c'],
  };

  test('Rel+ needs boundaries and entity types of both arguments, Rel boundaries alone', async () => {
    const scored = await scoreWith('relations/strict', document(TEXT, GOLD, predicted));
    expect(figures(scored, 'relationship')).toEqual([1 / 4, 1 / 3, close(2 / 7)]);
    expect(figures(scored, 'relationship', 'boundaries')).toEqual([2 / 4, 2 / 3, close(4 / 7)]);
    expect(figures(scored, 'entity')).toEqual([0.5, 0.5, 0.5]);
    const alone = await scoreWith('relations/boundaries', document(TEXT, GOLD, predicted));
    expect(figures(alone, 'relationship')).toEqual([2 / 4, 2 / 3, close(4 / 7)]);
    expect(figures(alone, 'entity')).toEqual([0.5, 0.5, 0.5]);
  });

  test('what keeps a relation from being right is named, in the unit of the files', async () => {
    const scored = await scoreWith('relations/strict', document(TEXT, GOLD, predicted));
    const why = scored
      .verdicts()
      .flatMap(({ kind, verdict, gold, rejected }) =>
        kind === 'relationship' && verdict === 'missed' ? [`${gold?.text ?? ''}: ${rejected?.why ?? ''}`] : [],
      );
    expect(why.sort()).toEqual([
      'Acme [15–19] --located_in--> Rome [23–27]: type of the source differs: ORG in gold, LOC predicted; boundaries of the target differ: 23–27 in gold, 20–27 predicted',
      'Ann [0–3] --works_for--> Acme [15–19]: type of the target differs: ORG in gold, LOC predicted',
    ]);
  });

  test('figures are over all relations of all documents, not means of documents', async () => {
    const right: Side = { entities: ['a PER 0-3', 'b PER 8-11'], relations: ['a meets b'] };
    const none: Side = { entities: [], relations: [] };
    const scored = await scoreWith('relations/boundaries', [
      document(TEXT, GOLD, predicted, 'd1'),
      document(TEXT, right, right, 'd2'),
      document(TEXT, right, none, 'd3'),
    ]);
    // 2 + 1 + 0 hits of 4 + 1 + 0 predicted and 3 + 1 + 1 gold relations.
    expect(figures(scored, 'relationship')).toEqual([3 / 5, 3 / 5, close(6 / 10)]);
  });

  test('two mentions of one name stay apart', async () => {
    const other: Side = { entities: GOLD.entities, relations: ['e2 works_for e3'] };
    const scored = await scoreWith('relations/boundaries', document(TEXT, GOLD, other));
    expect(scored.value('relationship_f1')).toBe(0);
    // As names they are the same.
    expect((await scoreWith('triples/exact', document(TEXT, GOLD, other))).value('recall')).toBe(1 / 3);
  });

  test('one argument in several relations, and one mention that is listed twice, count as they should', async () => {
    const twice: Side = {
      entities: [...GOLD.entities, 'again PER 0-3'],
      // The second relation joins the same mentions as the first.
      relations: ['e1 works_for e3', 'again works_for e3', 'e1 located_in e4'],
    };
    const scored = await scoreWith('relations/strict', document(TEXT, GOLD, twice));
    expect(figures(scored, 'relationship')).toEqual([1 / 2, 1 / 3, close(2 / 5)]);
    expect(figures(scored, 'entity')).toEqual([1, 1, 1]);
    expect(scored.count('excused', 'dedupe')).toBe(2);
  });

  // SpERT, spert/evaluator.py: the types leave the tuples of both sides, and then sets are compared.
  describe('relations that differ in the types of their arguments alone are one relation under Rel', () => {
    const once: Side = { entities: ['e1 PER 0-3', 'e3 ORG 15-19'], relations: ['e1 works_for e3'] };
    const twice: Side = {
      entities: ['e1 PER 0-3', 'e2 ORG 0-3', 'e3 ORG 15-19'],
      relations: ['e1 works_for e3', 'e2 works_for e3'],
    };
    const wrong: Side = { entities: twice.entities, relations: ['e1 owns e3', 'e2 owns e3'] };
    test.each<[string, Side, Side, typed: (number | null)[], untyped: (number | null)[]]>([
      ['predicted', once, twice, [1 / 2, 1], [1, 1]],
      ['in gold', twice, once, [1, 1 / 2], [1, 1]],
      ['on both sides', twice, twice, [1, 1], [1, 1]],
      ['and wrong', once, wrong, [0, 0], [0, 0]],
    ])('%s', async (_, gold, answer, typed, untyped) => {
      const given = document(TEXT, gold, answer);
      const strict = await scoreWith('relations/strict', given);
      expect(figures(strict, 'relationship').slice(0, 2)).toEqual(typed);
      expect(figures(strict, 'relationship', 'boundaries').slice(0, 2)).toEqual(untyped);
      const alone = await scoreWith('relations/boundaries', given);
      expect(figures(alone, 'relationship').slice(0, 2)).toEqual(untyped);
      expect(alone.value('relationship_recall')).toBe(strict.value('relationship_recall', { scheme: 'boundaries' }));
    });

    test('the further ones are excused and name the first', async () => {
      const alone = await scoreWith('relations/boundaries', document(TEXT, once, wrong));
      expect(alone.count('spurious')).toBe(2);
      const excused = alone.verdicts().filter(({ verdict }) => verdict === 'excused');
      expect(excused.map(({ kind, rule, because, setAside }) => [kind, rule, because, setAside])).toEqual([
        ['relationship', 'dedupe', 'equal to item 0 in all that is compared', true],
      ]);
      // One entity is spurious: ORG at 0 to 3; the other spurious item is the relation.
      const counted = await scoreWith('relations/boundaries', document(TEXT, once, wrong), [
        'pair.relationship.duplicates=count',
      ]);
      expect(counted.count('spurious')).toBe(3);
    });

    test('which of them stays does not depend on the order of the file', async () => {
      const relations = ['e1 owns e3', 'e1 has e3'];
      const equivalent = ['pair.relationship.equivalent=[[has, owns]]'];
      const labels = async (list: readonly string[]): Promise<unknown[]> => {
        const scored = await scoreWith(
          'relations/boundaries',
          document(TEXT, once, { ...once, relations: list }),
          equivalent,
        );
        const own = scored.verdicts().filter(({ kind }) => kind === 'relationship');
        return own.map(({ verdict, label }) => `${verdict} ${label}`).sort();
      };
      expect(await labels(relations)).toEqual(['excused owns', 'missed works_for', 'spurious has']);
      expect(await labels(relations.toReversed())).toEqual(await labels(relations));
    });

    test('other items have no duplicates of this kind', async () => {
      await expect(planRecipe({ extends: 'spans/strict', pair: { duplicates: 'excuse' } })).rejects.toThrow(
        'pair.duplicates: only relationships are compared without their duplicates',
      );
    });

    test('without a direction, both directions are one', async () => {
      const both: Side = { entities: GOLD.entities, relations: ['e1 meets e2', 'e2 meets e1', 'e2 knows e1'] };
      const given = document(TEXT, { ...GOLD, relations: ['e2 meets e1'] }, both);
      expect(figures(await scoreWith('relations/boundaries', given), 'relationship').slice(0, 2)).toEqual([1 / 3, 1]);
      const set = ['pair.relationship.symmetric=[meets]'];
      expect(figures(await scoreWith('relations/boundaries', given, set), 'relationship').slice(0, 2)).toEqual([
        1 / 2,
        1,
      ]);
    });
  });

  test('a relation has a direction unless the recipe lists its type as symmetric', async () => {
    const turned: Side = { entities: GOLD.entities, relations: ['e2 meets e1', 'e3 works_for e1'] };
    const given = document(TEXT, GOLD, turned);
    expect((await scoreWith('relations/strict', given)).value('relationship_recall')).toBe(0);
    const symmetric = await scoreWith('relations/strict', given, ['pair.relationship.symmetric=[meets]']);
    expect(symmetric.value('relationship_recall')).toBe(1 / 3);
    expect(symmetric.value('relationship_recall', { scheme: 'boundaries' })).toBe(1 / 3);
  });

  test('types are compared as written', async () => {
    const given = document(TEXT, GOLD, { entities: GOLD.entities, relations: ['e1 Works_For e3', 'e1 meets e2'] });
    expect((await scoreWith('relations/boundaries', given)).value('relationship_precision')).toBe(1 / 2);
    const lower = await scoreWith('relations/boundaries', given, ['pair.relationship.normaliseTypes=[lower]']);
    expect(lower.value('relationship_precision')).toBe(1);
  });

  test('a lower threshold forgives boundaries by their overlap', async () => {
    const given = document(TEXT, GOLD, predicted);
    // in Rome and Rome have 4 of 7 characters in common.
    const at = async (threshold: number): Promise<number | null> =>
      (await scoreWith('relations/boundaries', given, [`pair.relationship.threshold=${threshold}`])).value(
        'relationship_recall',
      );
    expect(await at(0.57)).toBe(1);
    expect(await at(0.58)).toBe(2 / 3);
  });
});

describe('references', () => {
  test('a name that two mentions have is no reference, and a name that none has is unresolved', async () => {
    const named: Side = { entities: GOLD.entities, relations: ['Ann works_for Acme', 'e1 works_for Bolt'] };
    const scored = await scoreWith('relations/strict', document(TEXT, GOLD, named));
    const spurious = scored.verdicts().filter(({ verdict }) => verdict === 'spurious');
    expect(spurious.map(({ rule, because, rejected }) => [rule, because ?? rejected?.why])).toEqual([
      ['no-match', expect.stringContaining('the source predicted is not one entity with a place')],
      ['unresolved', 'no extracted entity is called "Bolt"'],
    ]);
    // A name that one entity has will do.
    const unique = document(TEXT, GOLD, { entities: GOLD.entities, relations: ['Acme located_in Rome'] });
    expect((await scoreWith('relations/strict', unique)).value('relationship_precision')).toBe(1);
  });

  test.each([
    [['Ann meets e2'], '2 gold entities answer to "Ann"', 'give entities an id, and refer to them by it'],
    [['e1 meets e9'], 'no gold entity answers to "e9"', 'list the entity, with its start and end'],
  ] as const)('gold that nothing could match is refused: %s', async (relations, message, next) => {
    const scoring = scoreWith('relations/strict', document(TEXT, { ...GOLD, relations }, GOLD));
    await expect(scoring).rejects.toMatchObject({ message: expect.stringContaining(message), next });
  });

  test('a recipe that compares places reads and resolves them', async () => {
    const strict = { extends: 'relations/strict' };
    await expect(planRecipe({ ...strict, data: { places: 'ignored' } })).rejects.toThrow(
      'prepare.resolve-refs.by: places are not read',
    );
    await expect(planRecipe({ ...strict, prepare: { 'resolve-refs': { by: 'name' } } })).rejects.toThrow(
      'pair.relationship.ends: ends have no places',
    );
    const scheme = { extends: 'graph/openspec', schemes: { x: { relationship: { ends: 'place' } } } };
    await expect(planRecipe(scheme)).rejects.toThrow('schemes.x.relationship.ends: ends have no places');
  });
});

describe('against sets of tuples, as DyGIE++ and others count them', () => {
  const TYPES = ['A', 'B'];
  // Few places, so that mentions of two types at one place occur.
  const mention = fc.record({ at: fc.nat(3), length: fc.integer({ min: 1, max: 2 }), type: fc.constantFrom(...TYPES) });
  const side = fc.array(mention, { minLength: 1, maxLength: 6 }).chain((mentions) =>
    fc.record({
      mentions: fc.constant(mentions),
      relations: fc.array(
        fc.tuple(fc.nat(mentions.length - 1), fc.constantFrom('r', 's'), fc.nat(mentions.length - 1)),
        {
          maxLength: 8,
        },
      ),
    }),
  );
  type Made = typeof side extends fc.Arbitrary<infer T> ? T : never;

  const written = ({ mentions, relations }: Made): Side => ({
    entities: mentions.map(({ at, length, type }, n) => `m${n} ${type} ${at}-${at + length}`),
    relations: relations.map(([source, type, target]) => `m${source} ${type} m${target}`),
  });
  const tuples = ({ mentions, relations }: Made, typed: boolean): Set<string> => {
    const end = (n: number): unknown => {
      const { at, length, type } = mentions[n]!;
      return typed ? [at, length, type] : [at, length];
    };
    return new Set(relations.map(([source, type, target]) => JSON.stringify([end(source), type, end(target)])));
  };
  const entities = ({ mentions }: Made): Set<string> => new Set(mentions.map((one) => JSON.stringify(one)));
  const counts = (gold: ReadonlySet<string>, predicted: ReadonlySet<string>): (number | null)[] => {
    const hits = gold.intersection(predicted).size;
    const share = (whole: number): number | null => (whole === 0 ? null : hits / whole);
    return [share(predicted.size), share(gold.size)];
  };

  test('precision and recall are those of the sets', async () => {
    await fc.assert(
      fc.asyncProperty(side, side, async (gold, predicted) => {
        const scored = await scoreWith('relations/strict', document('x'.repeat(10), written(gold), written(predicted)));
        const own = (kind: string, scheme?: string): (number | null)[] => figures(scored, kind, scheme).slice(0, 2);
        expect(own('relationship')).toEqual(counts(tuples(gold, true), tuples(predicted, true)));
        const untyped = counts(tuples(gold, false), tuples(predicted, false));
        expect(own('relationship', 'boundaries')).toEqual(untyped);
        const alone = await scoreWith(
          'relations/boundaries',
          document('x'.repeat(10), written(gold), written(predicted)),
        );
        expect(figures(alone, 'relationship').slice(0, 2)).toEqual(untyped);
        expect(own('entity')).toEqual(counts(entities(gold), entities(predicted)));
      }),
      { numRuns: 100, seed: 21 },
    );
  });
});
