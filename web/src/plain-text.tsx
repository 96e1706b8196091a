import { readablePieces } from './readable-pieces.ts';

export interface PlainTextProps {
  readonly text: string;
  readonly language?: string | null;
  /** The element around it, and its class. */
  readonly in?:
    | 'span'
    | 'p'
    | 'b'
    | 'strong'
    | 'code'
    | 'blockquote'
    | 'dt'
    | 'dd'
    | 'li'
    | 'td'
    | 'h1'
    | 'h2'
    | 'h3'
    | 'h4';
  readonly class?: string | undefined;
}

/** Text of others as text: nothing in it is markup, nothing in it is unseen, and it cannot turn its surroundings round. */
export function PlainText(props: PlainTextProps) {
  const text = (
    <bdi class="plain-text" lang={languageTag(props.language)}>
      <Pieces text={props.text} />
    </bdi>
  );
  return props.in === undefined ? text : <props.in class={props.class}>{text}</props.in>;
}

/** `from`: the place of the text in its block, which selecting text needs. */
export function Pieces(props: { readonly text: string; readonly from?: number }) {
  return (
    <>
      {readablePieces(props.text).map(({ start, text, named }) =>
        named === null ? (
          <span key={start} data-from={(props.from ?? 0) + start}>
            {text}
          </span>
        ) : (
          <span key={start} class="named-character" data-from={(props.from ?? 0) + start} data-named title={named}>
            {named}
          </span>
        ),
      )}
    </>
  );
}

/** A tag that a browser can use, or none. */
export function languageTag(language: string | null | undefined): string | undefined {
  return language != null && /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(language) ? language : undefined;
}
