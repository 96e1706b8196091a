import { join } from 'node:path';

/** Stands for the address of the server, in what was recorded. */
export const SERVER = 'http://server.invalid';
export const TRAFFIC_FILE = join(import.meta.dirname, 'traffic.jsonl');
export const KEYS = { publicKey: 'pk-lf-of-the-tests', secretKey: 'sk-lf-of-the-tests' };

/** A request of the Python SDK, and what the embedded server answered. */
export interface Exchange {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A body of JSON as it was sent; any other in base64. */
  readonly text?: string;
  readonly base64?: string;
  readonly status: number;
  /** JSON, else base64. */
  readonly answer?: unknown;
}
