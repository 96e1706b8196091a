import type { HashState } from '../text/content-hash.ts';
import type { Case } from './case.ts';
import { NO_FIELDS } from './item.ts';
import type { SpanList } from './span-list.ts';

/** One record as it was scanned. */
export interface ScannedSpans {
  readonly id: string;
  /** Bytes among which the document is a JSON string, with its quotes. */
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  /** Whether it may be UTF-8 that was read as something else. */
  readonly isSuspect: boolean;
  /** The hash of id and text. */
  readonly hash: HashState;
  readonly gold: SpanList;
  readonly predicted: SpanList;
  readonly scored?: ScoredSpans;
}

/** What another thread made of a case. */
export interface ScoredSpans {
  /** From `from` on, for each scheme: how many cells there are, each with its count; how many labels met, and the two. */
  readonly counts: Int32Array;
  readonly from: number;
  /** The number of a label here, by its number there. */
  readonly labelOf: readonly number[];
  /** Its part of the ledger, of so many rows; null where it was not asked for. */
  readonly ledger: Uint8Array | null;
  readonly rows: number;
}

/** A case whose spans have nothing but place, label and the text that stands there; items are made when asked for. */
export interface SpanCase extends Omit<Case, 'tokens'> {
  readonly text: string;
  readonly line: number;
  readonly file?: string;
  /** Also which case they belong to: a changed copy of it has other items. */
  readonly spans: ScannedSpans & { readonly of: object };
}

export function makeSpanCase(scanned: ScannedSpans, line: number): SpanCase {
  const { id, gold, predicted, bytes, from, to } = scanned;
  let [golds, predicteds]: (Case['gold'] | null)[] = [null, null];
  let text: string | null = null;
  const textOf = (): string => {
    if (text !== null) return text;
    const written = bytes.toString('utf8', from, to);
    return (text = written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1));
  };
  const made = {
    id,
    get text() {
      return textOf();
    },
    fields: NO_FIELDS,
    get gold() {
      return (golds ??= gold.items(textOf(), line));
    },
    get predicted() {
      return (predicteds ??= predicted.items(textOf(), line));
    },
    failed: null,
    answered: true,
    setAside: [],
    offsets: null,
    line,
    spans: { ...scanned, of: NO_FIELDS as object },
  };
  made.spans.of = made;
  return made;
}

export function isSpanCase(given: object): given is SpanCase {
  return 'spans' in given && typeof given.spans === 'object' && Reflect.get(given.spans ?? {}, 'of') === given;
}
