import { Fragment } from 'preact';

import { ShortText } from './short-text.tsx';

/** The name of a measure, which may break where its words end, and its symbol. */
export function MeasureName(props: { readonly name: string; readonly symbol?: string | undefined }) {
  return (
    <span class="measure-name medium">
      {props.name.split(/(?<=_)/).map((word, at) => (
        <Fragment key={at}>
          {at === 0 ? null : <wbr />}
          <ShortText text={word} />
        </Fragment>
      ))}
      {props.symbol === undefined ? null : (
        <span class="fine muted plain">
          {' '}
          <ShortText text={props.symbol} />
        </span>
      )}
    </span>
  );
}
