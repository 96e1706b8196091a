import { spawn } from 'node:child_process';
import { findNode } from './find-node.js';

/**
 * Runs a JavaScript or TypeScript file under a Node that is new enough and ends this process the way that one ended.
 * Throws NodeNotFoundError, before anything is started, if there is none.
 * @param {string} script
 * @param {readonly string[]} args
 * @param {readonly string[]} [nodeOptions]
 */
export function rerun(script, args, nodeOptions = []) {
  const node = findNode();
  const child = spawn(node, [...nodeOptions, script, ...args], { stdio: 'inherit' });

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
