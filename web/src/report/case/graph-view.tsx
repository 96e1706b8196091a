import './graph.css';

import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';

import { shorten } from '../../../../src/data/visible.ts';
import { listen } from '../../listen.ts';
import { readableText } from '../../readable-pieces.ts';
import type { VerdictName } from './case-items.ts';
import { type LaidEdge, laidGraph, type LaidNode } from './graph-layout.ts';
import type { CaseGraph } from './graph-model.ts';
import { scaleOf } from './graph-tools.tsx';
import { stepOf } from './step-of.ts';

const FORMS: readonly VerdictName[] = ['hit', 'missed', 'spurious', 'excused'];

export function GraphView(props: {
  readonly graph: CaseGraph;
  readonly label: string;
  readonly zoom: number;
  /** The wheel was turned: one size up or down. */
  readonly onTurn: (by: number) => void;
  readonly isSelected: (keys: readonly string[]) => boolean;
  readonly onSelect: (key: string) => void;
}) {
  const { graph, isSelected, onSelect } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const id = useId();
  const onTurn = useRef(props.onTurn);
  onTurn.current = props.onTurn;
  const laid = useMemo(() => laidGraph(graph, width), [graph, width]);
  const scale = scaleOf(props.zoom);
  // Entities as one reads them, then relationships.
  const stops = useMemo(
    () => [
      ...laid.nodes.toSorted((a, b) => Math.round((a.y - b.y) / 30) || a.x - b.x).flatMap(({ node }) => node.key ?? []),
      ...laid.edges.map(({ edge }) => edge.id),
    ],
    [laid],
  );
  const selectedAt = stops.findIndex((stop) => isSelected(keysAt(graph, stop)));

  useEffect(() => {
    const held = frame.current;
    if (held === null) return undefined;
    const turn = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      onTurn.current(event.deltaY < 0 ? 1 : -1);
    };
    return listen(held, { wheel: turn }, { passive: false });
  }, []);

  useEffect(() => {
    const stop = stops[selectedAt];
    if (stop === undefined || frame.current?.contains(document.activeElement) !== true) return;
    const drawn = frame.current.querySelector(`[data-stop="${CSS.escape(stop)}"]`);
    if (drawn instanceof SVGElement) drawn.focus();
  }, [selectedAt, stops]);

  const walk = (event: KeyboardEvent): void => {
    const { target } = event;
    const key = target instanceof SVGElement ? target.dataset['stop'] : undefined;
    if (key === undefined) return;
    const to =
      event.key === 'Enter' || event.key === ' ' ? stops.indexOf(key) : stepOf(event, stops.indexOf(key), stops.length);
    if (to === null) return;
    event.preventDefault();
    onSelect(stops[to] ?? key);
  };
  const stopAt = stops[Math.max(0, selectedAt)];
  return (
    <div class="graph">
      <div class="graph-frame frame" ref={frame} onKeyDown={walk}>
        <svg
          width={laid.width * scale}
          height={laid.height * scale}
          viewBox={`0 0 ${laid.width} ${laid.height}`}
          role="group"
          aria-label={props.label}
        >
          <defs>
            {FORMS.map((form) => (
              <marker
                key={form}
                id={`${id}-${form}`}
                class={form}
                viewBox="0 0 10 10"
                refX="8"
                refY="5"
                markerWidth="9"
                markerHeight="9"
                markerUnits="userSpaceOnUse"
                orient="auto"
              >
                <path class="arrow" d="M0 0.5 L10 5 L0 9.5 Z" />
              </marker>
            ))}
            <pattern
              id={`${id}-hatch`}
              class="spurious"
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect width="6" height="6" class="hatch-ground" />
              <rect width="1.5" height="6" class="hatch-line" />
            </pattern>
          </defs>
          {laid.edges.map((edge) => (
            <Edge
              key={edge.edge.id}
              laid={edge}
              marker={`url(#${id}-${edge.edge.form})`}
              names={graph}
              selected={isSelected(edge.edge.keys)}
              stop={edge.edge.id === stopAt}
              onSelect={onSelect}
            />
          ))}
          {laid.nodes.map((node) => (
            <Node
              key={node.node.id}
              laid={node}
              hatch={`url(#${id}-hatch)`}
              selected={isSelected(node.node.keys)}
              stop={node.node.key !== null && node.node.key === stopAt}
              onSelect={onSelect}
            />
          ))}
        </svg>
      </div>
    </div>
  );
}

