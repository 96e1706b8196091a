/** A stretch of one agent's words, as the middleware keeps it until it is summarised. */
export interface Segment {
  readonly agent: string;
  readonly text: string;
  readonly startSeq: number;
  readonly endSeq: number;
}

export const EMPTY_BUFFER = '(Buffer empty)';

/**
 * Segments as text for a prompt: for consecutive segments of one agent its name, a newline and their texts joined by a
 * space; blocks are separated by a newline.
 */
export function renderSegments(segments: readonly Segment[]): string {
  if (segments.length === 0) return EMPTY_BUFFER;
  const blocks: { agent: string; texts: string[] }[] = [];
  for (const { agent, text } of segments) {
    const last = blocks.at(-1);
    if (last?.agent === agent) last.texts.push(text);
    else blocks.push({ agent, texts: [text] });
  }
  return blocks.map(({ agent, texts }) => `${agent}:\n${texts.join(' ')}`).join('\n');
}
