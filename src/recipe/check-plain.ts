import { isRecord } from '../data/record-fields.ts';
import { settingError } from '../prepare/setting-error.ts';

const DEEPEST = 32;

/** Refuses what no recipe needs and what could do harm: names that reach into every object, nesting without end. */
export function checkPlain(value: unknown, path: readonly string[] = []): void {
  if (path.length > DEEPEST) throw settingError(path.slice(0, 3), 'it is nested too deeply');
  if (Array.isArray(value)) value.forEach((inner: unknown, at) => checkPlain(inner, [...path, String(at)]));
  if (!isRecord(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') throw settingError([...path, key], 'no setting can be called so');
    checkPlain(inner, [...path, key]);
  }
}
