/** What a record has instead of a list. */
export type MissingList = 'absent' | 'null';
