import { useEffect, useId, useRef, useState } from 'preact/hooks';

import type { TextHits, TextPage, TextPlace, TextsView } from '../../../src/review/api.ts';
import type { Api } from '../api.ts';
import { LoadFault } from '../lone-page.tsx';
import { Passage } from '../passage.tsx';
import { Pieces, PlainText } from '../plain-text.tsx';
import { segmentsOf, type TextSpan } from '../text-segments.ts';
import { type Loaded, useLoaded } from '../use-loaded.ts';
import './source-texts.css';

/** What is sought, and how often it was asked for: the same words again are a new wish. */
export interface TextWish {
  readonly query: string;
  readonly turn: number;
}

/** A page of a text, at a place that is brought into view where there is one. */
interface OpenText {
  readonly text: string;
  readonly page: number;
  readonly at: TextPlace | null;
}

export function SourceTexts(props: {
  readonly api: Api;
  readonly item: string;
  readonly wish: TextWish;
  /** The words of the claim that the person is at; '' where they are at none. */
  readonly words: string;
}) {
  const { api, item, wish, words } = props;
  const field = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(wish.query);
  const [sought, setSought] = useState({ query: wish.query, skip: 0 });
  const [open, setOpen] = useState<OpenText | null>(null);
  const { state, retry } = useLoaded(item, () => api.texts(item));

  const seek = (query: string): void => {
    setTyped(query);
    setSought({ query: query.trim(), skip: 0 });
    setOpen(null);
  };
  useEffect(() => {
    if (wish.query !== '') seek(wish.query);
    input.current?.focus();
  }, [wish]);

  return (
    <div class="source-texts stack">
      <form
        role="search"
        class="text-search flow"
        onSubmit={(event) => {
          event.preventDefault();
          seek(typed);
        }}
      >
        <label for={field}>Search the texts</label>
        <input
          id={field}
          ref={input}
          type="search"
          maxLength={400}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="small">
          Search
        </button>
        {words === '' ? null : (
          <button type="button" class="quiet small" onClick={() => seek(words.slice(0, 400))}>
            Words of the claim
          </button>
        )}
      </form>
      {open !== null ? (
        <TextReader api={api} item={item} open={open} setOpen={setOpen} isFound={sought.query !== ''} />
      ) : sought.query !== '' ? (
        <Hits api={api} item={item} sought={sought} setSkip={(skip) => setSought({ ...sought, skip })} open={setOpen} />
      ) : null}
      {open !== null || sought.query !== '' ? null : <Shelf state={state} retry={retry} open={setOpen} />}
    </div>
  );
}

