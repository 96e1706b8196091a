/** A part of a list; the first page is 1. */
export interface Page {
  readonly page: number;
  readonly limit: number;
}

export interface Paged<T> {
  readonly rows: readonly T[];
  /** Of all pages, with rows that cannot be read: whether there is another page is told by this, not by `rows`. */
  readonly total: number;
  /** Where each row is on its page. Rows that cannot be read leave gaps. */
  readonly places: readonly number[];
}
