import { describe, expect, it } from 'vitest';

import { caseItems } from '../../../../web/src/report/case/case-items.ts';
import { laidGraph } from '../../../../web/src/report/case/graph-layout.ts';
import { graphOf } from '../../../../web/src/report/case/graph-model.ts';
import type { ViewRecord } from '../../../../src/report/html/report-data.ts';
import { detail, item, record } from './case-detail.ts';

const entity = (
  verdict: ViewRecord['verdict'],
  gold: string | null,
  predicted: string | null,
  index: number,
): ViewRecord =>
  record({
    kind: 'entity',
    verdict,
    label: 'Person',
    ...(gold === null ? {} : { gold: item(index, { text: gold }) }),
    ...(predicted === null ? {} : { predicted: item(index, { text: predicted }) }),
  });
const relation = (
  verdict: ViewRecord['verdict'],
  index: number,
  source: string | null,
  target: string | null,
): ViewRecord => {
  const own = {
    ...item(index, { label: 'knows' }),
    source,
    target,
    ...(target === null ? { unresolved: ['n7'] } : {}),
  };
  return record({
    kind: 'relationship',
    verdict,
    label: 'knows',
    ...(verdict === 'spurious' ? { predicted: own } : { gold: own }),
  });
};
const graph = (records: readonly ViewRecord[]) => graphOf(caseItems(detail(null, records), 'full').lines);

describe('the graph of a case', () => {
  it('has one node for gold and prediction that were paired, by whichever name a relationship calls it', () => {
    const { nodes, edges } = graph([
      entity('hit', 'Ann Orlow', 'Anne Orlov', 0),
      entity('missed', 'Bob', null, 1),
      relation('missed', 0, 'Ann Orlow', 'Bob'),
      relation('spurious', 1, 'Anne Orlov', 'BOB'),
    ]);
    expect(nodes.map(({ id, name, alias, form }) => [id, name, alias, form])).toEqual([
      ['0.gold.entity.0', 'Ann Orlow', 'Anne Orlov', 'hit'],
      ['0.gold.entity.1', 'Bob', null, 'missed'],
    ]);
    expect(edges.map(({ from, to, form }) => [from, to, form])).toEqual([
      ['0.gold.entity.0', '0.gold.entity.1', 'missed'],
      ['0.gold.entity.0', '0.gold.entity.1', 'spurious'],
    ]);
  });

  it('has a hollow node for a reference that nothing answers to, and a plain one for what only a relationship names', () => {
    const { nodes } = graph([relation('spurious', 3, 'Choir', null)]);
    expect(nodes.map(({ name, form, key }) => [name, form, key])).toEqual([
      ['Choir', 'named', null],
      ['n7', 'unresolved', null],
    ]);
  });

  it('takes names of JavaScript’s own for names', () => {
    const { nodes, edges } = graph([
      entity('hit', '__proto__', 'constructor', 0),
      relation('missed', 0, '__proto__', '__proto__'),
    ]);
    expect(nodes).toHaveLength(1);
    expect(edges[0]).toMatchObject({ from: '0.gold.entity.0', to: '0.gold.entity.0' });
  });
});

describe('the layout of a graph', () => {
  const many = graph([
    ...Array.from({ length: 30 }, (_, at) => entity('hit', `Person number ${at}`, `Person number ${at}`, at)),
    ...Array.from({ length: 45 }, (_, at) =>
      relation('missed', at, `Person number ${at % 30}`, `Person number ${(at * 7 + 1) % 30}`),
    ),
  ]);

  it('is the same each time', () => {
    expect(laidGraph(many, 720)).toEqual(laidGraph(many, 720));
  });

  it.each([300, 720])('stays within a width of %d, with no node on another', (width) => {
    const { nodes, height } = laidGraph(many, width);
    expect(nodes).toHaveLength(30);
    for (const [at, a] of nodes.entries()) {
      expect(a.x - a.width / 2).toBeGreaterThanOrEqual(0);
      expect(a.x + a.width / 2).toBeLessThanOrEqual(width);
      expect(a.y + a.height / 2).toBeLessThanOrEqual(height);
      for (const b of nodes.slice(at + 1)) {
        const apart =
          Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2;
        expect(apart, `${a.name} and ${b.name}`).toBe(true);
      }
    }
  });

  it('bends several edges between the same nodes apart, and draws a loop', () => {
    const { edges } = laidGraph(
      graph([
        entity('hit', 'Ann', 'Ann', 0),
        entity('hit', 'Bob', 'Bob', 1),
        relation('missed', 0, 'Ann', 'Bob'),
        relation('missed', 1, 'Ann', 'Bob'),
        relation('missed', 2, 'Ann', 'Ann'),
      ]),
      720,
    );
    expect(new Set(edges.map(({ path }) => path)).size).toBe(3);
    expect(edges.every(({ path }) => !path.includes('NaN'))).toBe(true);
    expect(edges[2]?.path).toContain('C');
  });

  it('cuts a name of thousands of letters', () => {
    const [node] = laidGraph(graph([entity('hit', 'x'.repeat(5000), 'x', 0)]), 390).nodes;
    expect(node?.width).toBeLessThan(390);
  });
});
