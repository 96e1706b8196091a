import { expect, test } from 'vitest';

import { makeItem } from '../../src/data/item.ts';
import { makeRunCounts } from '../../src/score/run-counts.ts';
import { hit, judge, missed, spurious, story } from './verdicts.ts';

const classItem = (label: string): ReturnType<typeof makeItem> =>
  makeItem({ kind: 'class', index: 0, label, text: label });
const component = makeItem({ kind: 'component', index: 0, label: 'diet', text: 'diet' });

test('the class that was missed and the one that was given name each other', () => {
  const verdicts = judge('wrong-class', {}, [
    missed(classItem('vata')),
    spurious(classItem('pitta')),
    missed(component),
  ]);
  expect(story(verdicts)).toEqual(['missed wrong-class vata', 'spurious wrong-class pitta', 'missed no-match diet']);
  expect(verdicts[0]!.because).toBe('pitta was given, vata is right');
  expect(verdicts[0]!.rejected?.item.label).toBe('pitta');
});

test('a right class, or none at all, is left as it is', () => {
  const right = [hit(classItem('vata'), classItem('vata'))];
  expect(judge('wrong-class', {}, right)).toBe(right);
  const none = [missed(classItem('vata'))];
  expect(judge('wrong-class', {}, none)).toBe(none);
});

test('the confusion matrix has the wrong class in its place, once', () => {
  const confusion = makeRunCounts();
  confusion.add(judge('wrong-class', {}, [missed(classItem('vata')), spurious(classItem('pitta'))]));
  confusion.add([hit(classItem('vata'), classItem('vata'))]);
  expect(confusion.list().confusion.map(({ gold, predicted, n }) => [gold, predicted, n])).toEqual([
    ['vata', 'pitta', 1],
    ['vata', 'vata', 1],
  ]);
});
