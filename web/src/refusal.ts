import type { Refused } from '../../src/review/api.ts';

/** The server answered, and the answer is no. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** What the person can do about it, where there is something. */
  readonly next: string | null;
  readonly missing: NonNullable<Refused['missing']>;

  constructor(status: number, message: string, next: string | null, missing: NonNullable<Refused['missing']> = []) {
    super(message);
    this.status = status;
    this.next = next;
    this.missing = missing;
  }

  /** Busy or broken, as reported by a proxy or a server that is starting: asking again may help. */
  get passing(): boolean {
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** No answer came: the server is off, or the network is. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor(cause: unknown) {
    super('The review server does not answer.', { cause });
  }
}
