// Usage: node tools/runtime/run.js SCRIPT ARGS...
import { existsSync } from 'node:fs';
import { NodeNotFoundError } from './find-node.js';
import { rerun } from './rerun.js';

const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
  console.error('Usage: node tools/runtime/run.js SCRIPT ARGS...');
  process.exit(2);
}
if (!existsSync(script)) {
  console.error(`${script} is not there; "npm ci" installs what this repository needs.`);
  process.exit(2);
}
try {
  // The condition lets `import 'assay'` mean the sources of this checkout.
  rerun(script, args, ['--conditions=assay-source']);
} catch (error) {
  if (!(error instanceof NodeNotFoundError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
