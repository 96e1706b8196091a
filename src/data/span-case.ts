import type { Case } from './case.ts';
import { NO_FIELDS } from './item.ts';
import type { ScannedSpans } from './span-scanner.ts';

/** A case whose spans have nothing but place, label and the text that stands there; items are made when asked for. */
export interface SpanCase extends Omit<Case, 'tokens'> {
  readonly text: string;
  readonly line: number;
  /** Also which case they belong to: a changed copy of it has other items. */
  readonly spans: ScannedSpans & { readonly of: object };
}

export function makeSpanCase(scanned: ScannedSpans, line: number): SpanCase {
  const { id, gold, predicted, bytes, from, to } = scanned;
  let [golds, predicteds]: (Case['gold'] | null)[] = [null, null];
  let text: string | null = null;
  const textOf = (): string => (text ??= String(JSON.parse(bytes.toString('utf8', from, to))));
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
