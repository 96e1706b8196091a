// A recorded conversation: its text, the gate and a replay with the built-in heuristic.
// Run it from the root of a checkout: node tools/runtime/run.js examples/library/streams.ts
import {
  canonicalText,
  ctu,
  gateInput,
  heuristicModel,
  passGate,
  readTrace,
  readVariant,
  replayCase,
  USUAL_GATE,
} from 'assay/stream';

const trace = await readTrace('examples/stream/traces/case-01.trace.jsonl.gz');
console.log(ctu(canonicalText(trace, { join: 'concat' }).text)); // units of the conversation
passGate(gateInput(trace), { ...USUAL_GATE, minWords: 40 }, ({ reason, words }) => console.log(reason, words));

const { summaries } = await replayCase(trace, readVariant('V0', null), heuristicModel());
console.log(summaries.map(({ start_seq, end_seq, summary_ctu }) => [start_seq, end_seq, summary_ctu]));
