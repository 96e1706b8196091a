/** A conversation as it stands in cases/*.md: Markdown, with comments that say who speaks and how fast. */
export interface CaseScript {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly turns: readonly ScriptedTurn[];
}

export interface ScriptedTurn {
  readonly agent: string;
  /** Milliseconds between the end of the turn before and the first piece of this one. */
  readonly after: number;
  /** Milliseconds from piece to piece, at least and at most. */
  readonly pace: readonly [number, number];
  readonly subtype: string | null;
  readonly parts: readonly TurnPart[];
}

export interface TurnPart {
  readonly text: string;
  /** Milliseconds of silence before it. */
  readonly wait: number;
  /** Sent in one piece. */
  readonly whole: boolean;
  /** Where it is another than the turn's. */
  readonly subtype: string | null;
}

const USUAL_AFTER = 1000;
const HINT = /^<!-- (\w+)(?: (.*))? -->$/;

/** Hints: case, turn, wait, whole and note, each a comment on a line of its own; see the README beside. */
export function readCaseScript(markdown: string, file: string): CaseScript {
  let header: Hint | null = null;
  const turns: { hint: Hint; lines: string[] }[] = [];
  for (const line of markdown.split('\n')) {
    const hint = hintIn(line);
    if (hint?.name === 'case') header = hint;
    else if (hint?.name === 'turn') turns.push({ hint, lines: [] });
    else turns.at(-1)?.lines.push(line);
  }
  if (header === null || turns.length === 0) throw new Error(`${file}: expected a case comment and turns`);
  const { first: id, settings } = header;
  return {
    id,
    start: Date.parse(settings['start'] ?? ''),
    turns: turns.map(({ hint, lines }) => ({
      agent: hint.first,
      after: Number(hint.settings['after'] ?? USUAL_AFTER),
      pace: range(hint.settings['pace'] ?? settings['pace'] ?? '', file),
      subtype: hint.settings['subtype'] ?? settings['subtype'] ?? null,
      parts: partsOf(lines.join('\n').replace(/^\n+|\n+$/g, ''), file),
    })),
  };
}

interface Hint {
  readonly name: string;
  readonly first: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** `<!-- turn doctor0, after 400 -->`: a name, what it is about, and settings between commas. */
function hintIn(line: string): Hint | null {
  const found = HINT.exec(line);
  if (found === null) return null;
  const [first = '', ...rest] = (found[2] ?? '').split(', ');
  const settings = rest.map((setting): [string, string] => {
    const at = setting.indexOf(' ');
    return [setting.slice(0, at), setting.slice(at + 1)];
  });
  return { name: found[1]!, first, settings: Object.fromEntries(settings) };
}

function partsOf(body: string, file: string): TurnPart[] {
  const parts: TurnPart[] = [];
  let wait = 0;
  let whole = false;
  let text = '';
  const end = (): void => {
    if (text !== '') parts.push({ text, wait, whole, subtype: null });
    [text, wait, whole] = ['', 0, false];
  };
  for (const line of body.split(/(?<=\n)/)) {
    const found = HINT.exec(line.trimEnd());
    if (found === null) {
      text += line;
      continue;
    }
    end();
    const [, name, about = ''] = found;
    if (name === 'wait') wait = Number(about);
    else if (name === 'whole') whole = true;
    else if (name === 'note') {
      const [subtype = '', said = ''] = about.split(': ');
      parts.push({ text: `${said}\n`, wait: 0, whole: true, subtype });
    } else throw new Error(`${file}: there is no hint called ${name ?? ''}`);
  }
  end();
  return parts;
}

function range(written: string, file: string): [number, number] {
  const [low = Number.NaN, high = Number.NaN] = written.split('-').map(Number);
  if (!(low <= high)) throw new Error(`${file}: expected a pace such as 20-30, found ${written}`);
  return [low, high];
}
