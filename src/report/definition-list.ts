import { displayWidth, wrapWords } from './display-width.ts';

/**
 * Names with what they are, in two columns that fit a width: for help texts.
 *
 * @example definitionList([['merge', 'joins neighbours']], 80) // ['  merge  joins neighbours']
 */
export function definitionList(rows: readonly (readonly [name: string, about: string])[], width: number): string[] {
  const names = Math.max(0, ...rows.map(([name]) => displayWidth(name)));
  const room = Math.max(20, width - names - 4);
  return rows.flatMap(([name, about]) =>
    wrapWords(about, room).map((line, at) => `  ${(at === 0 ? name : '').padEnd(names)}  ${line}`.trimEnd()),
  );
}
