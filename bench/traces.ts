import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { deterministicGzip } from '../src/report/deterministic-gzip.ts';
import { MersenneTwister } from '../src/stats/mersenne-twister.ts';

const SYLLABLES = ['ba', 'ke', 'lo', 'mi', 'nu', 'ra', 'se', 'ti', 'vo', 'an', 'er', 'is', 'om', 'und', 'art', 'øst'];
const AGENTS = ['Doctor0', 'Doctor1', 'Doctor2', 'Supervisor'];
const START = 1_700_000_000_000;

/**
 * Writes traces of about 4,000 deltas each, as a multi-agent conversation has them: four agents in turn, deltas of a word
 * or a piece of one, some 15 ms apart, a turn of control between two of content. The same bytes everywhere.
 */
export function writeTraces(folder: string, traces: number, seed = 42): void {
  const random = new MersenneTwister(seed);
  for (let trace = 0; trace < traces; trace += 1) {
    const id = `case-${String(trace).padStart(3, '0')}`;
    writeFileSync(join(folder, `${id}.trace.jsonl.gz`), deterministicGzip(traceText(id, random)));
  }
}

function traceText(id: string, random: MersenneTwister): string {
  const lines: string[] = [];
  let [seq, since, turn, deltas] = [0, 0, 0, 0];
  const boundary = (kind: 'start' | 'end', agent: string): void => {
    lines.push(record({ boundary: kind, agent_id: agent, record_type: 'turn_boundary', t_ms: START + since }));
  };
  const record = (own: object): string =>
    JSON.stringify({ ...own, case_id: id, seq: seq++, t_rel_ms: since, turn_id: turn });
  const say = (agent: string, text: string): void => {
    lines.push(record({ agent_id: agent, delta_text: text, record_type: 'stream_delta', t_emitted_ms: START + since }));
    deltas += 1;
    since += 5 + random.below(20);
  };
  while (lines.length < 4000) {
    const speaker = AGENTS[turn % 2 === 0 ? random.below(4) : 3]!;
    boundary('start', speaker);
    if (turn % 2 === 1) say(speaker, AGENTS[random.below(4)]!);
    else for (let left = 300 + random.below(300); left > 0; left -= 1) say(speaker, piece(random));
    boundary('end', speaker);
    since += 400 + random.below(1200);
    turn += 1;
  }
  const meta = { case_id: id, record_type: 'trace_meta', schema_version: '2.0.0', t0_emitted_ms: START };
  return `${[JSON.stringify({ ...meta, total_deltas: deltas, total_turns: turn }), ...lines].join('\n')}\n`;
}

/** A word, the rest of one, or the end of a sentence. */
function piece(random: MersenneTwister): string {
  const kind = random.below(20);
  if (kind === 0) return '.';
  if (kind === 1) return '.\n';
  let word = kind < 5 ? '' : ' ';
  for (let more = 1 + random.below(2); more > 0; more -= 1) word += SYLLABLES[random.below(SYLLABLES.length)]!;
  return word;
}
