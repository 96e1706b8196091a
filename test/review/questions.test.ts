import { describe, expect, it } from 'vitest';

import { cellFault, fieldsFor, missingCells } from '../../src/review/questions.ts';
import type { CellValue } from '../../src/store/review-records.ts';
import { claim, formOf } from './made-snapshot.ts';

const form = formOf({
  people: { expert: { title: 'Experts', raters: 3 }, annotator: { title: 'Annotators', raters: 2 } },
  fields: {
    kind: { type: 'choice', of: 'case', title: 'Which?', by: ['expert'], options: { a: 'A', b: 'B' } },
    quality: {
      type: 'scale',
      title: 'How good?',
      by: ['expert'],
      dimensions: { safety: 'Safety', efficacy: 'Efficacy' },
    },
    overall: { type: 'scale', title: 'All in all?', from: 0, to: 10, optional: true },
    has: {
      type: 'checklist',
      title: 'What is in it?',
      by: ['expert', 'annotator'],
      optional: true,
      items: { diet: 'Diet', herbs: 'Herbs' },
      notApplicable: ['herbs'],
    },
    claims: {
      type: 'items',
      title: 'Claims',
      by: ['annotator'],
      from: 'sentences',
      labels: { yes: 'Yes', no: 'No' },
      allow: ['split', 'merge'],
    },
    hindi: { type: 'scale', title: 'Is the Hindi right?', languages: ['hi'] },
    comment: { type: 'text', title: 'Anything else?' },
    why: { type: 'text', title: 'Why?', optional: false, by: ['expert'] },
  },
});
const english = { kind: 'answer', language: 'en' } as const;

describe('which questions a person is asked', () => {
  it('are those of their groups and of everybody, for the kind and language of the item, in the order of the form', () => {
    expect(fieldsFor(form, ['expert'], english)).toEqual(['quality', 'overall', 'has', 'comment', 'why']);
    expect(fieldsFor(form, ['annotator'], english)).toEqual(['overall', 'has', 'claims', 'comment']);
    expect(fieldsFor(form, ['annotator'], { kind: 'answer', language: 'hi' })).toContain('hindi');
    expect(fieldsFor(form, ['annotator'], { kind: 'answer', language: null })).not.toContain('hindi');
    expect(fieldsFor(form, ['expert'], { kind: 'case', language: null })).toEqual(['kind']);
  });

  it('are all for somebody without a group, and those of nobody in particular for a group the form does not know', () => {
    expect(fieldsFor(form, [], english)).toEqual(['quality', 'overall', 'has', 'claims', 'comment', 'why']);
    expect(fieldsFor(form, ['visitor'], english)).toEqual(['overall', 'comment']);
  });
});

describe('what is missing before an item is done', () => {
  const missing = (fields: string[], cells: Parameters<typeof missingCells>[2]) => missingCells(form, fields, cells);

  it('is each dimension of a scale, a choice, a text that has to be there', () => {
    const fields = ['quality', 'overall', 'comment', 'why'];
    expect(missing(fields, [])).toEqual([
      { field: 'quality', part: 'safety' },
      { field: 'quality', part: 'efficacy' },
      { field: 'why', part: null },
    ]);
    expect(
      missing(fields, [
        { field: 'quality', part: 'efficacy', value: 3 },
        { field: 'quality', part: 'safety', value: null },
        { field: 'why', part: null, value: '  \n' },
      ]),
    ).toEqual([
      { field: 'quality', part: 'safety' },
      { field: 'why', part: null },
    ]);
  });

  it('is each item of a checklist that has to be there, and none of an optional one, also where it was begun', () => {
    const ticked = [{ field: 'has', part: 'diet', value: false }];
    expect(missing(['has'], [])).toEqual([]);
    expect(missing(['has'], ticked)).toEqual([]);
    const needed = formOf({ fields: { has: { ...form.fields['has'], optional: false } } });
    expect(missingCells(needed, ['has'], ticked)).toEqual([{ field: 'has', part: 'herbs' }]);
    expect(missingCells(needed, ['has'], [...ticked, { field: 'has', part: 'herbs', value: 'na' }])).toEqual([]);
  });

  it('is the labelling of things until each has a label', () => {
    const whole = [{ field: 'claims', part: null }];
    const list = (...value: ReturnType<typeof claim>[]) => [{ field: 'claims', part: null, value }];
    expect(missing(['claims'], [])).toEqual(whole);
    expect(missing(['claims'], list(claim(0, 5, 'yes'), claim(6, 9, null)))).toEqual(whole);
    expect(missing(['claims'], list(claim(0, 5, 'yes'), claim(6, 9, 'no')))).toEqual([]);
  });

  it('is nothing where nothing was proposed, and what was dropped where nothing may be removed', () => {
    const one = { id: 's1', start: 0, end: 5, text: 'Hello', kind: null, facts: {}, passages: [] };
    const two = { ...one, id: 's2', start: 6, end: 20 };
    const kept = [{ field: 'claims', part: null, value: [claim(0, 5, 'yes', { id: 's1' })] }];
    const split = [{ field: 'claims', part: null, value: [claim(0, 5, 'yes'), claim(6, 9, 'no'), claim(9, 20, 'no')] }];
    expect(missingCells(form, ['claims'], [], { claims: [] })).toEqual([]);
    expect(missingCells(form, ['claims'], [], {})).toEqual([]);
    expect(missingCells(form, ['claims'], kept, { claims: [one, two] })).toEqual([{ field: 'claims', part: null }]);
    expect(missingCells(form, ['claims'], split, { claims: [one, two] })).toEqual([]);
  });

  it('is nothing for a name that is no question', () => {
    expect(missing(['constructor', '__proto__', 'nonsense'], [])).toEqual([]);
  });
});

const faultForm = formOf({
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
    faultForm,
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
    expect(cellFault(faultForm, { field: 'overall', part: null, value: Number.NaN })).toContain('NaN');
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
    expect(cellFault(faultForm, { field: 'comment', part: null, value: 'a\ud83d' })).toContain('half a character');
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
