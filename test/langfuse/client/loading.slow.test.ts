import { execFileSync, spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { PUBLIC_KEY, recordingLangfuse, SECRET_KEY } from './recording-langfuse.ts';

const CLIENT = pathToFileURL(`${import.meta.dirname}/../../../src/langfuse/client/`).href;
const MAIN = pathToFileURL(`${import.meta.dirname}/../../../src/cli/main.ts`).href;
const SOURCES = ['--conditions=assay-source', '--input-type=module', '--eval'];

/** Packages of Langfuse and of OpenTelemetry that a process loads on its way through a script. */
function loadedBy(script: string, env: Readonly<Record<string, string>> = {}): string[] {
  const watched = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ resolve: (name, context, next) => {
      if (/^@(?:langfuse|opentelemetry)\\//.test(name) && !context.parentURL?.includes('/node_modules/')) loaded.add(name);
      return next(name, context);
    } });
    ${script}
    console.log('loaded ' + JSON.stringify([...loaded].sort()));`;
  const output = execFileSync(process.execPath, [...SOURCES, watched], {
    encoding: 'utf8',
    env: { ...withoutLangfuse(), ...env },
  });
  return JSON.parse(/^loaded (.*)$/m.exec(output)![1]!) as string[];
}

function withoutLangfuse(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LANGFUSE_')));
}

describe('the packages of Langfuse', () => {
  it('are not loaded by the program without keys, nor by asking whether there are keys', () => {
    expect(loadedBy(`await (await import('${MAIN}')).main(['score', '--help']);`)).toEqual([]);
    expect(loadedBy(`await (await import('${MAIN}')).main(['dataset', 'list', '--data', '/nonexistent/x']);`)).toEqual(
      [],
    );
    const asked = `const { hasLangfuse } = await import('${CLIENT}access.ts'); hasLangfuse(process.env);`;
    expect(loadedBy(asked, { LANGFUSE_PUBLIC_KEY: PUBLIC_KEY, LANGFUSE_SECRET_KEY: SECRET_KEY })).toEqual([]);
    expect(loadedBy(`await import('${CLIENT}langfuse-backend.ts');`)).toEqual([]);
  });

  it('print nothing, whatever goes wrong and whatever their own variables say', async () => {
    const langfuse = await recordingLangfuse({
      rules: [
        { on: /^POST \/otel/, times: 1, misdeed: { do: 'answer', status: 500 } },
        { on: /^POST \/ingestion$/, times: 9, misdeed: { do: 'answer', status: 400, body: { message: SECRET_KEY } } },
      ],
    });
    const traces = pathToFileURL(`${import.meta.dirname}/item-trace.ts`).href;
    const script = `
      const { langfuseBackend } = await import('${CLIENT}langfuse-backend.ts');
      const { itemTrace, runOver } = await import('${traces}');
      const backend = await langfuseBackend({ patience: { backoffMs: 1 } });
      const run = await runOver(backend, 1);
      try { await run.publish([itemTrace(1)]); } catch (error) { console.log(error.message); }
      await backend.close();`;
    const env = { ...withoutLangfuse(), ...langfuse.environment, LANGFUSE_DEBUG: 'true', LANGFUSE_LOG_LEVEL: 'DEBUG' };
    const { stdout, stderr } = await started(script, env);
    expect(stdout).toBe(
      `1 of 1 trace not delivered: cannot send scores: Langfuse at ${langfuse.url} refuses with HTTP 400: [key]\n`,
    );
    expect(stderr).toBe('');
    await langfuse.close();
  });

  it('keep the program no longer than a call may take after the server could not be reached', () => {
    const begun = Date.now();
    const script = `
      const { langfuseBackend } = await import('${CLIENT}langfuse-backend.ts');
      await langfuseBackend({ patience: { timeoutMs: 1000 } }).catch((error) => console.log(error.message));`;
    const { stdout } = spawnSync(process.execPath, [...SOURCES, script], {
      encoding: 'utf8',
      env: {
        ...withoutLangfuse(),
        LANGFUSE_BASE_URL: 'http://127.0.0.1:9',
        LANGFUSE_PUBLIC_KEY: PUBLIC_KEY,
        LANGFUSE_SECRET_KEY: SECRET_KEY,
      },
    });
    expect(stdout).toContain(
      'cannot reach Langfuse: Langfuse at http://127.0.0.1:9 cannot be reached after 3 attempts',
    );
    expect(Date.now() - begun).toBeLessThan(15_000);
  });
});

/** The server is in this process, so that this one cannot stand still meanwhile. */
async function started(
  script: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [...SOURCES, script], { env });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  await new Promise((resolve) => {
    child.on('close', resolve);
  });
  return texts;
}
