/**
 * The paths of the runs whose page an address leads to, as the list of the server has them, the baseline of a comparison
 * first; none for a file.
 *
 * @example servedPaths({ pathname: '/run/may/first%20try/', search: '' }) // ['may/first try']
 */
export function servedPaths({ pathname, search }: { readonly pathname: string; readonly search: string }): string[] {
  if (pathname === '/compare/') return new URLSearchParams(search).getAll('run');
  const path = /^\/run\/(?:(.+)\/)?$/.exec(pathname);
  try {
    return path === null ? [] : [decodeURIComponent(path[1] ?? '.')];
  } catch {
    return [];
  }
}
