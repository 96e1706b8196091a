import { useState } from 'preact/hooks';

import { Dialog } from '../dialog.tsx';
import { languageTag, PlainText } from '../plain-text.tsx';
import { useKeys } from '../use-keys.ts';
import { likelyGap, wordGaps } from './word-gaps.ts';

export function SplitDialog(props: {
  readonly text: string;
  readonly language: string | null;
  readonly onSplit: (at: number) => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title="Split in two" onClose={props.onClose}>
      <Chooser {...props} />
    </Dialog>
  );
}

function Chooser(props: {
  readonly text: string;
  readonly language: string | null;
  readonly onSplit: (at: number) => void;
  readonly onClose: () => void;
}) {
  const { text, onSplit } = props;
  const gaps = wordGaps(text);
  const [chosen, choose] = useState(() => gaps.indexOf(likelyGap(text) ?? -1));
  const gap = gaps[chosen] ?? 0;
  const go = (to: number) => choose(Math.max(0, Math.min(gaps.length - 1, to)));
  useKeys([
    { keys: ['ArrowLeft'], does: 'one word back', run: () => go(chosen - 1) },
    { keys: ['ArrowRight'], does: 'one word on', run: () => go(chosen + 1) },
    { keys: ['Home'], does: 'after the first word', run: () => go(0) },
    { keys: ['End'], does: 'before the last word', run: () => go(gaps.length - 1) },
    { keys: ['Enter', 's'], does: 'split', run: () => onSplit(gap) },
  ]);
  if (gaps.length === 0) return <p>It is a single word, which cannot be split.</p>;
  const words = [0, ...gaps].map((start, index) => ({ start, word: text.slice(start, gaps[index]) }));
  return (
    <>
      <p
        class="gap-chooser"
        role="slider"
        tabIndex={0}
        autofocus
        aria-label="Where to split"
        aria-valuemin={1}
        aria-valuemax={gaps.length}
        aria-valuenow={chosen + 1}
        aria-valuetext={`after: ${text.slice(0, gap).trim()}`}
        lang={languageTag(props.language)}
        dir="auto"
      >
        {words.map(({ start, word }, index) => (
          <span key={start}>
            {index === chosen + 1 ? <span class="gap" aria-hidden="true" /> : null}
            <span class={index <= chosen ? 'before' : 'after'} onClick={() => go(index - 1)}>
              <PlainText text={word} />
            </span>
          </span>
        ))}
      </p>
      <p class="hint">
        <kbd>←</kbd> <kbd>→</kbd> move the cut, or click on the word that the second claim begins with.
      </p>
      <div class="dialog-buttons flow">
        <button type="button" onClick={props.onClose}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={() => onSplit(gap)}>
          Split <kbd aria-hidden="true">Enter</kbd>
        </button>
      </div>
    </>
  );
}
