/**
 * Where the page of a run is.
 *
 * @example runAddress('may/first try') // '/run/may/first%20try/'
 */
export function runAddress(path: string): string {
  return path === '.' ? '/run/' : `/run/${path.split('/').map(encodeURIComponent).join('/')}/`;
}

/** The address of a comparison of runs, the baseline first; `force` if they were not scored alike. */
export function compareAddress(paths: readonly string[], force = false): string {
  const query = new URLSearchParams(paths.map((path): [string, string] => ['run', path]));
  if (force) query.append('force', '1');
  return `/compare/?${query.toString()}`;
}
