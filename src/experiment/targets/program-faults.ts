import { withoutSecrets } from '../models/secrets.ts';
import { TargetError } from './target.ts';

const MOST_FAULTS = 10;

/** How often in a row a program of the user ended without an answer: it is not started for ever. */
export class Faults {
  readonly #who: string;
  #count = 0;
  #last = '';

  constructor(who: string) {
    this.#who = who;
  }

  note(reason: string): void {
    this.#count += 1;
    this.#last = reason;
  }

  /** There was an answer. */
  forget(): void {
    this.#count = 0;
  }

  /** Why it is not started again; null where it may be. */
  get tooMany(): TargetError | null {
    if (this.#count < MOST_FAULTS) return null;
    // The reason last: where the message is too long, its end is cut.
    const times = `${this.#who} failed ${this.#count} times in a row without an answer, and is not started again`;
    const again = 'once it is put right, --only-failed asks for these items again';
    return new TargetError({ kind: 'access', message: `${times} (${again}); the last time: ${this.#last}` });
  }
}

const SHOWN_WORDS = 300;

/** What a program of the user last wrote, to be put behind a reason; empty where it wrote nothing. */
export function lastWordsTail(words: string, secrets: readonly string[]): string {
  const said = withoutSecrets(words, secrets)
    .trim()
    .replaceAll(/\s*\n\s*/g, ' | ');
  return said === '' ? '' : `; it last wrote: ${said.slice(-SHOWN_WORDS)}`;
}
