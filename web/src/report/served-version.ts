const PATIENCE_MS = 10_000;

/** What asking the server came to. */
export type VersionAnswer =
  | { readonly kind: 'version'; readonly version: string }
  /** There is no such run. */
  | { readonly kind: 'gone' }
  /** The token of the link is needed again. */
  | { readonly kind: 'shut' }
  | { readonly kind: 'unreachable' };

/** The version of what this page shows, as the server that sent it wrote it in; null in a file on a disk. */
export function servedVersion(): string | null {
  if (!/^https?:$/.test(location.protocol)) return null;
  return document.querySelector<HTMLMetaElement>('meta[name="assay-version"]')?.content ?? null;
}

/** The version that the server has now. */
export async function askVersion(): Promise<VersionAnswer> {
  try {
    const response = await fetch(`version${location.search}`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.status === 401) return { kind: 'shut' };
    if (response.status === 404) return { kind: 'gone' };
    const body: unknown = await response.json();
    if (typeof body === 'object' && body !== null && 'version' in body && typeof body.version === 'string')
      return { kind: 'version', version: body.version };
  } catch {
    // Said once it has happened a few times.
  }
  return { kind: 'unreachable' };
}
