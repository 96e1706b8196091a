/** The part of a KeyboardEvent that is looked at. */
interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** The index that an arrow key moves to among `length` things, from `at`; null for other keys. */
export function stepOf(press: Press, at: number, length: number): number | null {
  if (press.ctrlKey || press.altKey || press.metaKey || length === 0) return null;
  switch (press.key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return Math.min(length - 1, at + 1);
    case 'ArrowLeft':
    case 'ArrowUp':
      return Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return null;
  }
}
