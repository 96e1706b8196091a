import { describe, expect, test } from 'vitest';

import { span } from '../pair/items.ts';
import { hit, judge, missed, spurious, story } from './verdicts.ts';

const LOC = span(0, 10, 'LOC', { text: 'Oslo Court' });
const ORG = span(20, 30, 'ORG', { text: 'Rome Court' });

describe('excuse-missed', () => {
  test('missed gold of some labels is excused; hits and predictions of them stay', () => {
    const verdicts = [missed(LOC), missed(ORG), hit(LOC, LOC), spurious(LOC)];
    const out = judge('excuse-missed', { labels: ['LOC'], because: 'not asked for' }, verdicts);
    expect(story(out)).toEqual([
      'excused excuse-missed LOC',
      'missed no-match ORG',
      'hit pair LOC',
      'spurious no-match LOC',
    ]);
    expect(out[0]).toMatchObject({ because: 'not asked for', gold: LOC });
  });

  test('verdicts that nothing changes are handed back as they are', () => {
    const verdicts = [missed(ORG)];
    expect(judge('excuse-missed', { labels: ['LOC'] }, verdicts)).toBe(verdicts);
  });
});

describe('excuse-spurious', () => {
  test('predictions of some labels are excused; missed gold of them stays', () => {
    const out = judge('excuse-spurious', { labels: ['LOC'] }, [spurious(LOC), spurious(ORG), missed(LOC)]);
    expect(story(out)).toEqual(['excused excuse-spurious LOC', 'spurious no-match ORG', 'missed no-match LOC']);
    expect(out[0]?.because).toBe('its label is not annotated in the gold');
  });
});

describe('excuse-overlap', () => {
  test('half of a left-over prediction inside a matched gold span is enough, whatever its label', () => {
    const half = span(8, 12, 'PERSON');
    const less = span(8, 13, 'PERSON');
    const out = judge('excuse-overlap', {}, [hit(LOC, LOC), spurious(half), spurious(less)]);
    expect(story(out)).toEqual(['hit pair LOC', 'excused excuse-overlap PERSON', 'spurious no-match PERSON']);
    expect(out[1]?.because).toBe('0.5 of it lies inside the matched gold "Oslo Court"');
    const whole = judge('excuse-overlap', {}, [hit(LOC, LOC), spurious(span(0, 4, 'PERSON'))]);
    expect(whole[1]?.because).toBe('all of it lies inside the matched gold "Oslo Court"');
  });

  test('each gold span is looked at by itself: two thirds over two spans are not enough', () => {
    const beside = span(10, 20, 'LOC', { text: 'x' });
    const over = span(6, 14, 'PERSON');
    expect(
      judge('excuse-overlap', { share: 0.6 }, [hit(LOC, LOC), hit(beside, beside), spurious(over)])[2]?.verdict,
    ).toBe('spurious');
  });

  test('missed gold and predictions without a place excuse nothing', () => {
    const lost = span(-1, -1, 'LOC');
    const verdicts = [missed(LOC), hit(ORG, ORG), spurious(span(2, 4, 'LOC')), spurious(lost)];
    expect(judge('excuse-overlap', {}, verdicts)).toBe(verdicts);
  });

  test('a share of 0 asks for an overlap all the same', () => {
    const out = judge('excuse-overlap', { share: 0 }, [
      hit(LOC, LOC),
      spurious(span(9, 30, 'LOC')),
      spurious(span(10, 12, 'LOC')),
    ]);
    expect(story(out).slice(1)).toEqual(['excused excuse-overlap LOC', 'spurious no-match LOC']);
  });
});
