/**
 * What has to be done when a block ends, however it ends, the last first; of errors, the first is thrown. Node 22 has no
 * AsyncDisposableStack.
 *
 * @example await using cleanup = new Cleanup(); cleanup.defer(() => rm(file))
 */
export class Cleanup implements AsyncDisposable {
  readonly #works: (() => unknown)[] = [];

  defer(work: () => unknown): void {
    this.#works.push(work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (const work of this.#works.toReversed())
      try {
        await work();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  }
}
