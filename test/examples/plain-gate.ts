export interface PlainFlush {
  readonly start: number;
  readonly end: number;
  readonly reason: string;
}

export interface PlainDelta {
  readonly agent_id: string;
  readonly delta_text: string;
  readonly t_rel_ms: number;
  readonly seq: number;
  readonly turn_id: number;
}

interface Buffer {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly began: number;
  readonly last: number;
}

/** The rules of the gate word for word, on strings: 60 and 100 words, 1 s of silence, 4 s of waiting. */
export function plainGate(deltas: readonly PlainDelta[]): PlainFlush[] {
  const control = controlTurns(deltas);
  const buffers = new Map<string, Buffer>();
  const speakers = new Set<string>();
  const flushes: PlainFlush[] = [];
  const flush = (agent: string, reason: string): void => {
    const { start, end } = buffers.get(agent)!;
    flushes.push({ start, end, reason });
    buffers.delete(agent);
  };
  for (const { agent_id: agent, delta_text: piece, t_rel_ms: now, seq, turn_id: turn } of deltas) {
    if (control.has(turn)) continue;
    speakers.add(agent);
    const old = buffers.get(agent);
    const silent = old !== undefined && now - old.last >= 1000;
    if (silent) flush(agent, 'silence_timer');
    const own = buffers.get(agent) ?? { text: '', start: seq, end: seq, began: now, last: now };
    const text = own.text + piece;
    buffers.set(agent, { ...own, text, end: seq, last: now });
    if (silent) continue;
    const words = text.split(/\s+/).filter((word) => word !== '').length;
    if (now - own.began >= 4000) flush(agent, 'max_wait_timeout');
    else if (words >= 100) flush(agent, 'max_words');
    else if (words >= 60 && /(?:\n|[.?!][)\]}'"]*)[ \t]*$/.test(text)) flush(agent, 'boundary_cue');
  }
  for (const agent of speakers) if (buffers.has(agent)) flush(agent, 'end_of_trace');
  return flushes;
}

/** Turns that only say who is next, or that it is over. */
function controlTurns(deltas: readonly PlainDelta[]): Set<number> {
  const agents = new Set(deltas.map(({ agent_id: agent }) => agent));
  const texts = new Map<number, string>();
  for (const { turn_id: turn, delta_text: piece } of deltas) texts.set(turn, (texts.get(turn) ?? '') + piece);
  const isControl = (text: string): boolean => ['', 'terminate', ...agents].includes(text.trim().toLowerCase());
  return new Set([...texts].filter(([, text]) => isControl(text)).map(([turn]) => turn));
}
