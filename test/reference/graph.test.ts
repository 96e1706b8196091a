import { describe, expect, test } from 'vitest';

import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import { pair } from '../../src/pair/pair.ts';
import { entity } from '../pair/items.ts';
import { scoreWith } from '../recipe/score-with.ts';
import { runsHere } from '../many-runs.ts';
import { noReference, referenceJson } from './reference-data.ts';

interface Vector {
  readonly extracted_entities: readonly object[];
  readonly extracted_relationships: readonly object[];
  readonly expected_output: { readonly entities: readonly object[]; readonly relationships: readonly object[] };
  readonly result: { readonly scores: readonly { readonly name: string; readonly value: number }[] };
  /** By expected entity: the temp_id of the one it was matched with. */
  readonly entity_matches: readonly (string | null)[];
  readonly relationship_match_types: readonly string[];
}

interface Vectors {
  readonly similarities: readonly (readonly [string, string, number])[];
  readonly cases: readonly Vector[];
}

function casesOf(vector: Vector): ReturnType<typeof readCases> {
  const { extracted_entities: entities, extracted_relationships: relationships, expected_output } = vector;
  const line = (record: object): string => `${JSON.stringify({ id: 'x', ...record })}\n`;
  return readCases({
    gold: memorySource('items', line({ input: {}, expected_output })),
    predictions: memorySource('outputs', line({ output: { entities, relationships } })),
  });
}

describe.skipIf(noReference)('graph reference', () => {
  test('all pairs of names have the similarity of the original evaluator', () => {
    const { similarities } = referenceJson('graph/vectors.json') as Vectors;
    expect(similarities.length).toBeGreaterThan(100);
    for (const [a, b, expected] of similarities) {
      const settings = { similarity: 'levenshtein', normalise: ['lower', 'trim', 'collapse'], threshold: 0 } as const;
      const { pairs } = pair([entity(a)], [entity(b)], settings);
      expect(pairs[0]?.similarity ?? 0, `${a} and ${b}`).toBe(expected);
    }
  });

  test('random extractions get its scores, matches and match types', async () => {
    const { cases } = referenceJson('graph/vectors.json') as Vectors;
    expect(cases).toHaveLength(200);
    for (const vector of cases.slice(0, runsHere(cases.length))) {
      const scored = await scoreWith('graph/as-coded', casesOf(vector));
      for (const { name, value } of vector.result.scores) expect(scored.value(name), name).toBe(value);
      const { entities, relationships } = vector.expected_output;
      const entityMatches: unknown[] = entities.map(() => null);
      const matchTypes: (string | null)[] = relationships.map(() => 'none');
      for (const { verdict, kind, match, gold, predicted } of scored.verdicts()) {
        if (verdict !== 'hit' || gold === null) continue;
        if (kind === 'entity') entityMatches[gold.index] = predicted?.fields['temp_id'];
        else matchTypes[gold.index] = match;
      }
      expect(entityMatches).toEqual(vector.entity_matches);
      expect(matchTypes).toEqual(vector.relationship_match_types);
    }
  });
});
