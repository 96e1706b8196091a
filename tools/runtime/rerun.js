import { spawn } from 'node:child_process';
import { findNode } from './find-node.js';

/** Set for a script that is to end with the process that started it, see `endWithParent`. */
const TETHER = 'ASSAY_TETHER';

/**
 * Runs a JavaScript or TypeScript file under a Node that is new enough and ends this process the way that one ended.
 * Throws NodeNotFoundError, before anything is started, if there is none. With `tethered`, the script can tell that this
 * process is gone.
 * @param {string} script
 * @param {readonly string[]} args
 * @param {readonly string[]} [nodeOptions]
 * @param {{ tethered?: boolean }} [options]
 */
export function rerun(script, args, nodeOptions = [], { tethered = false } = {}) {
  const node = findNode();
  const child = tethered
    ? spawn(node, [...nodeOptions, script, ...args], {
        stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
        env: { ...process.env, [TETHER]: '1' },
      })
    : spawn(node, [...nodeOptions, script, ...args], { stdio: 'inherit' });

  // A terminal sends Ctrl-C to the child as well; passing it on would make it two, which many tools take for "at once!".
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  // Listening keeps this process alive until the child has tidied up.
  const onInterrupt = () => void (onTerminal || child.kill('SIGINT'));
  const onTerminate = () => void child.kill('SIGTERM');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);

  child.on('error', (error) => {
    console.error(`Could not start ${node}: ${error.message}`);
    process.exitCode = 2;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exit(code ?? 1);
    }
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onTerminate);
    process.kill(process.pid, signal);
  });
}

/**
 * For a script that was started with `tethered`: whoever kills the process they know by its number (kill -9) means this
 * one too, which would go on otherwise, and hold its locks.
 */
export function endWithParent() {
  if (process.env[TETHER] === undefined || process.channel === undefined) return;
  delete process.env[TETHER];
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // Listening alone must not keep a finished command alive.
  process.channel?.unref();
}
