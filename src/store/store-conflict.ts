/** What was asked contradicts what is there, or cannot be kept: nothing was changed. */
export class StoreConflict extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreConflict';
  }
}
