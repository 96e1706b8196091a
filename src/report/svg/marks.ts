import type { SymbolShape } from './look.ts';
import type { Ends } from './ticks.ts';

/**
 * What is drawn, in values of the axes of its panel; -Infinity and Infinity are their ends. Lengths (`dx`, `size`, `width`)
 * are in units of the figure. A mark with a key is in the legend, under that name.
 */
export type Mark = LineMark | AreaMark | PointMark | BarMark | RuleMark | LabelMark | GroupMark;

export interface LineMark {
  readonly mark: 'line';
  /** null leaves a gap. */
  readonly points: readonly (readonly [x: number, y: number] | null)[];
  readonly colour: string;
  readonly dashes?: string;
  readonly width?: number;
  /** Level until the next point. */
  readonly steps?: boolean;
  readonly dx?: number;
  readonly class?: string;
  readonly key?: string;
}

export interface AreaMark {
  readonly mark: 'area';
  readonly points: readonly (readonly [x: number, low: number, high: number] | null)[];
  readonly colour: string;
  readonly opacity?: number;
  readonly class?: string;
}

/** How a point looks. */
export interface Sign {
  readonly shape: SymbolShape;
  readonly colour: string;
  /** About its radius; signs of one size have the same area. */
  readonly size?: number;
  readonly hollow?: boolean;
  readonly opacity?: number;
  /** Colour of its rim; without it a thin white one keeps signs apart that touch. */
  readonly rim?: string;
}

export interface PointMark extends Sign {
  readonly mark: 'point';
  readonly x: number;
  readonly y: number;
  readonly dx?: number;
  readonly dy?: number;
  readonly xInterval?: { readonly low: number; readonly high: number } | null;
  readonly yInterval?: { readonly low: number; readonly high: number } | null;
  /** Shown when a reader points there. */
  readonly title?: string;
  /** Written where there is room for it, if the panel has names. */
  readonly name?: string;
  readonly key?: string;
}

export interface BarMark {
  readonly mark: 'bar';
  readonly x?: Ends;
  readonly y?: Ends;
  readonly fill: string;
  readonly opacity?: number;
  readonly stroke?: string;
  readonly width?: number;
  readonly dashes?: string;
  /** Taken off at the left and the right. */
  readonly inset?: number;
  /** Smallest width and height. */
  readonly least?: number;
  readonly title?: string;
  readonly class?: string;
  readonly data?: MarkData;
  readonly key?: string;
}

/** A straight line, across the whole panel in a direction that is not given. */
export interface RuleMark {
  readonly mark: 'rule';
  readonly x?: number | Ends;
  readonly y?: number | Ends;
  readonly colour: string;
  readonly width?: number;
  readonly dashes?: string;
  readonly class?: string;
  readonly key?: string;
}

/** A line of text; y is its middle. */
export interface LabelMark {
  readonly mark: 'label';
  readonly x: number;
  readonly y: number;
  /** Of several the first that fits. */
  readonly text: string | readonly string[];
  readonly dx?: number;
  readonly dy?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly bold?: boolean;
  /** White around the letters, for text on top of what is drawn. */
  readonly halo?: boolean;
  /** Room for it, or the stretch of the x axis that it must fit. A longer text is cut, and the whole of it is in the title. */
  readonly width?: number | { readonly over: Ends };
  /** Reads from below upwards. */
  readonly upright?: boolean;
}

/** Marks that belong together: one thing to point at, and with data to pick. */
export interface GroupMark {
  readonly mark: 'group';
  readonly marks: readonly Mark[];
  readonly title: string;
  readonly class?: string;
  readonly data?: MarkData;
}

export type MarkData = Readonly<Record<string, string | null>>;
