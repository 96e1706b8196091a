import { serveCommand } from '../../../src/cli/review/serve.ts';

/** The command in a process of its own: `node serve-main.ts --data DIR --port 0 --json`. */
await serveCommand().parseAsync(process.argv.slice(2), { from: 'user' });