function keysAt({ nodes, edges }: CaseGraph, stop: string): readonly string[] {
  return (nodes.find(({ key }) => key === stop) ?? edges.find(({ id }) => id === stop))?.keys ?? [];
}

function Edge(props: {
  readonly laid: LaidEdge;
  readonly marker: string;
  readonly names: CaseGraph;
  readonly selected: boolean;
  readonly stop: boolean;
  readonly onSelect: (key: string) => void;
}) {
  const { laid, names, selected, onSelect } = props;
  const { edge, path, type, x, y, width, height } = laid;
  const nameOf = (end: string): string =>
    readableText(shorten(names.nodes.find(({ id }) => id === end)?.name ?? '', 80));
  const match = edge.match === null ? '' : `, ${edge.match} match`;
  return (
    <g
      class={`edge ${edge.form}${selected ? ' selected' : ''}`}
      role="button"
      tabindex={props.stop ? 0 : -1}
      data-stop={edge.id}
      aria-pressed={selected}
      aria-label={`${edge.form}, relationship ${readableText(shorten(edge.type, 60))}, from ${nameOf(edge.from)} to ${nameOf(edge.to)}${match}`}
      onClick={() => onSelect(edge.id)}
    >
      <path class="edge-reach" d={path} />
      <path class="edge-line" d={path} marker-end={props.marker} />
      <rect class="edge-ground" x={x - width / 2} y={y - height / 2} width={width} height={height} rx="3" />
      <text class="edge-name" x={x} y={y + 4} text-anchor="middle">
        {type}
      </text>
    </g>
  );
}

function Node(props: {
  readonly laid: LaidNode;
  readonly hatch: string;
  readonly selected: boolean;
  readonly stop: boolean;
  readonly onSelect: (key: string) => void;
}) {
  const { laid, selected, onSelect } = props;
  const { node, name, below, alias, x, y, width, height } = laid;
  const middle = alias === null ? y : y - 7;
  const frame = { x: x - width / 2, y: y - height / 2, width, height, rx: 8 };
  const inner = (
    <>
      <rect class="node-frame" {...frame} />
      {node.form === 'spurious' ? <rect class="node-hatch" {...frame} fill={props.hatch} /> : null}
      <text class="node-name" x={x} y={middle - 2} text-anchor="middle">
        {name}
      </text>{' '}
      <text class="node-below" x={x} y={middle + 13} text-anchor="middle">
        {below}
      </text>{' '}
      {alias === null ? null : (
        <text class="node-below" x={x} y={middle + 28} text-anchor="middle">
          {alias}
        </text>
      )}
    </>
  );
  const { key } = node;
  if (key === null) return <g class={`node ${node.form}`}>{inner}</g>;
  return (
    <g
      class={`node ${node.form}${selected ? ' selected' : ''}`}
      role="button"
      tabindex={props.stop ? 0 : -1}
      data-stop={key}
      aria-pressed={selected}
      // The visible words come first, so that voice control recognises them.
      aria-label={`${readableText(shorten(node.name, 80))} ${readableText(shorten(node.type, 60))}${node.alias === null ? '' : ` as “${readableText(shorten(node.alias, 80))}”`}, ${node.form} entity`}
      onClick={() => onSelect(key)}
    >
      {inner}
    </g>
  );
}

/** In steps, so that a graph does not lie otherwise for every pixel. */
function useWidth(frame: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(720);
  useEffect(() => {
    const held = frame.current;
    if (held === null) return undefined;
    const look = (): void => setWidth(Math.min(1080, Math.max(300, Math.floor((held.clientWidth - 2) / 40) * 40)));
    const observer = new ResizeObserver(look);
    observer.observe(held);
    look();
    return () => observer.disconnect();
  }, [frame]);
  return width;
}
