const NAMES = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
} as const;

export type RefusalStatus = keyof typeof NAMES;

/** A field of a request and what is wrong with it, as Langfuse lists them. */
export interface Issue {
  readonly code: 'custom';
  readonly path: readonly string[];
  readonly message: string;
}

/** Why a request is not answered as asked; the message is for whoever sent it. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly issues: readonly Issue[] | null;

  constructor(status: RefusalStatus, message: string, issues: readonly Issue[] | null = null) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.issues = issues;
  }
}

export function notFound(what: string): Refusal {
  return new Refusal(404, `${what} is not here`);
}

export function refusalBody(status: RefusalStatus, message: string, issues: readonly Issue[] | null = null): string {
  return JSON.stringify({ message, error: issues ?? NAMES[status] });
}
