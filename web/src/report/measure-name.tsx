import { Fragment } from 'preact';

import { ShortText } from './short-text.tsx';

/** The name of a measure, which may break where its words end. */
export function MeasureName(props: { readonly name: string }) {
  return (
    <span class="measure-name medium">
      {props.name.split(/(?<=_)/).map((word, at) => (
        <Fragment key={at}>
          {at === 0 ? null : <wbr />}
          <ShortText text={word} />
        </Fragment>
      ))}
    </span>
  );
}
