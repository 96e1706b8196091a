/** Sizes that a graph can be shown in. */
const ZOOMS = [0.5, 0.65, 0.8, 1, 1.25, 1.6, 2, 2.6] as const;
export const PLAIN_SIZE = 3;

export function scaleOf(zoom: number): number {
  return ZOOMS[zoom] ?? 1;
}

/** The next size up or down. */
export function zoomed(zoom: number, by: number): number {
  return Math.min(ZOOMS.length - 1, Math.max(0, zoom + by));
}

export function GraphTools(props: { readonly zoom: number; readonly onZoom: (zoom: number) => void }) {
  const { zoom, onZoom } = props;
  return (
    <div class="graph-tools" role="group" aria-label="Size of the graph">
      <button
        type="button"
        class="small"
        aria-label="Smaller"
        title="Smaller (Ctrl and the wheel)"
        disabled={zoom === 0}
        onClick={() => onZoom(zoomed(zoom, -1))}
      >
        −
      </button>
      <button type="button" class="small" title="As drawn" onClick={() => onZoom(PLAIN_SIZE)}>
        {Math.round(scaleOf(zoom) * 100)} %
      </button>
      <button
        type="button"
        class="small"
        aria-label="Larger"
        title="Larger (Ctrl and the wheel)"
        disabled={zoom === ZOOMS.length - 1}
        onClick={() => onZoom(zoomed(zoom, 1))}
      >
        +
      </button>
    </div>
  );
}
