import type { Live, RunHistory } from '../../../src/server/runs/live-data.ts';
import type { Overview } from '../../../src/review/api.ts';
import { hasKeys } from '../has-keys.ts';

const PATIENCE_MS = 20_000;

/** The server wants the token of the link first. */
export class EntryNeeded extends Error {
  override readonly name = 'EntryNeeded';
}

/** What is in the folder now; null where nothing has changed since `tag`. */
export async function askLive(
  tag: string | null,
): Promise<{ readonly live: Live; readonly tag: string | null } | null> {
  const response = await ask('/live', tag === null ? {} : { headers: { 'if-none-match': tag } });
  if (response.status === 304) return null;
  const live = await readBody<Live>(response, 'folder', 'runs', 'experiments', 'reviews', 'notices');
  return { live, tag: response.headers.get('etag') };
}

export async function askOverview(review: string): Promise<Overview> {
  const response = await ask(`/live/reviews/${encodeURIComponent(review)}`, {});
  return await readBody<Overview>(response, 'people', 'agreement', 'judge');
}

export async function askHistory(run: string): Promise<RunHistory> {
  const response = await ask(`/live/history?${new URLSearchParams({ run }).toString()}`, {});
  return await readBody<RunHistory>(response, 'recipe', 'runs');
}

/** Brings the token; whether it was the right one. */
export async function enter(token: string): Promise<boolean> {
  const { status } = await fetch('/live/entry', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  return status === 204;
}

async function ask(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, { ...init, cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) });
  if (response.status === 401) throw new EntryNeeded('The link is needed.');
  if (!response.ok && response.status !== 304) throw new Error(`The server answered with status ${response.status}.`);
  return response;
}

async function readBody<T>(response: Response, ...keys: readonly (keyof T & string)[]): Promise<T> {
  const body: unknown = await response.json();
  if (hasKeys<T>(body, ...keys)) return body;
  throw new Error('The server answered in a way this page does not understand: reload it.');
}
