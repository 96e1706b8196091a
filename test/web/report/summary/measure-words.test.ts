import { expect, test } from 'vitest';

import {
  intervalText,
  isShare,
  levelOf,
  remarks,
  valueText,
} from '../../../../web/src/report/summary/measure-words.ts';
import { measure } from '../list/table-of.ts';

const INTERVAL = { low: 0.65306, high: 0.8, level: 0.95, method: 'bootstrap-percentile' };

test('a share has three decimals, a count none, what is undefined a dash', () => {
  expect(valueText({ value: 0.73077, range: [0, 1] })).toBe('0.731');
  expect(valueText({ value: 12_345, range: [0, null] })).toBe('12,345');
  expect(valueText({ value: 8.754, range: [0, null] })).toBe('8.75');
  expect(valueText({ value: null, range: [0, 1] })).toBe('–');
});

test('an interval has both ends, or is none', () => {
  expect(intervalText(measure({ interval: INTERVAL }))).toBe('0.653 to 0.800');
  expect(intervalText(measure({}))).toBeNull();
});

test('an undefined value says why', () => {
  expect(
    remarks(measure({ value: null, undefined: 'nothing was predicted', noInterval: 'there is no value' })),
  ).toEqual(['undefined: nothing was predicted']);
});

test('a value without an interval says why, unless none was asked for', () => {
  expect(remarks(measure({ noInterval: 'one case', note: '3 left out' }))).toEqual([
    '3 left out',
    'no interval: one case',
  ]);
  expect(remarks(measure({ noInterval: 'not asked for' }))).toEqual([]);
});

test('only what goes from 0 to 1 stands on the common axis', () => {
  expect(isShare({ range: [0, 1] })).toBe(true);
  expect(isShare({ range: [-1, 1] })).toBe(false);
  expect(isShare({ range: [0, null] })).toBe(false);
});

test('the level of the intervals is said as it is', () => {
  expect(levelOf([measure({}), measure({ interval: { ...INTERVAL, level: 0.975 } })])).toBe('97.5 %');
  expect(levelOf([measure({})])).toBeNull();
});
