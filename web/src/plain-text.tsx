import { readablePieces } from './readable-pieces.ts';

/** Text of others as text: nothing in it is markup, nothing in it is unseen, and it cannot turn its surroundings round. */
export function PlainText(props: { readonly text: string; readonly language?: string | null }) {
  return (
    <bdi class="plain-text" lang={languageTag(props.language)}>
      <Pieces text={props.text} />
    </bdi>
  );
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
