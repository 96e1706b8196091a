import { compareAddress } from '../../../src/server/runs/run-address.ts';
import { Dialog } from '../dialog.tsx';
import { PlainText } from '../plain-text.tsx';
import type { Selection } from './alike.ts';

/** Numbers that were not made in the same way: they stand side by side only if somebody insists. */
export function NotAlikeDialog(props: { readonly selection: Selection; readonly onClose: () => void }) {
  const { runs, unlike } = props.selection;
  const [baseline] = runs;
  return (
    <Dialog title="These runs were not scored alike" onClose={props.onClose}>
      <p>
        Not scored as <PlainText text={baseline?.path ?? ''} /> was:
      </p>
      <ul class="unlike-list" role="list">
        {unlike.map(({ path, about }) => (
          <li key={path}>
            <PlainText text={path} />
            <span class="hint">
              {' '}
              <PlainText text={`${about?.task ?? ''} · ${about?.recipe ?? ''}`} />
            </span>
          </li>
        ))}
      </ul>
      <p>
        The recipe, its settings, the gold answers or the cases differ. A difference between the numbers may then come
        from the way they were scored and not from the systems. The safest fix is to score both in the same way. If you
        compare them anyway, the page lists what differs.
      </p>
      <div class="dialog-buttons">
        <button type="button" onClick={props.onClose}>
          Leave it
        </button>
        <a
          class="button primary"
          href={compareAddress(
            runs.map(({ path }) => path),
            true,
          )}
        >
          Compare anyway
        </a>
      </div>
    </Dialog>
  );
}
