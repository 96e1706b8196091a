/** A part of a list; the first page is 1. */
export interface Page {
  readonly page: number;
  readonly limit: number;
}

export interface Paged<T> {
  readonly rows: readonly T[];
  /** Of all pages. */
  readonly total: number;
}
