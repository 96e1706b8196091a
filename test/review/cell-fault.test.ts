import { describe, expect, it } from 'vitest';

import { cellFault } from '../../src/review/questions.ts';
import type { CellValue } from '../../src/store/review-records.ts';
import { claim, formOf } from './made-snapshot.ts';

const form = formOf({
  fields: {
    kind: { type: 'choice', title: 'Which?', options: { a: 'A', b: 'B' } },
    quality: { type: 'scale', title: 'How good?', from: 0, to: 5, dimensions: { safety: 'Safety' } },
    overall: { type: 'scale', title: 'All in all?' },
    has: { type: 'checklist', title: 'What?', items: { diet: 'Diet', herbs: 'Herbs' }, notApplicable: ['herbs'] },
    claims: { type: 'items', title: 'Claims', from: 'sentences', labels: { yes: 'Yes', no: 'No' } },
    comment: { type: 'text', title: 'Anything else?' },
  },
});
const fault = (field: string, value: unknown, part: unknown = null): string | null =>
  cellFault(
    form,
    JSON.parse(JSON.stringify({ field, part, value })) as { field: string; part: string; value: CellValue },
  );

describe('an answer that is possible', () => {
  it('is a whole number of the scale, a known option, a tick, a text, labelled things, or null to take it back', () => {
    expect(fault('quality', 0, 'safety')).toBeNull();
    expect(fault('overall', 5)).toBeNull();
    expect(fault('kind', 'b')).toBeNull();
    expect(fault('has', false, 'diet')).toBeNull();
    expect(fault('has', 'na', 'herbs')).toBeNull();
    expect(fault('comment', '')).toBeNull();
    expect(fault('comment', 'ज'.repeat(20_000))).toBeNull();
    expect(fault('claims', [])).toBeNull();
    expect(
      fault('claims', [claim(0, 4, 'yes', { note: 'why' }), claim(-1, -1, null, { from: ['s1', 's2'] })]),
    ).toBeNull();
    expect(fault('claims', null)).toBeNull();
  });
});

describe('an answer that is not possible', () => {
  it('is off the scale, between its points or of another type', () => {
    expect(fault('overall', 0)).toBe('expected a whole number from 1 to 5, found 0');
    expect(fault('quality', 2.5, 'safety')).toContain('found 2.5');
    expect(fault('overall', '3')).toContain('found "3"');
    expect(fault('overall', true)).toContain('found true');
    expect(cellFault(form, { field: 'overall', part: null, value: Number.NaN })).toContain('NaN');
    expect(fault('kind', 'c')).toBe('expected one of a, b, found "c"');
    expect(fault('kind', 'constructor')).toContain('found "constructor"');
    expect(fault('has', 'na', 'diet')).toContain('always applies');
    expect(fault('has', 1, 'herbs')).toBe('expected true, false or "na", found 1');
    expect(fault('comment', 7)).toBe('expected text, found 7');
    expect(fault('comment', 'x'.repeat(20_001))).toContain('20001 characters');
  });

  it('is a text with control characters, or with half a character', () => {
    expect(fault('comment', 'a\n\tb')).toBeNull();
    expect(fault('comment', 'a\u0000')).toBe(
      'the text has a control character, "\\u0000" at 2: only line breaks and tabs are possible',
    );
    for (const character of ['\r', '\u001b', '\u007f', '\u0085'])
      expect(fault('comment', `a${character}`)).toContain('control character');
    expect(cellFault(form, { field: 'comment', part: null, value: 'a\ud83d' })).toContain('half a character');
    expect(fault('comment', 'नमस्ते 🌱\u200d')).toBeNull();
    expect(fault('claims', [claim(0, 4, 'yes', { note: '\u0007' })])).toContain(
      'entry 1: note has a control character',
    );
    // The words of a claim stand so in the text under review.
    expect(fault('claims', [claim(0, 4, 'yes', { text: 'a\r\nb\f' })])).toBeNull();
  });

  it('is to a question or a part that the form does not have, also one that every object knows', () => {
    expect(fault('nonsense', 1)).toBe('the form has no question "nonsense"');
    expect(fault('__proto__', 1)).toBe('the form has no question "__proto__"');
    expect(fault('toString', 1)).toBe('the form has no question "toString"');
    expect(fault('overall', 3, 'safety')).toBe('the question has no parts, found "safety"');
    expect(fault('quality', 3)).toContain('found null');
    expect(fault('quality', 3, 'constructor')).toContain('found "constructor"');
    expect(fault('has', null, '__proto__')).toContain('found "__proto__"');
    expect(fault('\u001b[2J', 1)).not.toContain('\u001b');
  });

  it('is a list of things that are not well formed, said with which of them', () => {
    const things = (...list: unknown[]): string | null => fault('claims', list);
    const good = claim(0, 4, 'yes');
    expect(fault('claims', 'yes')).toBe('expected a list, found "yes"');
    expect(things(good, 5)).toBe('entry 2: expected an object, found 5');
    expect(things(good, { ...good })).toBe('entry 2: id: "c0-4" is there twice');
    expect(things({ ...good, id: '' })).toContain('entry 1: id');
    expect(things({ ...good, id: 'x'.repeat(201) })).toContain('entry 1: id');
    expect(things({ ...good, label: 'maybe' })).toBe('entry 1: label: expected one of yes, no, or null, found "maybe"');
    expect(things({ ...good, label: '__proto__' })).toContain('label');
    expect(things({ ...good, text: ' ' })).toContain('text: expected some');
    expect(things({ ...good, text: 'x'.repeat(20_001) })).toContain('characters');
    expect(things({ ...good, start: 4 })).toContain('places in the text');
    expect(things({ ...good, start: -1 })).toContain('places in the text');
    expect(things({ ...good, end: 1e12 })).toContain('places in the text');
    expect(things({ ...good, start: 0.5 })).toContain('places in the text');
    expect(things({ ...good, note: 5 })).toContain('note');
    expect(things({ ...good, from: 's1' })).toContain('from');
    expect(things({ ...good, from: Array.from({ length: 201 }, () => 's1') })).toContain('from');
    expect(
      fault(
        'claims',
        Array.from({ length: 2001 }, (_, at) => claim(at, at + 1, 'yes')),
      ),
    ).toContain('too long');
  });
});
