import { useEffect, useRef } from 'preact/hooks';

import type { Revealed } from '../../../src/review/api.ts';
import type { ReviewCell } from '../../../src/store/review-records.ts';
import { PlainText } from '../plain-text.tsx';
import type { Form } from './stops.ts';
import { questionWords, valueWords } from '../value-words.ts';

export function RevealedPanel(props: { readonly revealed: Revealed; readonly form: Form }) {
  const { system, automatic, judge, others } = props.revealed;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <section class="revealed stack card" aria-label="Shown now that the item is done" tabIndex={-1} ref={panel}>
      <h3>Shown now that you are done with it</h3>
      {system === undefined ? null : (
        <p>
          Written by <PlainText in="strong" text={system} />.
        </p>
      )}
      {automatic === undefined || Object.keys(automatic).length === 0 ? null : (
        <>
          <h4>By rules</h4>
          <dl class="revealed-list fine stack tight">
            {Object.entries(automatic).map(([name, value]) => (
              <div key={name}>
                <PlainText in="dt" class="muted" text={name} />
                <PlainText in="dd" text={typeof value === 'string' ? value : JSON.stringify(value)} />
              </div>
            ))}
          </dl>
        </>
      )}
      {judge === undefined || judge.length === 0 ? null : <Said by="A model" cells={judge} form={props.form} />}
      {others?.map(({ reviewer, cells }) => (
        <Said key={reviewer} by={reviewer} cells={cells} form={props.form} />
      ))}
    </section>
  );
}

function Said(props: { readonly by: string; readonly cells: readonly ReviewCell[]; readonly form: Form }) {
  return (
    <>
      <PlainText in="h4" text={props.by} />
      <dl class="revealed-list fine stack tight">
        {props.cells.map(({ field, part, value }) => (
          <div key={`${field}/${part ?? ''}`}>
            <PlainText in="dt" class="muted" text={questionWords(props.form[field], field, part)} />
            <PlainText in="dd" text={valueWords(props.form[field], value)} />
          </div>
        ))}
      </dl>
    </>
  );
}
