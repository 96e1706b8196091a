import { describe, expect, it } from 'vitest';

import { fieldsFor, missingCells } from '../../src/review/questions.ts';
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
