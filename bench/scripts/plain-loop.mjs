// The least that a simple program does with a JSONL file of cases: a stream, split at line ends, JSON.parse.
import { createReadStream } from 'node:fs';

let rest = '';
let spans = 0;
for await (const chunk of createReadStream(process.argv[2] ?? '', { encoding: 'utf8', highWaterMark: 1 << 20 })) {
  const lines = (rest + String(chunk)).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) spans += goldSpans(JSON.parse(line));
}
console.log(spans);

/** @param {unknown} record */
function goldSpans(record) {
  return typeof record === 'object' && record !== null && 'gold' in record && Array.isArray(record.gold)
    ? record.gold.length
    : 0;
}