function Shelf(props: {
  readonly state: Loaded<TextsView>;
  readonly retry: () => void;
  readonly open: (open: OpenText) => void;
}) {
  const { state, open } = props;
  if (state.kind === 'fault') return <LoadFault fault={state.fault} retry={props.retry} />;
  if (state.kind === 'loading') return <Waiting />;
  const { texts, passages } = state.value;
  return (
    <>
      {passages.length === 0 ? null : (
        <section>
          <h3 class="block-title">
            {passages.length === 1 ? 'The retrieved passage' : `All ${passages.length} retrieved passages`}
          </h3>
          <ol class="passage-list stack">
            {passages.map(({ id, source, text, place }) => (
              <Passage key={id} source={source} words={text}>
                {place === null ? (
                  <span class="hint">Not found in the texts</span>
                ) : (
                  <OpenButton place={place} name={texts.find((one) => one.id === place.text)?.name ?? ''} open={open} />
                )}
              </Passage>
            ))}
          </ol>
        </section>
      )}
      <section>
        <h3 class="block-title">Texts</h3>
        <ul class="text-list">
          {texts.map(({ id, name }) => (
            <li key={id}>
              <button type="button" class="quiet small" onClick={() => open({ text: id, page: 0, at: null })}>
                <PlainText text={name} />
              </button>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function OpenButton(props: {
  readonly place: TextPlace;
  readonly name: string;
  readonly open: (open: OpenText) => void;
}) {
  const { place } = props;
  return (
    <button
      type="button"
      class="quiet small"
      onClick={() => props.open({ text: place.text, page: place.page, at: place })}
    >
      Open in <PlainText text={props.name} />
    </button>
  );
}

function Hits(props: {
  readonly api: Api;
  readonly item: string;
  readonly sought: { readonly query: string; readonly skip: number };
  readonly setSkip: (skip: number) => void;
  readonly open: (open: OpenText) => void;
}) {
  const { api, item, sought, setSkip } = props;
  const key = JSON.stringify([item, sought]);
  const { state, retry } = useLoaded<TextHits>(key, () => api.searchTexts(item, sought.query, sought.skip));
  if (state.kind === 'fault') return <LoadFault fault={state.fault} retry={retry} />;
  if (state.kind === 'loading') return <Waiting />;
  const { hits, total, skip } = state.value;
  const last = skip + hits.length;
  return (
    <section aria-label="Places found">
      <p class="hint" role="status">
        {total === 0
          ? 'No place has any of these words. Whole words are sought, in any order.'
          : `Places ${skip + 1} to ${last} of ${total}, those that fit best first`}
      </p>
      <ol class="passage-list stack" start={skip + 1}>
        {hits.map((hit) => (
          <Passage
            key={`${hit.text} ${hit.start}`}
            source={
              <>
                <PlainText text={hit.name} />
                {hit.isRetrieved ? <span class="retrieved-note">retrieved</span> : null}
              </>
            }
            words={<Marked text={hit.excerpt} from={0} spans={hit.marks.map((mark) => ({ ...mark, id: 'found' }))} />}
          >
            <OpenButton place={hit} name={hit.name} open={props.open} />
          </Passage>
        ))}
      </ol>
      <Turns
        back={skip > 0 ? () => setSkip(Math.max(0, skip - 10)) : null}
        on={last < total ? () => setSkip(last) : null}
        what="places"
      />
    </section>
  );
}

function TextReader(props: {
  readonly api: Api;
  readonly item: string;
  readonly open: OpenText;
  readonly setOpen: (open: OpenText | null) => void;
  readonly isFound: boolean;
}) {
  const { api, item, open, setOpen } = props;
  const shown = useRef<HTMLElement>(null);
  const { state, retry } = useLoaded<TextPage>(JSON.stringify([item, open.text, open.page]), () =>
    api.textPage(item, open.text, open.page),
  );
  const isReady = state.kind === 'ready';
  useEffect(() => {
    if (!isReady) return;
    shown.current?.focus({ preventScroll: true });
    const mark = shown.current?.querySelector('.at-place') ?? shown.current;
    mark?.scrollIntoView({ block: mark === shown.current ? 'nearest' : 'center' });
  }, [isReady, open]);
  if (state.kind === 'fault') return <LoadFault fault={state.fault} retry={retry} />;
  if (state.kind === 'loading') return <Waiting />;
  const { name, page, pages, start, content, retrieved } = state.value;
  const spans: readonly TextSpan[] = [
    ...retrieved.map((span) => ({ ...span, id: 'retrieved' })),
    ...(open.at === null ? [] : [{ id: 'at-place', start: open.at.start, end: open.at.end }]),
  ].map((span) => ({ id: span.id, start: span.start - start, end: span.end - start }));
  const turn = (by: 1 | -1) => () => setOpen({ ...open, page: page + by, at: null });
  return (
    <section class="text-reader" aria-label="Source text" tabIndex={-1} ref={shown}>
      <p class="text-head flow">
        <button type="button" class="quiet small" onClick={() => setOpen(null)}>
          <span aria-hidden="true">←</span> {props.isFound ? 'Places found' : 'All texts'}
        </button>
        <PlainText in="strong" text={name} />
        <span class="hint">
          page {page + 1} of {pages}
          {retrieved.length === 0 ? '' : '; what was retrieved is underlined'}
        </span>
      </p>
      <div class="text source-page pre" dir="auto">
        <Marked text={content} from={start} spans={spans} />
      </div>
      <Turns back={page > 0 ? turn(-1) : null} on={page + 1 < pages ? turn(1) : null} what="page" />
    </section>
  );
}

function Turns(props: {
  readonly back: (() => void) | null;
  readonly on: (() => void) | null;
  readonly what: 'page' | 'places';
}) {
  if (props.back === null && props.on === null) return null;
  return (
    <p class="turns">
      <button type="button" class="small" disabled={props.back === null} onClick={() => props.back?.()}>
        Previous {props.what}
      </button>
      <button type="button" class="small" disabled={props.on === null} onClick={() => props.on?.()}>
        Next {props.what}
      </button>
    </p>
  );
}

function Waiting() {
  return (
    <p class="hint" aria-busy="true">
      Looking…
    </p>
  );
}

/** A text with stretches marked by the classes that are the ids of the spans. Everything is text, whatever it contains. */
function Marked(props: { readonly text: string; readonly from: number; readonly spans: readonly TextSpan[] }) {
  // Spans of one class may touch or overlap: each counts by itself, and one mark is enough.
  const spans = props.spans.map((span, at) => ({ ...span, id: `${at} ${span.id}` }));
  return (
    <>
      {segmentsOf(props.text.length, spans).map(({ start, end, spans: ids }) => {
        const pieces = <Pieces text={props.text.slice(start, end)} from={props.from + start} />;
        const classes = [...new Set(ids.map((id) => id.slice(id.indexOf(' ') + 1)))].join(' ');
        return classes === '' ? (
          <span key={start}>{pieces}</span>
        ) : (
          <mark key={start} class={classes}>
            {pieces}
          </mark>
        );
      })}
    </>
  );
}
