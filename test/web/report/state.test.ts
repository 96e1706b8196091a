import fc from 'fast-check';
import { expect, test } from 'vitest';

import { ERROR_TYPES } from '../../../src/judge/error-type.ts';
import {
  caseState,
  formatState,
  parseState,
  SHOWS,
  SORT_KEYS,
  START,
  VIEWS,
  type ViewState,
} from '../../../web/src/report/state.ts';

test('an empty address is the summary', () => {
  expect(parseState('')).toEqual(START);
  expect(parseState('#')).toEqual(START);
});

test('an address that names no view is that of the view that a report opens on', () => {
  expect(parseState('#case=J001', 'compare')).toEqual({ ...START, view: 'compare', case: 'J001' });
  expect(parseState('#view=summary', 'compare').view).toBe('summary');
});

test('an address names view, filter, order, case, item, run and baseline', () => {
  expect(
    parseState('#view=cases&filter=wrong&label=LOC&sort=errors&reverse=1&case=J001&item=0.gold.span.3&run=1&swap=1'),
  ).toEqual({
    view: 'cases',
    filter: { show: 'wrong', label: 'LOC' },
    sort: { by: 'errors', measure: null, reverse: true },
    case: 'J001',
    row: null,
    item: '0.gold.span.3',
    run: 1,
    swap: true,
    cells: null,
  });
});

test('a measure to sort by may have any name', () => {
  expect(parseState('#sort=measure.f1.strict').sort).toEqual({ by: 'measure', measure: 'f1.strict', reverse: false });
  expect(parseState('#sort=measure.').sort.by).toBe('file');
  expect(parseState('#sort=measure').sort.by).toBe('file');
});

test('the address of a state is as short as it can be', () => {
  expect(formatState({ ...START, view: 'cases', filter: { show: 'wrong' }, case: 'J 1/ä' })).toBe(
    '#view=cases&filter=wrong&case=J+1%2F%C3%A4',
  );
});

test('a case whose id no address can hold is opened by its place', () => {
  expect(caseState('J001', 4)).toEqual({ case: 'J001', row: null });
  expect(caseState('J'.repeat(4096), 4)).toEqual({ case: 'J'.repeat(4096), row: null });
  expect(caseState('J'.repeat(4097), 4)).toEqual({ case: null, row: 4 });
  // Half of a pair would come back as U+FFFD.
  expect(caseState('half \ud83d', 4)).toEqual({ case: null, row: 4 });
  expect(caseState('whole \ud83d\ude00', 4)).toEqual({ case: 'whole \ud83d\ude00', row: null });
  expect(parseState('#view=cases&row=4').row).toBe(4);
});

test('an empty value of a slice is a value', () => {
  const state: ViewState = { ...START, view: 'cases', filter: { show: 'all', slice: ['country', ''] } };
  expect(parseState(formatState(state))).toEqual(state);
});

test.each([
  ['#view=constructor'],
  ['#view=__proto__&filter=toString&sort=valueOf&error=hasOwnProperty'],
  ['#%%%&=&&case=%E0%A4%A'],
  ['#run=-1'],
  ['#row=-1'],
  ['#row=1e5'],
  ['#run=1e9'],
  ['#run=99999'],
  [`#label=${'x'.repeat(5000)}`],
  ['#slice=country'],
  ['#unknown=1&__proto__=2'],
])('what cannot be meant is taken as not said: %s', (hash) => {
  const { case: id, ...rest } = parseState(hash);
  const { case: _, ...start } = START;
  expect(rest).toEqual(start);
  expect(typeof (id ?? '')).toBe('string');
});

test('a list of cases is no longer than a person could have picked', () => {
  const hash = `#${Array.from({ length: 5000 }, (_, at) => `cases=c${at}`).join('&')}`;
  expect(parseState(hash).filter.cases).toHaveLength(2000);
});

test('every state comes back from its address', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const sorts = fc.oneof(
    fc.record({
      by: fc.constantFrom(...SORT_KEYS.filter((key) => key !== 'measure')),
      measure: fc.constant(null),
      reverse: fc.boolean(),
    }),
    fc.record({ by: fc.constant('measure' as const), measure: word, reverse: fc.boolean() }),
  );
  const states: fc.Arbitrary<ViewState> = fc.record({
    view: fc.constantFrom(...VIEWS),
    filter: fc.record(
      {
        show: fc.constantFrom(...SHOWS),
        error: fc.constantFrom(...ERROR_TYPES),
        label: word,
        rule: word,
        slice: fc.tuple(word, fc.string({ unit: 'grapheme', maxLength: 20 })),
        cases: fc.array(word, { minLength: 1, maxLength: 5 }),
        search: word,
      },
      { requiredKeys: ['show'] },
    ),
    sort: sorts,
    case: fc.option(word),
    row: fc.option(fc.integer({ min: 0, max: 999_999 })),
    item: fc.option(word),
    run: fc.option(fc.integer({ min: 0, max: 999 })),
    swap: fc.boolean(),
    cells: fc.option(word),
  });
  fc.assert(
    fc.property(states, (state) => {
      expect(parseState(formatState(state))).toEqual(state);
    }),
    { seed: 7, numRuns: 300 },
  );
});
