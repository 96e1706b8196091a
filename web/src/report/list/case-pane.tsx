import { useEffect, useRef } from 'preact/hooks';

import { count } from '../../../../src/text/figures.ts';
import { ShortText } from '../short-text.tsx';
import { useLoaded } from '../loaded.ts';
import { CaseView } from '../other-views.tsx';
import { useReport } from '../report-context.ts';

/** One case in full, with the way to its neighbours in the list and back. */
export function CasePane(props: {
  readonly id: string;
  /** null where the report has no such case. */
  readonly row: number | null;
  /** Place in the list as filtered, and how many are in it; -1 where it is not. */
  readonly at: number;
  readonly of: number;
  readonly previous: string | null;
  readonly next: string | null;
  readonly back: string;
  /** Whether the list is beside it. */
  readonly beside: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const pane = useRef<HTMLElement>(null);
  // If the case fills the screen, reading begins with it.
  useEffect(() => {
    if (!props.beside) heading.current?.focus({ preventScroll: true });
  }, [props.beside]);
  useEffect(() => pane.current?.scrollTo(0, 0), [props.id]);
  return (
    <section class="case-pane" aria-labelledby="case-title" ref={pane}>
      <header class="pane-head">
        <a class="back" href={props.back} title={props.beside ? 'Close' : 'Back to the list'}>
          <span aria-hidden="true">{props.beside ? '✕' : '←'}</span>
          <span class={props.beside ? 'unseen' : undefined}>{props.beside ? 'Close' : 'List'}</span>
        </a>
        <h2 id="case-title" tabIndex={-1} ref={heading}>
          <ShortText text={props.id} />
        </h2>
        <p class="hint count position">
          {props.at < 0 ? 'not in the list as filtered' : `${count(props.at + 1)} of ${count(props.of)}`}
        </p>
        <nav class="steps" aria-label="Cases of the list">
          <Step href={props.previous} sign="↑" words="Previous case" />
          <Step href={props.next} sign="↓" words="Next case" />
        </nav>
      </header>
      {props.row === null ? (
        <p class="notice warn">This report has no case {props.id === '' ? 'at this place' : 'of this name'}.</p>
      ) : (
        <CaseContent row={props.row} id={props.id} />
      )}
    </section>
  );
}

function Step(props: { readonly href: string | null; readonly sign: string; readonly words: string }) {
  if (props.href === null)
    return (
      <span class="step off" aria-hidden="true">
        {props.sign}
      </span>
    );
  return (
    <a class="step" href={props.href} title={props.words} aria-label={props.words}>
      <span aria-hidden="true">{props.sign}</span>
    </a>
  );
}

function CaseContent(props: { readonly row: number; readonly id: string }) {
  const { source, head, state, go } = useReport();
  const detail = useLoaded(props.row, async () => await source.detail(props.row));
  switch (detail.kind) {
    case 'loading':
      return <p class="hint loading">Opening the case…</p>;
    case 'fault':
      return (
        <p class="notice fault" role="alert">
          {detail.message}
        </p>
      );
    case 'ready':
      if (detail.value === null) return <NoDetail id={props.id} until={head.detailsUntil} />;
      return (
        <div class="case-content">
          <CaseView
            key={props.id}
            head={head}
            detail={detail.value}
            selected={state.item}
            onSelect={(item) => go({ item }, 'replace')}
          />
        </div>
      );
  }
}

/** Why a case is in the list alone, and how to see it anyway. */
function NoDetail(props: { readonly id: string; readonly until: number | null }) {
  return (
    <div class="notice">
      <p>
        This file holds the first {props.until === null ? '' : `${count(props.until)} `}cases in full and only the
        counts of the others: with all of them it would be too large to open. The run folder has every verdict.
      </p>
      <p>
        In a terminal: <code>assay explain RUN --case</code>{' '}
        <code>
          <ShortText text={JSON.stringify(props.id)} />
        </code>
      </p>
    </div>
  );
}
