import { useEffect, useState } from 'preact/hooks';

import { listen } from '../listen.ts';
import { selectedWords } from '../text-place.ts';

const WIDTH = 96;
const HEIGHT = 44;

interface Place {
  readonly left: number;
  readonly top: number;
}

/** Beside words that were selected in the text: adds them for those who have no `a` at hand, as on a phone. */
export function AddSelected(props: { readonly block: string; readonly under: string; readonly onAdd: () => void }) {
  const { block, under } = props;
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    let pressed = false;
    const look = () => setPlace(pressed ? null : placeBeside(block, under));
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
  }, [block, under]);
  if (place === null) return null;
  return (
    <button
      type="button"
      class="small add-selected"
      style={{ left: `${place.left}px`, top: `${place.top}px` }}
      // A press elsewhere would take the selection away before the click has come.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={props.onAdd}
    >
      Add <kbd aria-hidden="true">a</kbd>
    </button>
  );
}

/** Under the end of what is selected, within the window; null where nothing is selected, or it is out of sight. */
function placeBeside(block: string, under: string): Place | null {
  const words = selectedWords(block, under);
  const last = words === null ? undefined : [...(getSelection()?.getRangeAt(0).getClientRects() ?? [])].at(-1);
  if (words === null || words.text.trim() === '' || last === undefined) return null;
  if (last.bottom < HEIGHT || last.bottom > innerHeight - 2 * HEIGHT) return null;
  return { left: Math.max(8, Math.min(innerWidth - WIDTH - 8, last.right - WIDTH / 2)), top: last.bottom + 6 };
}
