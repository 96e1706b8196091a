import {
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';

import { fitted, singleLine, textWidth } from '../../../../src/report/svg/text-width.ts';
import type { CaseGraph, GraphEdge, GraphNode } from './graph-model.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface LaidNode extends Box {
  readonly node: GraphNode;
  /** One line each: the name, under it the type, and what the system calls it. */
  readonly name: string;
  readonly below: string;
  readonly alias: string | null;
}

export interface LaidEdge extends Box {
  readonly edge: GraphEdge;
  readonly type: string;
  readonly path: string;
}

export interface LaidGraph {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly LaidNode[];
  readonly edges: readonly LaidEdge[];
}

export const NAME_SIZE = 13;
export const SMALL_SIZE = 11;
const MARGIN = 12;
const TICKS = 300;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

interface Body extends SimulationNodeDatum {
  readonly width: number;
  readonly height: number;
  x: number;
  y: number;
}

/**
 * Places of nodes and of the names of edges, none over another, within a width. The name of an edge is pushed aside like a
 * node is, and the edge bends through it: so several between the same two nodes part. The same graph always lies the same.
 */
export function laidGraph({ nodes, edges }: CaseGraph, width: number): LaidGraph {
  const names = nodes.map((node) => {
    const room = Math.min(220, width * 0.6);
    const name = fitted(singleLine(node.name) || '(no name)', room, NAME_SIZE);
    const below = fitted(singleLine(node.type), room, SMALL_SIZE);
    const alias = node.alias === null ? null : fitted(`as “${singleLine(node.alias)}”`, room, SMALL_SIZE);
    const widths = [textWidth(name, NAME_SIZE), textWidth(below, SMALL_SIZE), textWidth(alias ?? '', SMALL_SIZE)];
    return { name, below, alias, width: Math.max(...widths) + 18, height: alias === null ? 42 : 57 };
  });
  const types = edges.map(({ type }) => {
    const text = fitted(singleLine(type), Math.min(160, width * 0.5), SMALL_SIZE);
    return { text, width: textWidth(text, SMALL_SIZE) + 8 };
  });
  const count = nodes.length + edges.length;
  const reach = 26 * Math.sqrt(count);
  const place = new Map<string, Body>();
  const bodies = nodes.map((node, at): Body => {
    const body = {
      ...spiral(at, reach / Math.sqrt(nodes.length || 1), width),
      width: names[at]?.width ?? 40,
      height: names[at]?.height ?? 42,
    };
    place.set(node.id, body);
    return body;
  });
  const links: SimulationLinkDatum<Body>[] = [];
  const middles = edges.map(({ from, to }, at): Body => {
    const [source, target] = [place.get(from), place.get(to)];
    const body = {
      x: ((source?.x ?? 0) + (target?.x ?? 0)) / 2 + (at % 3) - 1,
      y: ((source?.y ?? 0) + (target?.y ?? 0)) / 2 + (at % 2) + 0.5,
      width: types[at]?.width ?? 20,
      height: 18,
    };
    for (const end of new Set([source, target])) if (end !== undefined) links.push({ source: end, target: body });
    return body;
  });
  const all = [...bodies, ...middles];
  const simulation = forceSimulation(all)
    .force('link', forceLink(links).distance(95).strength(0.45))
    .force(
      'charge',
      forceManyBody<Body>().strength((body) => (body.height > 20 ? -700 : -160)),
    )
    .force('x', forceX<Body>(width / 2).strength(0.035))
    .force('y', forceY<Body>(0).strength(0.09))
    .stop();
  for (let tick = 0; tick < TICKS; tick += 1) {
    simulation.tick();
    part(all, 0.6);
    hold(all, width);
  }
  for (let pass = 0; pass < 60; pass += 1) {
    part(all, 1);
    hold(all, width);
  }
  settle(all);
  const top = Math.min(0, ...all.map(({ y, height }) => y - height / 2)) - MARGIN;
  const bottom = Math.max(0, ...all.map(({ y, height }) => y + height / 2)) + MARGIN;
  const boxOf = (body: Body): Box => ({ x: body.x, y: body.y - top, width: body.width, height: body.height });
  return {
    width,
    height: Math.ceil(bottom - top),
    nodes: nodes.flatMap((node, at) => {
      const [body, text] = [bodies[at], names[at]];
      return body === undefined || text === undefined
        ? []
        : [{ ...boxOf(body), node, name: text.name, below: text.below, alias: text.alias }];
    }),
    edges: edges.flatMap((edge, at) => {
      const [body, from, to] = [middles[at], place.get(edge.from), place.get(edge.to)];
      if (body === undefined || from === undefined || to === undefined) return [];
      const path = edgePath(boxOf(from), boxOf(to), boxOf(body));
      return [{ ...boxOf(body), edge, type: types[at]?.text ?? '', path }];
    }),
  };
}

