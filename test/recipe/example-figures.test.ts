import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { type CaseReader, readCases } from '../../src/data/read-cases.ts';
import { fileSource, type Source } from '../../src/data/source.ts';
import { type Scored, scoreWith } from './score-with.ts';

/* Figures of the bundled examples that were counted by another program, and by hand from the tables in their README. */

function example(file: string): Source {
  return fileSource(join(import.meta.dirname, '../../examples', file));
}

function share(scored: Scored, name: string): string {
  const { value, n } = scored.measure(name);
  return `${Math.round((value ?? NaN) * n)}/${n}`;
}

describe('the journal example', () => {
  const cases = (): CaseReader =>
    readCases({
      cases: example('journal/journals.jsonl'),
      gold: example('journal/gold.jsonl'),
      predictions: example('journal/predictions.jsonl'),
    });

  test('as it is', async () => {
    const scored = await scoreWith('journal/ashwam', cases());
    expect(scored.tally).toBe('21/7/11');
    expect(share(scored, 'polarity_accuracy')).toBe('19/21');
    expect(share(scored, 'intensity_or_arousal_accuracy')).toBe('20/21');
    expect(share(scored, 'time_accuracy')).toBe('18/21');
    expect(share(scored, 'bucket_accuracy')).toBe('17/21');
    expect(share(scored, 'evidence_coverage')).toBe('26/28');
    expect(scored.cases).toEqual({ total: 8, failed: 0, unanswered: 1 });
  });

  test('with words split at letters and digits', async () => {
    expect((await scoreWith('journal/ashwam', cases(), ['pair.words=unicode'])).tally).toBe('22/6/10');
  });

  test('with ungrounded predictions dropped', async () => {
    const scored = await scoreWith('journal/ashwam', cases(), ['prepare.ground.ungrounded=drop']);
    expect(scored.tally).toBe('20/6/12');
    expect(scored.count('excused', 'ground')).toBe(2);
    expect(share(scored, 'evidence_coverage')).toBe('26/28');
  });

  test('with ungrounded predictions made uncertain', async () => {
    const scored = await scoreWith('journal/ashwam', cases(), ['prepare.ground.ungrounded=uncertain']);
    expect(scored.tally).toBe('21/7/11');
    expect(share(scored, 'polarity_accuracy')).toBe('18/21');
  });
});

describe('the pii example', () => {
  const score = (set: readonly string[] = []): Promise<Scored> =>
    scoreWith('pii/piranha', readCases({ cases: example('pii/docs.json') }), set);

  test('as it is', async () => {
    const scored = await score();
    expect(scored.tally).toBe('38/14/8');
    expect(scored.count('hit', 'pair')).toBe(32);
    expect(scored.count('hit', 'loc-in-org')).toBe(6);
    expect(scored.count('excused', 'excuse-missed')).toBe(31);
    expect(scored.count('excused', 'excuse-overlap')).toBe(4);
  });

  test.each([
    ['pair.tolerance=0', '37/15/9'],
    ['judge.loc-in-org=off', '32/21/8'],
    ['judge.excuse-overlap=off', '38/18/8'],
    ['prepare.merge=off', '38/18/8'],
    ['prepare.annotator=first-lexicographic', '39/13/10'],
  ])('with %s', async (set, expected) => {
    expect((await score([set])).tally).toBe(expected);
  });
});

describe('the graph example, the missing output counted as empty', () => {
  const score = (set: readonly string[] = []): Promise<Scored> =>
    scoreWith(
      'graph/openspec',
      readCases({ gold: example('graph/items.jsonl'), predictions: example('graph/outputs.jsonl') }),
      set,
    );
  const hits = (scored: Scored, kind: string): number =>
    scored.verdicts().filter((one) => one.kind === kind && one.verdict === 'hit').length;

  test('as it is', async () => {
    const scored = await score();
    expect(share(scored, 'entity_precision')).toBe('16/19');
    expect(share(scored, 'entity_recall')).toBe('16/23');
    expect(share(scored, 'type_accuracy')).toBe('14/16');
    expect(share(scored, 'relationship_precision')).toBe('13/19');
    expect(share(scored, 'relationship_recall')).toBe('13/19');
    const matches = scored.verdicts().flatMap(({ match }) => (match === null ? [] : [match]));
    expect(
      Object.fromEntries(
        Map.groupBy(matches, (match) => match)
          .entries()
          .map(([match, all]) => [match, all.length]),
      ),
    ).toEqual({
      exact: 6,
      fuzzy: 3,
      inverse: 3,
      'inverse-fuzzy': 1,
    });
  });

  test('with a lower threshold', async () => {
    const scored = await score(['pair.threshold=0.75']);
    expect(hits(scored, 'entity')).toBe(17);
    expect(hits(scored, 'relationship')).toBe(15);
  });
});
