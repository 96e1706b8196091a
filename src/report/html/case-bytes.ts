import type { Case } from '../../data/case.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { CaseResult } from '../../measure/results.ts';
import type { ErrorType } from '../../figures/error-type.ts';
import { JsonBytes } from '../../score/json-bytes.ts';
import { writeLedgerLine } from '../../score/ledger-line.ts';
import { caseRecord } from '../../score/score-to-folder.ts';
import type { CaseDetail } from './report-data.ts';

/** A case that has just been scored. */
export interface ScoredCase {
  readonly given: Case;
  readonly result: CaseResult;
  /** Under the recipe's own pairing. */
  readonly verdicts: readonly Verdict[];
  readonly types: ReadonlyMap<Verdict, ErrorType>;
}

export const NO_TEXT = 'the files give no text for this case';

/** What ends a line of the ledger. */
const LINE_END = '}\n';

/**
 * The JSON of cases as bytes. Of one that was just scored it is written without making a CaseDetail of it, which takes
 * several times as long: the records are lines of the ledger with their type of error.
 */
export class CaseBytes {
  #bytes = new Uint8Array(1 << 16);
  #size = 0;
  readonly #json = new JsonBytes((piece) => this.#append(piece));

  /** Lent until the next one. */
  ofDetail(detail: CaseDetail): Uint8Array {
    this.#size = 0;
    this.#json.json(detail);
    return this.#taken();
  }

  /** The same for a case of one run, from what it was scored to. */
  ofScored({ given, result, verdicts, types }: ScoredCase): Uint8Array {
    const json = this.#json;
    this.#size = 0;
    json.raw('{"case":');
    json.string(result.case);
    json.raw(',"text":');
    if (given.text === null) json.raw(`null,"noText":"${NO_TEXT}"`);
    else {
      json.string(given.text);
      json.raw(',"noText":null');
    }
    json.raw(',"runs":[{"result":');
    json.json(caseRecord(result));
    json.raw(',"records":[');
    // A browser counts in UTF-16 units, as items do before they are written in the unit of the files.
    const inUtf16 = given.offsets === null ? given : { ...given, offsets: null };
    verdicts.forEach((verdict, at) => {
      if (at > 0) json.raw(',');
      writeLedgerLine(json, verdict, inUtf16);
      json.flush();
      this.#size -= LINE_END.length;
      const error = types.get(verdict);
      json.raw(error === undefined ? '}' : `,"error":"${error}"}`);
    });
    json.raw(']}]}');
    return this.#taken();
  }

  #taken(): Uint8Array {
    this.#json.flush();
    return this.#bytes.subarray(0, this.#size);
  }

  #append(piece: Uint8Array): void {
    const size = this.#size + piece.length;
    if (size > this.#bytes.length) {
      const wider = new Uint8Array(Math.max(size, this.#bytes.length * 2));
      wider.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = wider;
    }
    this.#bytes.set(piece, this.#size);
    this.#size = size;
  }
}
