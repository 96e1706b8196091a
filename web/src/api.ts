import type {
  CommitRequest,
  ConflictList,
  ConflictView,
  DecideRequest,
  ItemView,
  Me,
  Overview,
  Refused,
  Saved,
  SaveRequest,
  TextHits,
  TextPage,
  TextsView,
} from '../../src/review/api.ts';
import { hasKeys } from './has-keys.ts';
import { Refusal, Unreachable } from './refusal.ts';

const PATIENCE_MS = 20_000;
/** Browsers refuse to let more than 64 KiB outlive a page; characters may take three bytes. */
const KEEPALIVE_MOST = 20_000;

/** Calls to the review server on behalf of the token's holder. They throw only Refusal and Unreachable. */
export class Api {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  async me(): Promise<Me> {
    return await this.#ask<Me>('me', 'person', 'review', 'form', 'queue');
  }

  async item(item: string): Promise<ItemView> {
    return await this.#ask<ItemView>(`items/${encodeURIComponent(item)}`, 'content', 'fields', 'cells');
  }

  /** `leaving`: the page is about to close, and the request is to outlive it. */
  async save(item: string, request: SaveRequest, leaving = false): Promise<Saved> {
    return await this.#tell<Saved>(`items/${encodeURIComponent(item)}/events`, request, leaving, 'version');
  }

  async commit(item: string, request: CommitRequest, leaving = false): Promise<Saved> {
    return await this.#tell<Saved>(`items/${encodeURIComponent(item)}/commit`, request, leaving, 'version');
  }

  async reopen(item: string, request: CommitRequest, leaving = false): Promise<Saved> {
    return await this.#tell<Saved>(`items/${encodeURIComponent(item)}/reopen`, request, leaving, 'version');
  }

  async texts(item: string): Promise<TextsView> {
    return await this.#ask<TextsView>(`texts?${new URLSearchParams({ item })}`, 'texts', 'passages');
  }

  async searchTexts(item: string, q: string, skip: number): Promise<TextHits> {
    const query = new URLSearchParams({ item, q, skip: String(skip) });
    return await this.#ask<TextHits>(`texts/search?${query}`, 'hits', 'total');
  }

  async textPage(item: string, text: string, page: number): Promise<TextPage> {
    const query = new URLSearchParams({ item, page: String(page) });
    return await this.#ask<TextPage>(`texts/${encodeURIComponent(text)}?${query}`, 'content', 'retrieved');
  }

  async conflicts(): Promise<ConflictList> {
    return await this.#ask<ConflictList>('conflicts', 'conflicts');
  }

  async conflict(id: string): Promise<ConflictView> {
    return await this.#ask<ConflictView>(`conflicts/${encodeURIComponent(id)}`, 'content', 'question', 'answers');
  }

  async decide(id: string, request: DecideRequest, leaving = false): Promise<ConflictList> {
    const path = `conflicts/${encodeURIComponent(id)}/decision`;
    return await this.#tell<ConflictList>(path, request, leaving, 'conflicts');
  }

  async overview(): Promise<Overview> {
    return await this.#ask<Overview>('overview', 'people', 'agreement', 'divided');
  }

  /** A link cannot carry the token in a header, so the file is fetched and then offered. */
  async exported(format: 'csv' | 'jsonl'): Promise<Blob> {
    const response = await this.#fetch(`export.${format}`, {});
    return await whole(response.blob());
  }

  async #ask<T>(path: string, ...keys: readonly (keyof T & string)[]): Promise<T> {
    return shaped<T>(await parsed(await this.#fetch(path, {})), keys);
  }

  async #tell<T>(path: string, body: object, leaving: boolean, key: keyof T & string): Promise<T> {
    const text = JSON.stringify(body);
    const keepalive = leaving && text.length < KEEPALIVE_MOST;
    return shaped<T>(await parsed(await this.#fetch(path, { method: 'POST', body: text, keepalive })), [key]);
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const response = await whole(
      fetch(new URL(`api/review/${path}`, document.baseURI), {
        ...init,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(init.body == null ? {} : { 'content-type': 'application/json' }),
        },
        cache: 'no-store',
        credentials: 'omit',
        signal: AbortSignal.timeout(PATIENCE_MS),
      }),
    );
    if (!response.ok) throw await refusalOf(response);
    return response;
  }
}

async function whole<T>(pending: Promise<T>): Promise<T> {
  try {
    return await pending;
  } catch (error) {
    throw new Unreachable(error);
  }
}

async function parsed(response: Response): Promise<unknown> {
  const text = await whole(response.text());
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(502, 'Something other than the review server answered.', 'Open the link again in a moment.');
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  const body: unknown = await parsed(response).catch(() => null);
  if (!hasKeys<Refused>(body, 'error')) {
    return new Refusal(response.status, `The server answered with status ${response.status}.`, null);
  }
  return new Refusal(response.status, body.error.message, body.error.next, body.missing ?? []);
}

function shaped<T>(body: unknown, keys: readonly (keyof T & string)[]): T {
  if (hasKeys<T>(body, ...keys)) return body;
  throw new Refusal(502, 'The server answered in a way this page does not understand.', 'Reload the page.');
}
