import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { score } from '../../src/report/score.ts';
import { memorySource } from '../../src/data/source.ts';
import { noReference, referencePath } from './reference-data.ts';

type Mention = [start: number, end: number, label: string];
type Relation = [start: number, end: number, otherStart: number, otherEnd: number, label: string];

/** Lists for each sentence, with places in tokens of the document. */
interface Article {
  readonly ner: Mention[][];
  readonly relations: Relation[][];
}

/** What a model might make of it: of the relations some missing, turned or of another type, of the mentions some as well. */
function weakened(article: Article): Article {
  let [mentions, relations] = [0, 0];
  return {
    ...article,
    ner: article.ner.map((sentence) =>
      sentence.flatMap(([start, end, label]): Mention[] => {
        mentions += 1;
        if (mentions % 4 === 0) return [[start, end, `${label}-other`]];
        return [[start, end, label]];
      }),
    ),
    relations: article.relations.map((sentence) =>
      sentence.flatMap(([start, end, otherStart, otherEnd, label]): Relation[] => {
        relations += 1;
        if (relations % 5 === 0) return [];
        if (relations % 5 === 1) return [[otherStart, otherEnd, start, end, label]];
        if (relations % 7 === 0) return [[start, end, otherStart, otherEnd, 'OTHER']];
        return [[start, end, otherStart, otherEnd, label]];
      }),
    ),
  };
}

/** Relations as DyGIE++ compares them (dygie/training/relation_metrics.py), with the types of mentions for Rel+. */
function tuples({ ner, relations }: Article, typed: boolean): Set<string> {
  const types = new Map(ner.flat().map(([start, end, label]) => [`${start} ${end}`, label]));
  const end = (from: number, to: number): unknown[] => [from, to, ...(typed ? [types.get(`${from} ${to}`)] : [])];
  return new Set(relations.flat().map(([a, b, c, d, label]) => JSON.stringify([...end(a, b), ...end(c, d), label])));
}

describe.skipIf(noReference)('relations of a SciERC article', () => {
  const text = noReference ? '{}' : readFileSync(referencePath('formats/dygie/scierc_article.json'), 'utf8');
  const gold = JSON.parse(text) as Article;

  test('Rel and Rel+ are those of the sets, and so are the entities', async () => {
    const predicted = weakened(gold);
    const input = {
      gold: memorySource('gold.json', text),
      predictions: memorySource('predictions.json', JSON.stringify(predicted)),
    };
    const run = await score('relations/strict', input, { set: ['interval=off'] });
    const expected = (own: ReadonlySet<string>, other: ReadonlySet<string>): unknown[] => {
      const hits = own.intersection(other).size;
      return [hits / other.size, hits / own.size, expect.closeTo((2 * hits) / (own.size + other.size), 12)];
    };
    const figures = (kind: string, slice?: Readonly<Record<string, string>>): unknown[] =>
      ['precision', 'recall', 'f1'].map((name) => run.value(`${kind}_${name}`, slice));
    expect(figures('relationship')).toEqual(expected(tuples(gold, true), tuples(predicted, true)));
    expect(figures('relationship', { scheme: 'boundaries' })).toEqual(
      expected(tuples(gold, false), tuples(predicted, false)),
    );
    const mentions = ({ ner }: Article): Set<string> => new Set(ner.flat().map((one) => JSON.stringify(one)));
    expect(figures('entity')).toEqual(expected(mentions(gold), mentions(predicted)));
    // Of 15 relations 3 are missing, 3 turned and 2 of another type.
    expect([tuples(gold, false).size, tuples(gold, false).intersection(tuples(predicted, false)).size]).toEqual([
      15, 7,
    ]);
  });
});
