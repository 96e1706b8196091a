import { describe, expect, it } from 'vitest';

import { type AliasCandidate, selectConcepts } from '../../../../src/stream/concepts/linker/candidates.ts';

const candidate = (id: string, score: number, hasDefinition = true): AliasCandidate => ({
  id,
  name: id,
  alias: id,
  types: [],
  score,
  hasDefinition,
});

const defaults = { threshold: 0.7, maxK: 10, noDefinitionThreshold: 0.95, stopConcepts: new Set<string>() };

const fates = (candidates: readonly AliasCandidate[], selection = defaults): string[] =>
  selectConcepts(candidates, selection).map(({ id, dropped }) => `${id} ${dropped ?? 'taken'}`);

describe('selectConcepts', () => {
  it('filters, sorts, takes the best and only then applies the stoplist', () => {
    // With the stoplist before the cut, C3 would come in for C1; with the cut before sorting, C4 and C3 would be taken.
    const candidates = [candidate('C4', 0.65), candidate('C3', 0.8), candidate('C1', 0.99), candidate('C2', 0.9)];
    expect(fates(candidates, { ...defaults, maxK: 2, stopConcepts: new Set(['C1']) })).toEqual([
      'C1 stoplist',
      'C2 taken',
      'C3 not among the best',
      'C4 below threshold',
    ]);
  });

  it('takes a score that is exactly the threshold', () => {
    expect(fates([candidate('C1', 0.7), candidate('C2', 0.6999)])).toEqual(['C1 taken', 'C2 below threshold']);
  });

  it('puts equal scores in the order of their ids', () => {
    expect(
      fates([candidate('C2', 0.9), candidate('C10', 0.9), candidate('C1', 0.9)], { ...defaults, maxK: 2 }),
    ).toEqual(['C1 taken', 'C10 taken', 'C2 not among the best']);
  });

  it('asks 0.95 of a concept without a definition, before it can take a place among the best', () => {
    const candidates = [candidate('C1', 0.96, false), candidate('C2', 0.94, false), candidate('C3', 0.8)];
    expect(fates(candidates, { ...defaults, maxK: 2 })).toEqual(['C1 taken', 'C2 no definition', 'C3 taken']);
    expect(fates([candidate('C2', 0.6, false)])).toEqual(['C2 below threshold']);
  });
});
