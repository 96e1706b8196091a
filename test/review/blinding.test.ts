import { describe, expect, it } from 'vitest';

import { reviewSection } from '../../src/recipe/review-section.ts';
import { checkShown, namingNotices, opaqueIds } from '../../src/review/blinding.ts';
import type { ReviewSource } from '../../src/review/review-sources.ts';

const SECRET = Buffer.from('a secret of more than thirty-two characters');

describe('ids of items and people', () => {
  it('begin with a letter, say nothing, and are the same again', () => {
    const ids = opaqueIds(SECRET, 'pilot');
    const item = ids.item('answer', 'patient-12', 'rag', 'en');
    expect(item).toMatch(/^i[\w-]{15}$/);
    expect(ids.person('Asha')).toMatch(/^p[\w-]{15}$/);
    expect(opaqueIds(SECRET, 'pilot').item('answer', 'patient-12', 'rag', 'en')).toBe(item);
  });

  it('differ with review, kind, case, system, language and secret, also where texts run together', () => {
    const ids = opaqueIds(SECRET, 'pilot');
    const all = [
      ids.item('answer', 'a', 'b', null),
      ids.item('case', 'a', 'b', null),
      ids.item('answer', 'ab', '', null),
      ids.item('answer', 'a', null, 'b'),
      ids.item('answer', 'a', 'b', 'hi'),
      opaqueIds(SECRET, 'other').item('answer', 'a', 'b', null),
      opaqueIds(Buffer.from('x'.repeat(40)), 'pilot').item('answer', 'a', 'b', null),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

const FORM = reviewSection.parse({
  show: [{ field: 'response', title: 'Answer' }],
  fields: { good: { type: 'scale', title: 'Good?' } },
});

function answer(system: string, response: string): ReviewSource {
  return { caseId: '1', system, language: null, texts: { response }, predicted: [], passages: [], hidden: { gold: 1 } };
}

describe('a form', () => {
  it('may show what sources have, and not what is hidden', () => {
    const show = (field: string) => () =>
      checkShown({ ...FORM, show: [{ field, title: 'T', of: 'both' }] }, [answer('s', 'r')]);
    expect(show('response')).not.toThrow();
    expect(show('gold')).toThrow(/kept from reviewers/);
    expect(show('system')).toThrow(/kept from reviewers/);
    expect(show('__proto__')).toThrow(/which nothing here has/);
  });
});

describe('answers that name their system', () => {
  it('are counted by system, whatever stands between the letters', () => {
    const sources = [
      answer('Ayur-Mind', 'As ayurmind, I say'),
      answer('Ayur-Mind', 'AYUR MIND here'),
      answer('Ayur-Mind', 'Hello'),
    ];
    expect(namingNotices(FORM, sources)).toEqual([
      '2 answers of "Ayur-Mind" have that name in the text: reviewers can read it there',
    ]);
  });

  it('are no matter where the name is too short to mean anything', () => {
    expect(namingNotices(FORM, [answer('rag', 'the drag of it')])).toEqual([]);
  });
});
