import './svg-figure.css';

import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { adoptFigure } from './figures/adopt-figure.ts';
import { moveFocus, pickedData } from './figures/pickable.ts';
import { saveFile } from '../save-file.ts';
import { useSize } from './list/use-size.ts';
import { shortName } from './short-name.ts';

/** A narrower place has no room for a figure: it is shrunk. */
const LEAST = 280;

/** A figure in the colours and letters of the page, as wide as its place. What carries data can be picked, by pointer and by key. */
export function SvgFigure(props: {
  readonly draw: (width: number | undefined) => string;
  readonly label: string;
  readonly onPick?: (data: DOMStringMap) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const [refused, setRefused] = useState<string | null>(null);
  const pickable = props.onPick !== undefined;
  const { width } = useSize(place);
  // The frame takes a pixel at both sides; what is hidden has no width.
  const svg = props.draw(width > LEAST ? width - 2 : undefined);

  useLayoutEffect(() => {
    const adopted = adoptFigure(svg, { prefix: `${prefix}-`, pickable });
    place.current?.replaceChildren(...(adopted.figure === null ? [] : [adopted.figure]));
    setRefused(adopted.refused);
  }, [svg, prefix, pickable]);

  const pick = (event: Event): boolean => {
    const data = pickedData(event.target);
    if (data === null) return false;
    props.onPick?.(data);
    return true;
  };

  return (
    <figure class="svg-figure" aria-label={shortName(props.label)}>
      {/* The elements within are picked, each with its own name and role. */}
      <div
        class="svg-figure-place"
        ref={place}
        onClick={pick}
        onKeyDown={(event) => {
          const isPick = event.key === 'Enter' || event.key === ' ';
          if (isPick ? pick(event) : moveFocus(event)) event.preventDefault();
        }}
      />
      {pickable ? (
        <p class="hint svg-figure-keys" aria-hidden="true">
          <kbd>←</kbd> <kbd>→</kbd> other parts, <kbd>Enter</kbd> opens
        </p>
      ) : null}
      {refused === null ? (
        <button
          type="button"
          class="quiet small svg-figure-save"
          aria-label={`Save as SVG: ${shortName(props.label)}`}
          onClick={() =>
            saveFile(`${fileName(props.label)}.svg`, new Blob([props.draw(undefined)], { type: 'image/svg+xml' }))
          }
        >
          <span aria-hidden="true">↓</span> SVG
        </button>
      ) : (
        <p class="fault">This figure is not shown: it holds {refused}, which no figure of Assay has.</p>
      )}
    </figure>
  );
}

function fileName(label: string): string {
  const plain = label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return plain === '' ? 'figure' : plain;
}
