export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503;

export interface RefusalDetails {
  readonly next?: string;
  /** What the log has beside the status; never anything secret. */
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where a person who asked for a page is led instead. */
  readonly location?: string;
  /** Fields of the body besides the message, such as which answers are missing. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The whole body, if it is not JSON. */
  readonly text?: string;
}

/** Why a request is not answered as asked; the message is for its sender. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly details: RefusalDetails;

  constructor(status: RefusalStatus, message: string, details: RefusalDetails = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.details = details;
  }
}

/** A value that was looked up, or a refusal that names what is not here. */
export function existing<T>(value: T | null, what: string): T {
  if (value === null) throw new Refusal(404, `${what} is not here`);
  return value;
}
