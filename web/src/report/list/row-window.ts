/** Browsers stop at some 17 million pixels; a list that would be taller is scrolled in larger steps. */
const TALLEST = 12_000_000;

export interface RowWindow {
  /** Height of all that can be scrolled through. */
  readonly height: number;
  /** Rows `from` to before `to` are drawn, the first of them at `top`. */
  readonly from: number;
  readonly to: number;
  readonly top: number;
}

/** Rows drawn above and below what is in view, so that scrolling meets no gap. */
export const ROWS_BEYOND = 6;

/** Which rows of equal height are to be drawn at a place of scrolling. */
export function rowWindow(rows: number, rowHeight: number, scrollTop: number, viewHeight: number): RowWindow {
  const whole = rows * rowHeight;
  const height = Math.min(whole, TALLEST);
  const at = Math.min(Math.max(0, scrollTop), Math.max(0, height - viewHeight));
  // What lies above the view, were nothing shrunk.
  const above = whole === height ? at : (at / Math.max(1, height - viewHeight)) * (whole - viewHeight);
  const first = Math.floor(above / rowHeight);
  const from = Math.max(0, first - ROWS_BEYOND);
  const to = Math.min(rows, Math.ceil((above + viewHeight) / rowHeight) + ROWS_BEYOND);
  return { height, from, to, top: at - (above - from * rowHeight) };
}

/** Where to scroll so that a row is wholly in view: nowhere, where it is. */
export function scrollToRow(
  row: number,
  given: {
    readonly rows: number;
    readonly rowHeight: number;
    readonly scrollTop: number;
    readonly viewHeight: number;
  },
): number {
  const { rows, rowHeight, scrollTop, viewHeight } = given;
  const whole = rows * rowHeight;
  const height = Math.min(whole, TALLEST);
  const stretch = whole === height ? 1 : (whole - viewHeight) / Math.max(1, height - viewHeight);
  const above = scrollTop * stretch;
  const top = row * rowHeight;
  if (top < above) return top / stretch;
  if (top + rowHeight > above + viewHeight) return Math.max(0, (top + rowHeight - viewHeight) / stretch);
  return scrollTop;
}
