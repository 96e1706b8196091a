import type { Answering } from './answering.ts';
import { isSameStop, type Stop, stopKey } from './stops.ts';

/** Attributes by which a row is found, and seen to be the one that keys answer. */
export function rowAttributes({ missing, current }: Answering, stop: Stop, kind: string) {
  const classes = [
    'row stack tight',
    kind,
    isSameStop(current, stop) ? 'current' : '',
    isMissing(missing, stop) ? 'missing' : '',
  ];
  return { class: classes.filter((name) => name !== '').join(' '), 'data-stop': stopKey(stop) };
}

export function RowFault(props: { readonly answering: Answering; readonly stop: Stop }) {
  const { state, missing } = props.answering;
  const fault = state.faults[stopKey(props.stop)];
  if (fault !== undefined) {
    return (
      <p class="fault" role="alert">
        {fault}
      </p>
    );
  }
  return isMissing(missing, props.stop) ? <p class="fault">An answer is missing here.</p> : null;
}

function isMissing(missing: readonly Stop[], stop: Stop): boolean {
  return missing.some((other) => isSameStop(other, stop));
}
