import { Dialog } from '../dialog.tsx';
import { useKeys } from '../use-keys.ts';
import type { OtherValue } from './other-values.ts';

export function OtherValueDialog(props: {
  readonly question: string;
  readonly values: readonly OtherValue[];
  readonly onChoose: (value: OtherValue) => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title="Another value" onClose={props.onClose}>
      <p class="hint">{props.question}</p>
      <Values values={props.values} onChoose={props.onChoose} />
    </Dialog>
  );
}

/** Inside the dialog, so that its keys belong to the dialog's layer. */
function Values(props: { readonly values: readonly OtherValue[]; readonly onChoose: (value: OtherValue) => void }) {
  useKeys(
    props.values
      .filter(({ key }) => key !== '')
      .map((value) => ({ keys: [value.key], does: value.words, run: () => props.onChoose(value) })),
  );
  return (
    <ul class="other-values stack tight">
      {props.values.map((value) => (
        <li key={String(value.value)}>
          <button type="button" class="other-value" onClick={() => props.onChoose(value)}>
            {value.key === '' ? null : <kbd aria-hidden="true">{value.key}</kbd>}
            <span>
              {value.words}
              {value.help === '' ? null : <span class="hint">{value.help}</span>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
