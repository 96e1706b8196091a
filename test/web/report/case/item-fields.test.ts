import { describe, expect, it } from 'vitest';

import { judgedAttributes } from '../../../../web/src/report/case/attribute-rows.ts';
import { fieldRows } from '../../../../web/src/report/case/item-fields.ts';
import { itemHref } from '../../../../web/src/report/case/item-link.ts';
import { itemWords } from '../../../../web/src/report/case/item-words.ts';
import { stepOf } from '../../../../web/src/report/case/step-of.ts';
import { item, record } from './case-detail.ts';

describe('facts of an item', () => {
  it('stand beside each other, with what differs marked', () => {
    const rows = fieldRows(
      item(0, { label: 'ORG', text: 'Court', start: 3, end: 8 }),
      item(1, { label: 'LOC', text: 'Court', start: 3, end: 8, was: 'CITY' }),
    );
    expect(rows.map(({ name, gold, predicted, differs }) => [name, gold, predicted, differs])).toEqual([
      ['label', 'ORG', 'LOC', true],
      ['label before', null, 'CITY', false],
      ['words', 'Court', 'Court', false],
      ['characters', '3 to 8', '3 to 8', false],
    ]);
  });

  it('take fields of the files as they are, also those with names of JavaScript’s own', () => {
    const fields: unknown = JSON.parse('{"__proto__":{"x":1},"constructor":"c","list":["a","b"],"none":null}');
    const rows = fieldRows(undefined, { ...item(0), fields: fields as Record<string, unknown> });
    expect(rows.filter(({ ofFile }) => ofFile).map(({ name, predicted }) => [name, predicted])).toEqual([
      ['__proto__', '{"x":1}'],
      ['constructor', 'c'],
      ['list', 'a, b'],
    ]);
  });

  it('say why a quote is not in the text, and which end of a relationship is unresolved', () => {
    const rows = fieldRows(undefined, {
      ...item(0),
      grounded: false,
      ungrounded: 'its letters are of another case',
      source: 'Choir',
      target: null,
      unresolved: ['n7'],
    });
    expect(Object.fromEntries(rows.map(({ name, predicted }) => [name, predicted]))).toMatchObject({
      from: 'Choir',
      to: 'none',
      'no entity called': 'n7',
      'in the text': 'no: its letters are of another case',
    });
  });
});

describe('attributes of a hit', () => {
  it('are read where the recipe reads them, wrong ones first', () => {
    const hit = record({
      gold: item(0, { label: 'Place', fields: { time_bucket: 'today' } }),
      predicted: item(0, { label: 'Organization', fields: { time_bucket: 'today' } }),
      attributes: { time: true, type: false },
    });
    expect(judgedAttributes(hit, { time: 'time_bucket', type: 'label' })).toEqual([
      { name: 'type', right: false, gold: 'Place', predicted: 'Organization' },
      { name: 'time', right: true, gold: 'today', predicted: 'today' },
    ]);
  });
});

describe('small things', () => {
  it('an item is called by its name where its text is an id, and by its fields where it has no words', () => {
    expect(itemWords(item(0, { text: 'C0003281', fields: { name: 'Anticoagulation' } }))).toEqual({
      words: 'Anticoagulation',
      id: 'C0003281',
    });
    expect(itemWords(item(0, { fields: { value: 4, reviewer: 'asha', note: '' } })).words).toBe(
      'value 4, reviewer asha',
    );
  });

  it('a link to an item keeps what else the address says', () => {
    expect(itemHref('#view=cases&case=J+1&item=old', '0.gold.span.3')).toBe('#view=cases&case=J+1&item=0.gold.span.3');
    expect(itemHref('#view=cases&item=old', null)).toBe('#view=cases');
  });

  it('arrow keys step and stop at the ends; with another key held they are the browser’s', () => {
    const press = { key: 'ArrowRight', ctrlKey: false, altKey: false, metaKey: false };
    expect(stepOf(press, -1, 3)).toBe(0);
    expect(stepOf(press, 2, 3)).toBe(2);
    expect(stepOf({ ...press, key: 'ArrowUp' }, 0, 3)).toBe(0);
    expect(stepOf({ ...press, key: 'End' }, 0, 3)).toBe(2);
    expect(stepOf({ ...press, ctrlKey: true }, 0, 3)).toBeNull();
    expect(stepOf(press, -1, 0)).toBeNull();
  });
});
