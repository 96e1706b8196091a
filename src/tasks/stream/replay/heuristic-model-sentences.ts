/** A sentence and who said it. */
export interface Sentence {
  readonly agent: string;
  readonly text: string;
}

// A line of its own with an agent's name; headings of a text begin with a capital.
const AGENT_LINE = /^([a-z][\w.-]*):$/;
const FIRST_LINE = /^(\S[^\n]*):$/;
const LIST_MARK = /^\s*(?:#{1,6}\s+|[-*+•>]\s+|\(?\d{1,3}[.)]\s+)+/;
// What is left of a list or a heading that was cut in two.
const LOOSE_START = /^[^\p{L}\p{N}("'“‘]+/u;
const EMPHASIS = /\*{1,3}|_{2,3}|`+/g;
// A mark, closers, then white space and something that can begin a sentence.
const BETWEEN = /(?<=[.!?…][)\]"'”’]*)\s+(?=["'“‘([]?[\p{Lu}\p{N}])/u;
const ABBREVIATED = /(?:^|\s)(?:[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|vs|e\.g|i\.e|etc|approx|[Nn]o|[Ff]ig|cf|St)\.$/;

/** The sentences of text as it was rendered for a prompt, without Markdown's marks; headings are left out. */
export function sentencesOf(rendered: string): Sentence[] {
  const found: Sentence[] = [];
  let agent = '';
  for (const [at, line] of rendered.split('\n').entries()) {
    const name = (at === 0 ? FIRST_LINE : AGENT_LINE).exec(line)?.[1];
    if (name !== undefined) {
      agent = name;
      continue;
    }
    if (/^\s*#/.test(line)) continue;
    const plain = line
      .replace(LIST_MARK, '')
      .replaceAll(EMPHASIS, '')
      .replaceAll(/\s+/g, ' ')
      .replace(LOOSE_START, '')
      .trim();
    for (const text of split(plain)) if (/[\p{L}\p{N}]/u.test(text)) found.push({ agent, text });
  }
  return found;
}

function split(line: string): string[] {
  const found: string[][] = [];
  for (const part of line.split(BETWEEN)) {
    const last = found.at(-1);
    if (last !== undefined && ABBREVIATED.test(last.at(-1)!)) last.push(part);
    else found.push([part]);
  }
  return found.map((parts) => parts.join(' '));
}
