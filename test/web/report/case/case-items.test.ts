import { describe, expect, it } from 'vitest';

import { caseItems, chosenItem } from '../../../../web/src/report/case/case-items.ts';
import { detail, item, record } from './case-detail.ts';

const gold = item(0, { text: 'Aarhus', start: 3, end: 9 });
const hit = record({ gold, predicted: item(4, { text: 'Aarhus', start: 3, end: 9 }) });
const missed = record({ verdict: 'missed', gold });

describe('items of a case', () => {
  it('are named by run, side, kind and index, and know the other side of their line', () => {
    const { all } = caseItems(detail('In Aarhus.', [hit]), 'full');
    expect(all.map(({ key, partner }) => [key, partner])).toEqual([
      ['0.gold.span.0', '0.predicted.span.4'],
      ['0.predicted.span.4', '0.gold.span.0'],
    ]);
  });

  it('keep names of their own where several lines hold the same index', () => {
    const lines = ['C1', 'C2'].map((text) =>
      record({ kind: 'grounding', gold: undefined, predicted: item(0, { text }) }),
    );
    expect(caseItems(detail(null, lines), 'full').all.map(({ key }) => key)).toEqual([
      '0.predicted.grounding.0',
      '0.predicted.grounding.0~2',
    ]);
  });

  it('leave out what another matching scheme said, and runs without the case', () => {
    const { all } = caseItems(detail('In Aarhus.', null, [{ ...hit, scheme: 'strict' }, missed]), 'full');
    expect(all.map(({ key }) => key)).toEqual(['1.gold.span.0']);
  });

  it('are chosen with the same gold of other runs and with what each run answered to it', () => {
    const items = caseItems(detail('In Aarhus.', [missed], [hit]), 'full');
    const chosen = chosenItem(items, '0.gold.span.0');
    expect([...(chosen?.own ?? [])]).toEqual(['0.gold.span.0', '1.gold.span.0']);
    expect([...(chosen?.partners ?? [])]).toEqual(['1.predicted.span.4']);
    expect(chosen?.lines.map(({ run, record: { verdict } }) => [run, verdict])).toEqual([
      [0, 'missed'],
      [1, 'hit'],
    ]);
  });

  it('are chosen from the predicted side too, their own line first', () => {
    const items = caseItems(detail('In Aarhus.', [missed], [hit]), 'full');
    const chosen = chosenItem(items, '1.predicted.span.4');
    expect([...(chosen?.own ?? [])]).toEqual(['1.predicted.span.4']);
    expect(chosen?.lines.map(({ run }) => run)).toEqual([1, 0]);
  });

  it('are not chosen by a key that nothing answers to', () => {
    const items = caseItems(detail('In Aarhus.', [hit]), 'full');
    expect(chosenItem(items, '__proto__')).toBeNull();
    expect(chosenItem(items, null)).toBeNull();
  });
});
