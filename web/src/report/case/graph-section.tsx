import { useMemo, useState } from 'preact/hooks';

import { counted } from '../../../../src/text/figures.ts';
import type { CaseLine } from './case-items.ts';
import { graphOf } from './graph-model.ts';
import { GraphTable } from './graph-table.tsx';
import { GraphTools, PLAIN_SIZE, zoomed } from './graph-tools.tsx';
import { GraphView } from './graph-view.tsx';

/** Beyond this a drawing is a knot; it is offered nevertheless, up to the second number. */
const DRAWN_AT_FIRST = 60;
const MOST_DRAWN = 200;

/** Entities and relationships of one run, as a graph or as tables. */
export function GraphSection(props: {
  readonly lines: readonly CaseLine[];
  readonly name: string;
  readonly isSelected: (keys: readonly string[]) => boolean;
  readonly onSelect: (key: string) => void;
}) {
  const { lines, name } = props;
  const graph = useMemo(() => graphOf(lines), [lines]);
  const size = graph.nodes.length;
  const drawable = size <= MOST_DRAWN && graph.edges.length <= 2 * MOST_DRAWN;
  const [zoom, setZoom] = useState(PLAIN_SIZE);
  const [wish, setWish] = useState<'graph' | 'table' | null>(null);
  const shown = !drawable ? 'table' : (wish ?? (size <= DRAWN_AT_FIRST ? 'graph' : 'table'));
  const label = `${counted(size, 'entity', 'entities')}, ${counted(graph.edges.length, 'relationship')}`;
  return (
    <div class="graph-section">
      <div class="graph-head">
        <p class="hint">{label}</p>
        {shown === 'graph' ? <GraphTools zoom={zoom} onZoom={setZoom} /> : null}
        {drawable ? (
          <div class="segmented" role="group" aria-label={`Entities and relationships${name}`}>
            {(['graph', 'table'] as const).map((one) => (
              <button key={one} type="button" class="small" aria-pressed={shown === one} onClick={() => setWish(one)}>
                {one === 'graph' ? 'Graph' : 'Table'}
              </button>
            ))}
          </div>
        ) : (
          <p class="hint">Too many to be drawn.</p>
        )}
      </div>
      {shown === 'graph' ? (
        <GraphView
          graph={graph}
          label={`Graph: ${label}${name}`}
          zoom={zoom}
          onTurn={(by) => setZoom((now) => zoomed(now, by))}
          isSelected={props.isSelected}
          onSelect={props.onSelect}
        />
      ) : (
        <GraphTable lines={lines} isSelected={props.isSelected} onSelect={props.onSelect} />
      )}
    </div>
  );
}