function spiral(at: number, step: number, width: number): { x: number; y: number } {
  const [radius, angle] = [step * Math.sqrt(at + 0.5), at * GOLDEN];
  return { x: width / 2 + radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

/** Pushes apart what overlaps, along the shorter way out. */
function part(bodies: readonly Body[], share: number): void {
  for (const [at, a] of bodies.entries()) {
    for (let other = at + 1; other < bodies.length; other += 1) {
      const b = bodies[other];
      if (b === undefined) continue;
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      // Between a node and the name of an edge the edge itself must be seen.
      const clear = a.height > 20 === b.height > 20 ? 10 : 24;
      const overX = (a.width + b.width) / 2 + clear - Math.abs(dx);
      const overY = (a.height + b.height) / 2 + clear - Math.abs(dy);
      if (overX <= 0 || overY <= 0) continue;
      if (overX < overY) {
        const by = ((dx < 0 ? -1 : 1) * overX * share) / 2;
        a.x -= by;
        b.x += by;
      } else {
        const by = ((dy < 0 ? -1 : 1) * overY * share) / 2;
        a.y -= by;
        b.y += by;
      }
    }
  }
}

/** For a narrow frame without room at the sides: from the top down, moves each body below those it overlaps. */
function settle(bodies: readonly Body[]): void {
  const done: Body[] = [];
  for (const body of bodies.toSorted((a, b) => a.y - b.y)) {
    for (let under = clearOf(body, done); under !== null; under = clearOf(body, done)) body.y = under;
    done.push(body);
  }
}

/** How far down a body has to go to clear the first that it lies on; null where it lies on none. */
function clearOf(body: Body, others: readonly Body[]): number | null {
  const other = others.find(
    ({ x, y, width, height }) =>
      Math.abs(x - body.x) < (width + body.width) / 2 && Math.abs(y - body.y) < (height + body.height) / 2,
  );
  return other === undefined ? null : other.y + (other.height + body.height) / 2 + 6;
}

function hold(bodies: readonly Body[], width: number): void {
  for (const body of bodies) {
    const half = Math.min(body.width, width - 2 * MARGIN) / 2 + MARGIN;
    body.x = Math.min(width - half, Math.max(half, body.x));
  }
}

/** From one node to the other through the name of the edge, ending at their frames. */
function edgePath(from: Box, to: Box, middle: Box): string {
  if (from === to || (from.x === to.x && from.y === to.y)) return loopPath(from, middle);
  const control = { x: 2 * middle.x - (from.x + to.x) / 2, y: 2 * middle.y - (from.y + to.y) / 2 };
  const [start, end] = [atFrame(from, control, 0), atFrame(to, control, 4)];
  // Through the middle also from the frames, which lie elsewhere than the centres.
  const bend = { x: 2 * middle.x - (start.x + end.x) / 2, y: 2 * middle.y - (start.y + end.y) / 2 };
  return `M${point(start)} Q${point(bend)} ${point(end)}`;
}

function loopPath(node: Box, middle: Box): string {
  const [dx, dy] = [middle.x - node.x, middle.y - node.y];
  const spread = 0.5;
  const one = { x: middle.x - dy * spread + dx * 0.3, y: middle.y + dx * spread + dy * 0.3 };
  const two = { x: middle.x + dy * spread + dx * 0.3, y: middle.y - dx * spread + dy * 0.3 };
  return `M${point(atFrame(node, one, 0))} C${point(one)} ${point(two)} ${point(atFrame(node, two, 4))}`;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The point where the line from a node's centre leaves its frame, plus a small gap. */
function atFrame(node: Box, toward: Point, gap: number): Point {
  const [dx, dy] = [toward.x - node.x, toward.y - node.y];
  const far = Math.max(Math.abs(dx) / (node.width / 2 + gap), Math.abs(dy) / (node.height / 2 + gap));
  return far === 0 ? node : { x: node.x + dx / far, y: node.y + dy / far };
}

function point({ x, y }: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
