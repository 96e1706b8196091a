/** The server is of the same release, so this looks only for a stranger's answer or another release's. */
export function hasKeys<T>(body: unknown, ...keys: readonly (keyof T & string)[]): body is T {
  return typeof body === 'object' && body !== null && keys.every((key) => key in body);
}
