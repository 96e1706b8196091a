import type { LedgerItem } from '../../../../src/score/ledger.ts';
import { type CaseItem, type CaseLine, lineKey, type Side, type VerdictName } from './case-items.ts';

/** `named`: only a relationship speaks of it; `unresolved`: a reference that no entity answers to. */
export type NodeForm = VerdictName | 'named' | 'unresolved';

export interface GraphNode {
  readonly id: string;
  /** What picking it selects; null for what is no entity. */
  readonly key: string | null;
  readonly keys: readonly string[];
  readonly name: string;
  /** What the system calls it, where that is another name. */
  readonly alias: string | null;
  readonly type: string;
  readonly form: NodeForm;
}

export interface GraphEdge {
  readonly id: string;
  readonly keys: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly form: VerdictName;
  readonly match: string | null;
}

export interface CaseGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** Entities and relationships of one run as a graph: gold and prediction are one node where they were paired. */
export function graphOf(lines: readonly CaseLine[]): CaseGraph {
  const nodes = new Map<string, GraphNode>();
  const named = { gold: new Map<string, string>(), predicted: new Map<string, string>() };
  for (const line of lines) {
    const key = lineKey(line);
    if (line.record.kind !== 'entity' || key === null) continue;
    nodes.set(key, entityNode(line, key));
    for (const side of ['gold', 'predicted'] as const) {
      const name = line[side]?.item.text;
      if (name === undefined) continue;
      for (const spelt of [name, loose(name)]) if (!named[side].has(spelt)) named[side].set(spelt, key);
    }
  }
  const edges = lines.flatMap((line): GraphEdge[] => {
    const key = lineKey(line);
    const stands = line.gold ?? line.predicted;
    if (line.record.kind !== 'relationship' || key === null || stands === null) return [];
    const endOf = (end: 'source' | 'target'): string => {
      const name = nameOf(stands.item, end);
      const found = name === null ? undefined : lookUp(name, stands.side, named);
      if (found !== undefined) return found;
      const isLost = name === null || references(stands.item).includes(name);
      const node = isLost ? unresolvedNode(stands, end) : namedNode(name);
      if (!nodes.has(node.id)) nodes.set(node.id, node);
      return node.id;
    };
    const { record } = line;
    return [
      {
        id: key,
        keys: keysOf(line),
        from: endOf('source'),
        to: endOf('target'),
        type: record.label,
        form: record.verdict,
        match: record.match ?? null,
      },
    ];
  });
  return { nodes: [...nodes.values()], edges };
}

function entityNode(line: CaseLine, key: string): GraphNode {
  const { record, gold, predicted } = line;
  const name = (gold ?? predicted)?.item.text ?? '';
  const given = predicted?.item.text ?? name;
  return {
    id: key,
    key,
    keys: keysOf(line),
    name,
    alias: given === name ? null : given,
    type: record.label,
    form: record.verdict,
  };
}

function namedNode(name: string): GraphNode {
  return { id: `named ${name}`, key: null, keys: [], name, alias: null, type: 'not listed', form: 'named' };
}

function unresolvedNode({ item, key }: CaseItem, end: 'source' | 'target'): GraphNode {
  const lost = references(item);
  const both = nameOf(item, 'source') === null && nameOf(item, 'target') === null;
  const name = nameOf(item, end) ?? lost[both && end === 'target' ? 1 : 0] ?? lost[0] ?? '?';
  return {
    id: `unresolved ${key} ${end}`,
    key: null,
    keys: [],
    name,
    alias: null,
    type: 'unresolved',
    form: 'unresolved',
  };
}

/** References that no entity answers to. */
function references(item: LedgerItem): readonly string[] {
  const listed: unknown = item['unresolved'];
  return Array.isArray(listed) ? listed.map(String) : [];
}

function nameOf(item: LedgerItem, end: 'source' | 'target'): string | null {
  const name = Object.hasOwn(item, end) ? item[end] : null;
  return typeof name === 'string' ? name : null;
}

/** Its own side's entity of that name, else the other's: a system may relate what only gold lists. */
function lookUp(
  name: string,
  side: Side,
  named: Readonly<Record<Side, ReadonlyMap<string, string>>>,
): string | undefined {
  const other = side === 'gold' ? 'predicted' : 'gold';
  for (const own of [named[side], named[other]]) {
    const found = own.get(name) ?? own.get(loose(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function loose(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}

function keysOf({ gold, predicted }: CaseLine): readonly string[] {
  return [gold, predicted].flatMap((side) => side?.key ?? []);
}
