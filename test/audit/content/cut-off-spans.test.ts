import { expect, test } from 'vitest';

import { cutOffSpans } from '../../../src/audit/checks/content/cut-off-spans.ts';
import type { AuditCheck } from '../../../src/audit/check.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const CHECK: AuditCheck = { name: 'cut-off-predictions', about: 'places', scoredOnly: true, open: cutOffSpans };

test('what is behind the last prediction is held against the recall before it, label by label', async () => {
  // Of A, half is found before character 1000 and nothing behind it; B is never found, and stands late.
  const cases = times(12, (at) =>
    spanCase(`c${at}`, ['A 10', 'A 500', 'A 2000', 'A 2100', 'B 2200'], [at % 2 === 0 ? 'A 10' : 'A 500']),
  );
  expect((await look(CHECK, STRICT, cases)).said).toEqual([
    'error: No prediction is behind character 505, where 36 gold items of 12 cases are; at the recall before it, about 12 of them would be found',
  ]);
  // Two of these cases prove nothing, and neither does one prediction in each that is behind it.
  expect((await look(CHECK, STRICT, cases.slice(0, 2))).said).toEqual([]);
  expect((await look(CHECK, STRICT, [...cases, spanCase('x', [], ['A 5000'])])).said).toEqual([]);
});

test('labels that are never found, and names that all stand early, are no sign of it', async () => {
  const unfound = times(40, (at) => spanCase(`c${at}`, ['A 10', 'B 2200', 'B 2300'], ['A 10']));
  expect((await look(CHECK, STRICT, unfound)).said).toEqual([]);
  const early = times(40, (at) =>
    spanCase(`c${at}`, ['A 10', 'A 50', at < 4 ? 'A 900' : 'A 90'], [at % 2 === 0 ? 'A 10' : 'A 90']),
  );
  expect((await look(CHECK, STRICT, early)).said).toEqual([]);
});

test('a few long cases that are empty, as many short ones are, are no sign of it', async () => {
  const short = times(60, (at) => spanCase(`s${at}`, ['A 10', 'A 50'], at % 2 === 0 ? [] : ['A 10', 'A 50']));
  const gold = ['A 10', ...times(20, (at) => `A ${1000 + 10 * at}`)];
  const long = (n: number, predicted: string[]) => times(n, (at) => spanCase(`l${at}`, gold, predicted));
  // By chance, 4 of 4 are empty in one of 16 files, and 12 of 12 in one of 4,096.
  expect((await look(CHECK, STRICT, [...short, ...long(4, [])])).said).toEqual([]);
  expect((await look(CHECK, STRICT, [...short, ...long(12, [])])).said).toHaveLength(1);
  expect((await look(CHECK, STRICT, [...short, ...long(4, ['A 10'])])).said).toHaveLength(1);
});
