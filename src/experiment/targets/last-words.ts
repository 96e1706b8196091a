import { withoutSecrets } from '../models/secrets.ts';

const KEPT = 4096;
const SHOWN = 300;

/** What a program of the user last wrote, beside its answers: mostly it says why there is none. */
export class LastWords {
  readonly #secrets: readonly string[];
  #text = '';

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  hear(text: string): void {
    this.#text = (this.#text + text).slice(-KEPT);
  }

  /** To be put behind a reason; empty where it wrote nothing. */
  get tail(): string {
    const said = withoutSecrets(this.#text, this.#secrets)
      .trim()
      .replaceAll(/\s*\n\s*/g, ' | ');
    return said === '' ? '' : `; it last wrote: ${said.slice(-SHOWN)}`;
  }
}
