/** What a person pressed, and where: the part of a KeyboardEvent that shortcuts look at. */
export interface Press {
  readonly key: string;
  readonly code: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** Inside a text field. */
  readonly typing: boolean;
  /** On a button, link or summary, which Enter and the space bar belong to. */
  readonly onControl: boolean;
}

export interface Shortcut {
  /** Names as `pressName` gives them: `j`, `?`, `Shift+N`, `Ctrl+Enter`, `ArrowDown`. */
  readonly keys: readonly string[];
  readonly does: string;
  readonly run: () => void;
  /** Also inside a text field; Escape always is. */
  readonly whileTyping?: boolean;
  /** For a key that works only at times, such as while the focus is in a list. */
  readonly when?: () => boolean;
  /** Works, but is another's twin and not listed. */
  readonly unlisted?: boolean;
}

/**
 * The name of a press. If a keyboard writes another script, the place of the key counts: an expert with a Hindi layout
 * presses the same keys as one without.
 */
export function pressName(press: Press): string {
  const key = plainKey(press);
  const letter = /^[a-z]$/.test(key);
  const shift = press.shift && (letter || key.length > 1) ? 'Shift+' : '';
  return `${press.ctrl ? 'Ctrl+' : ''}${press.alt ? 'Alt+' : ''}${shift}${shift !== '' && letter ? key.toUpperCase() : key}`;
}

function plainKey({ key, code }: Press): string {
  if (key.length > 1 && /^[A-Za-z0-9]+$/.test(key)) return key;
  if (/^[\u0021-\u007e]$/.test(key)) return key.toLowerCase();
  if (key === ' ') return 'Space';
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined) return letter.toLowerCase();
  return /^(?:Digit|Numpad)([0-9])$/.exec(code)?.[1] ?? key;
}

interface Group {
  readonly layer: number;
  readonly rank: number;
  readonly list: () => readonly Shortcut[];
}

/**
 * Shortcuts that hold now. A higher rank comes first, so that a row of a form may take a key that the page has as well;
 * while a dialog is open only its own hold.
 */
export class Keys {
  #groups: readonly Group[] = [];
  #layers: readonly number[] = [0];

  /** `list` is asked at each press, so that it may change without being added again. Returns how to take it away. */
  add(layer: number, rank: number, list: () => readonly Shortcut[]): () => void {
    const group = { layer, rank, list };
    this.#groups = [group, ...this.#groups].toSorted((a, b) => b.rank - a.rank);
    return () => {
      this.#groups = this.#groups.filter((other) => other !== group);
    };
  }

  /** A dialog opened: layers below it are silent until it closes. */
  raise(layer: number): () => void {
    this.#layers = [...this.#layers, layer];
    return () => {
      const place = this.#layers.lastIndexOf(layer);
      this.#layers = this.#layers.filter((_, index) => index !== place);
    };
  }

  /** Each key once, with what it does now. */
  active(layer = this.#top()): readonly Shortcut[] {
    const taken = new Set<string>();
    const found: Shortcut[] = [];
    for (const group of this.#groups.filter((other) => other.layer === layer)) {
      for (const shortcut of group.list()) {
        if (shortcut.when?.() === false) continue;
        const keys = shortcut.keys.filter((key) => !taken.has(key));
        if (keys.length > 0) found.push({ ...shortcut, keys });
        for (const key of keys) taken.add(key);
      }
    }
    return found;
  }

  /** Whether a shortcut took the press. */
  handle(press: Press): boolean {
    const name = pressName(press);
    if (press.onControl && (name === 'Enter' || name === 'Space')) return false;
    const found = this.active().find(({ keys }) => keys.includes(name));
    if (found === undefined) return false;
    if (press.typing && name !== 'Escape' && found.whileTyping !== true) return false;
    found.run();
    return true;
  }

  #top(): number {
    return Math.max(...this.#layers);
  }
}
