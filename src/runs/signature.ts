import { hash } from 'node:crypto';

import { isRecord } from '../data/record-fields.ts';
import type { Plan } from '../recipe/plan.ts';
import { compareText } from '../text/compare.ts';
import { VERSION } from './version.ts';

/** Settings of `data` that change how a file is read but not what is in it. */
const READING_ONLY = new Set(['format', 'columns', 'maxRecordMiB']);

export interface Signature {
  /** Everything that affects a number, in one line. */
  readonly full: string;
  /** The same without the predictions: numbers of two systems are comparable when this is equal. */
  readonly comparable: string;
}

export function signatureOf(plan: Plan, gold: string, predicted: string, cases: number): Signature {
  const pairing =
    plan.schemes[0] === undefined
      ? ''
      : [...plan.schemes[0].pair.values()]
          .map((pair) => `${pair.accept.map((criterion) => criterion.similarity).join('/')}:${pair.assign}`)
          .join('+');
  const comparable = [
    `assay:${VERSION}`,
    `task:${plan.task}`,
    `recipe:${plan.name}#${recipeHash(plan).slice(0, 12)}`,
    `prepare:${plan.prepare.map(({ name }) => name).join('+') || 'none'}`,
    `pair:${pairing}`,
    ...(plan.schemes.length > 1
      ? [
          `schemes:${plan.schemes
            .slice(1)
            .map((scheme) => scheme.name)
            .join('+')}`,
        ]
      : []),
    `judge:${plan.judge.map(({ name }) => name).join('+') || 'none'}`,
    `gold:${gold.slice(0, 16)}(${cases})`,
  ].join('|');
  return { comparable, full: `${comparable}|predicted:${predicted.slice(0, 16)}` };
}

export function recipeHash(plan: Plan): string {
  const { about: _, data, ...rest } = plan.resolved;
  const reading = isRecord(data)
    ? Object.fromEntries(Object.entries(data).filter(([key]) => !READING_ONLY.has(key)))
    : {};
  return hash('sha256', canonicalJson({ ...rest, data: reading }));
}

/** JSON with sorted keys, except under the stages where order is part of the recipe. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value, ''));
}

function sorted(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => sorted(inner, ''));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [name, sorted(inner, name)]);
  // Rules run from top to bottom: their order is part of what they mean, so it is kept as a list.
  if (key === 'prepare' || key === 'judge' || key === 'accept') return entries;
  return Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b)));
}
