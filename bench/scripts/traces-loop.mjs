// The least that a simple program does with a folder of traces: decompress each, split at line ends, JSON.parse.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const folder = process.argv[2] ?? '';
let deltas = 0;
for (const name of readdirSync(folder))
  for (const line of gunzipSync(readFileSync(join(folder, name)))
    .toString('utf8')
    .split('\n'))
    if (line !== '' && isDelta(JSON.parse(line))) deltas += 1;
console.log(deltas);

/** @param {unknown} value */
function isDelta(value) {
  return typeof value === 'object' && value !== null && 'record_type' in value && value.record_type === 'stream_delta';
}
