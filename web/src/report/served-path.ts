/**
 * The path of the run whose page an address leads to, as the list has it; null for a comparison.
 *
 * @example servedPath('/run/may/first%20try/') // 'may/first try'
 */
export function servedPath(pathname: string): string | null {
  const path = /^\/run\/(.+)\/$/.exec(pathname)?.[1];
  try {
    return path === undefined ? null : decodeURIComponent(path);
  } catch {
    return null;
  }
}
