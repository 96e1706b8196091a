import { describe, expect, test } from 'vitest';

import type { Item } from '../../src/data/item.ts';
import { caseOf, quoted, span } from '../pair/items.ts';
import { type Scored, scoreWith } from './score-with.ts';

/* Where the published code differs from its document, worked out by hand; test/reference/pii.test.ts has its answers. */

const TEXT = '0123456789'.repeat(6);

function score(gold: readonly Item[], predicted: readonly Item[], text = TEXT): Promise<Scored> {
  return scoreWith('pii/piranha-as-coded', caseOf({ text, gold, predicted }));
}

function story(scored: Scored): string[] {
  return scored.verdicts().map(({ verdict, rule, label }) => `${verdict} ${rule} ${label}`);
}

describe('pii/piranha-as-coded', () => {
  test('annotators are sorted by letters: annotator10 before annotator2', async () => {
    const by = (annotator: string, start: number): Item => ({ ...span(start, start + 5, 'LOC'), annotator });
    const scored = await score([by('annotator2', 0), by('annotator10', 20)], [span(20, 25, 'LOC')]);
    expect(scored.tally).toBe('1/0/0');
  });

  test('gold of five labels is removed first, and equal gold is taken once', async () => {
    const gold = [
      ...['CODE', 'CASE', 'COURT', 'QUANTITY', 'MISC'].map((label) => span(0, 5, label)),
      span(9, 12, 'LOC'),
      span(9, 12, 'LOC'),
    ];
    const scored = await score(gold, []);
    expect(scored.tally).toBe('0/0/1');
    expect(scored.count('excused', 'drop')).toBe(5);
    expect(scored.count('excused', 'dedupe')).toBe(1);
  });

  test('one long prediction hits every free gold span it holds', async () => {
    const gold = [span(0, 5, 'LOC'), span(10, 15, 'LOC'), span(20, 25, 'LOC')];
    // It is as long as all three: 5 of 25 is an IoU of 0.2, under 0.3; 10..25 covers two with 5 / 15 each.
    expect((await score(gold, [span(0, 25, 'LOC')])).tally).toBe('0/1/3');
    expect((await score(gold, [span(10, 25, 'LOC')])).tally).toBe('2/0/1');
  });

  test('the same label matches when the prediction lies inside, or half inside, whatever the overlap', async () => {
    // 2 of 20 characters: an IoU of 0.1.
    expect((await score([span(10, 30, 'PERSON')], [span(12, 14, 'PERSON')])).tally).toBe('1/0/0');
    // 9..31 sticks out by one at either end.
    expect(story(await score([span(10, 30, 'ORG')], [span(29, 31, 'ORG')]))).toEqual(['hit contained ORG']);
    expect(story(await score([span(10, 30, 'ORG')], [span(26, 34, 'ORG')]))).toEqual(['hit mostly-inside ORG']);
    expect((await score([span(10, 30, 'PERSON')], [span(27, 34, 'PERSON')])).tally).toBe('0/1/1');
  });

  test('another label matches on the overlap alone, and the hit has the gold label', async () => {
    expect(story(await score([span(10, 20, 'DATETIME')], [span(10, 16, 'PERSON')]))).toEqual(['hit overlap DATETIME']);
    expect((await score([span(10, 20, 'PERSON')], [span(10, 13, 'LOC')])).tally).toBe('0/1/1');
  });

  test('a place in an institution is a hit beside it: the institution is not used up', async () => {
    const text = 'the Warsaw Regional Court and Warsaw';
    const court = quoted(text, 'Warsaw Regional Court', 'ORG');
    const scored = await score([court], [quoted(text, 'Warsaw', 'CITY')], text);
    expect(story(scored)).toEqual(['excused excuse-missed ORG', 'hit loc-in-org LOC→ORG']);
    expect(scored.value('precision')).toBe(1);
  });

  test('persons are merged in the order of the input, their texts strung together', async () => {
    const text = 'Ann Lee and Bo';
    const names = ['Ann', 'Lee', 'Bo'].map((name) => quoted(text, name, 'GIVENNAME'));
    const merged = await score([quoted(text, 'Ann Lee', 'PERSON')], names, text);
    expect(merged.verdicts()[0]?.predicted).toMatchObject({ text: 'AnnLee', parts: [0, 1] });
    expect(merged.tally).toBe('1/1/0');
  });

  test('persons with another label between them in the input stay apart', async () => {
    const text = 'Ann Lee and Bo';
    const [ann, lee] = ['Ann', 'Lee'].map((name) => quoted(text, name, 'GIVENNAME'));
    const apart = await score([quoted(text, 'Ann Lee', 'PERSON')], [ann!, quoted(text, 'Bo', 'CITY'), lee!], text);
    // Both lie inside the gold span: the first takes it, so the second is excused, not part of it.
    expect(apart.verdicts().map(({ verdict, predicted }) => `${verdict} ${predicted?.text ?? ''}`)).toEqual([
      'hit Ann',
      'excused Lee',
      'spurious Bo',
    ]);
  });

  test('a merged place is compared with the institution as the document has it, not as its parts strung together', async () => {
    const inside = 'the Stara wies Regional Appellate Court';
    const stara = ['Stara', 'wies'].map((part) => quoted(inside, part, 'LOC'));
    // Merged to "Starawies", which the court's name does not hold; the slice "Stara wies" it does.
    const court = quoted(inside, 'Stara wies Regional Appellate Court', 'ORG');
    const found = await score([court], stara, inside);
    expect(story(found)).toEqual(['excused excuse-missed ORG', 'hit loc-in-org LOC→ORG']);
    expect(found.verdicts()[1]?.predicted?.text).toBe('Starawies');
    // The other way round: "Oslonord" is in the gold text, "Oslo nord" is not.
    const beside = 'Oslo nord of the Oslonord Regional Appellate Court';
    const oslo = ['Oslo', 'nord'].map((part) => quoted(beside, part, 'LOC'));
    const other = quoted(beside, 'nord of the Oslonord Regional Appellate Court', 'ORG');
    expect(story(await score([other], oslo, beside))).toEqual(['excused excuse-missed ORG', 'spurious no-match LOC']);
  });
});
