import { spawn } from 'node:child_process';

import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { BIN, temporaryFolder } from '../cli/run-assay.ts';
import { runSnippets, snippetsOf } from './snippets.ts';
import { notPrinted, Shell, stepsOf } from './transcript.ts';

const SHOWN_URL = 'http://127.0.0.1:4390';
const readyShape = z.object({ url: z.string(), publicKey: z.string(), secretKey: z.string() });

/** `assay serve`, in a process of its own, with what a program sets to reach it. */
async function served(): Promise<{ readonly url: string; readonly environment: Record<string, string> }> {
  const server = spawn(process.execPath, [BIN, 'serve', '--port', '0', '--data', temporaryFolder(), '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void server.kill());
  const line = await new Promise<string>((resolve) => {
    server.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
  });
  const { url, publicKey, secretKey } = readyShape.parse(JSON.parse(line));
  const environment = { LANGFUSE_BASE_URL: url, LANGFUSE_PUBLIC_KEY: publicKey, LANGFUSE_SECRET_KEY: secretKey };
  return { url, environment };
}

it('docs/langfuse.md shows what the program prints today, and its snippet works with the unmodified SDK', async () => {
  const { url, environment } = await served();
  const steps = stepsOf('langfuse.md');
  expect(steps.map(({ command }) => command)).toContain('assay run experiment.yaml');
  const shell = new Shell(temporaryFolder(), environment);
  for (const { command, shown } of steps) {
    // The port is another one each time, and may be shorter than the one that is shown.
    const printed = shell.run(command).replaceAll(url, SHOWN_URL);
    expect(notPrinted(shown, printed), `${command}\n\n${printed}`).toBe('');
  }

  const snippets = snippetsOf('langfuse.md');
  expect(snippets).toHaveLength(1);
  const said = runSnippets(snippets, environment);
  expect(said.stderr).toBe('');
  expect(said.stdout.trimEnd().split('\n').toSorted()).toEqual(['2 traces', 'Kenya Mombasa 0', 'Peru Lima 1']);
});
