import { once } from 'node:events';

import { counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import type { Finding } from '../../tasks/stream/validate/findings.ts';
import type { Validation } from '../../tasks/stream/validate/validate.ts';

/** Of one file, in text: whoever has more has one cause, not a hundred. */
const MOST_LINES = 100;
const WRITE_AT = 1 << 16;

/** Written in large pieces: there may be millions of lines. */
class Output {
  #held = '';

  write(text: string): void {
    this.#held += text;
    if (this.#held.length > WRITE_AT) this.flush();
  }

  /** Once whoever reads has caught up: otherwise all of it would wait in memory. */
  async written(): Promise<void> {
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  }

  flush(): void {
    if (this.#held !== '') process.stdout.write(this.#held);
    this.#held = '';
  }
}

/** One line a problem. */
export class TextProblems extends Output {
  readonly #counts = new Map<string, number>();

  add({ file, record, message }: Finding): void {
    const before = this.#counts.get(file) ?? 0;
    this.#counts.set(file, before + 1);
    if (before < MOST_LINES) this.write(safeText(`${file}${record === null ? '' : `:${record}`}: ${message}`) + '\n');
  }

  end(): void {
    for (const [file, times] of this.#counts)
      if (times > MOST_LINES)
        this.write(`${safeText(file)}: … and ${counted(times - MOST_LINES, 'more problem')}; --json shows all\n`);
    this.flush();
  }
}

/** One document, written as its parts are found. */
export class JsonProblems extends Output {
  #any = false;

  add(finding: Finding): void {
    // Its texts are safe already.
    this.write(`${this.#any ? ',' : '{"problems":['}\n${JSON.stringify(finding)}`);
    this.#any = true;
  }

  end({ problems, files, records, notices, parsing, traces }: Validation, verbose: boolean): void {
    const begin = this.#any ? '\n' : '{"problems":[';
    const listed = traces.map(({ file, caseId, turns, deltas, parsing: own }) => ({
      file,
      case_id: caseId,
      turns,
      deltas,
      parsing_statistics: own,
    }));
    const facts = safeJson(
      {
        valid: problems === 0,
        problemCount: problems,
        files,
        records,
        notices,
        parsing_statistics: parsing,
        ...(verbose ? { traces: listed } : {}),
      },
      0,
    );
    this.write(`${begin}],${facts.slice(1)}`);
    this.flush();
  }
}
