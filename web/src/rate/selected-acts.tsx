import { useEffect, useState } from 'preact/hooks';

import { listen } from '../listen.ts';
import { selectedWords } from '../text-place.ts';

const WIDTH = 96;
const HEIGHT = 44;

interface Place {
  readonly left: number;
  readonly top: number;
}

/** Beside words that were selected in the text: what can be done with them, for those without keys, as on a phone. */
export function SelectedActs(props: {
  readonly block: string;
  readonly under: string;
  readonly acts: readonly { readonly title: string; readonly sign: string; readonly run: () => void }[];
}) {
  const { block, under } = props;
  const width = WIDTH * props.acts.length;
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    let pressed = false;
    const look = () => setPlace(pressed ? null : placeBeside(block, under, width));
    // Nothing covers the text while words are being selected.
    const press = () => {
      pressed = true;
    };
    const release = () => {
      pressed = false;
      look();
    };
    const moves = { selectionchange: look, scroll: look };
    const presses = { pointerdown: press, pointerup: release, pointercancel: release };
    return listen(document, { ...moves, ...presses }, { capture: true, passive: true });
  }, [block, under, width]);
  if (place === null) return null;
  return (
    <div
      class="add-selected flow"
      style={{ left: `${place.left}px`, top: `${place.top}px` }}
      // A press elsewhere would take the selection away before the click has come.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {props.acts.map(({ title, sign, run }) => (
        <button key={sign} type="button" class="small" onClick={run}>
          {title} <kbd aria-hidden="true">{sign}</kbd>
        </button>
      ))}
    </div>
  );
}

/** Under the end of what is selected, within the window; null where nothing is selected, or it is out of sight. */
function placeBeside(block: string, under: string, width: number): Place | null {
  const words = selectedWords(block, under);
  const last = words === null ? undefined : [...(getSelection()?.getRangeAt(0).getClientRects() ?? [])].at(-1);
  if (words === null || words.text.trim() === '' || last === undefined) return null;
  if (last.bottom < HEIGHT || last.bottom > innerHeight - 2 * HEIGHT) return null;
  return { left: Math.max(8, Math.min(innerWidth - width - 8, last.right - width / 2)), top: last.bottom + 6 };
}
