import { judgeCommand } from '../../../src/cli/review/judge.ts';

/** The command as a process of its own, so that it can be killed. */
await judgeCommand(() => {}).parseAsync(process.argv.slice(2), { from: 'user' });
