import { join } from 'node:path';

import type { MeasuredVariant } from '../stream/measure/measure-stream.ts';
import { exampleFolder } from './examples.ts';
import { measureRuns } from './stream/measure.ts';

/** Two variants of the bundled conversations: one that asks before it summarises, and one that does not. */
export const DEMO_VARIANTS = ['V0', 'V2'] as const;

/** Measures the bundled run logs; no model is called, and the concepts are those of the vocabulary that ships. */
export async function measureStreamExample(out: string): Promise<readonly MeasuredVariant[]> {
  const folder = exampleFolder('stream');
  const places = { traces: join(folder, 'traces'), runs: join(folder, 'answers'), out };
  return (await measureRuns({ ...places, variants: DEMO_VARIANTS })).variants;
}
