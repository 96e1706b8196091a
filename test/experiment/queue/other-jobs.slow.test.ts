import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { temporaryFolder } from '../../cli/run-assay.ts';
import { files, stream, writeTraces } from '../../cli/stream-files.ts';
import { judgeServer, soundAnswer } from '../../review/judge/judge-server.ts';
import { judge, reviewFolder, snapshotOf } from '../../review/judge/judging.ts';
import { startUnrulyServer } from '../unruly-server.ts';
import { startWorker } from './queue-run.ts';
import { QUEUE_SERVERS, startQueueServer, type TestQueueServer } from './queue-server.ts';

describe.each(QUEUE_SERVERS)('other work on a queue on %s', (kind) => {
  let server: TestQueueServer;
  beforeAll(async () => {
    server = await startQueueServer(kind);
    return () => server.close();
  }, 240_000);

  test('a judge whose questions workers ask has the same labels, and leaves nothing behind', async () => {
    const model = await judgeServer(soundAnswer);
    const [folder, alone] = [reviewFolder(), reviewFolder()];
    startWorker(folder, server.url);
    const queue = ['--queue', server.url, '--root', folder];
    expect((await judge(folder, model.url, '--yes', '--no-cache', ...queue)).error).toBeNull();
    expect(model.calls).toHaveLength(8);
    await judge(alone, model.url, '--yes', '--no-cache');
    const labels = (of: string) =>
      snapshotOf(of)
        .judgements.map(({ itemId, field, part, value, reason }) =>
          JSON.stringify([itemId, field, part, value, reason]),
        )
        .sort();
    expect(labels(folder)).toEqual(labels(alone));
    expect(readdirSync(folder).filter((name) => name.startsWith('judging-'))).toEqual([]);
  });

  test('a replay by workers writes the logs that one process writes, and resumes', async () => {
    const model = await startUnrulyServer();
    onTestFinished(() => model.close());
    const cwd = temporaryFolder();
    writeTraces(cwd, 6);
    const call = `replay --traces traces --variants V0,V2 --model openai-compatible/x --base-url ${model.url}`;
    const env = { OPENAI_API_KEY: 'sk-made-up' };
    startWorker(cwd, server.url);
    const done = await stream(cwd, `${call} --out queued --queue ${server.url}`, env);
    expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
    const { calls } = await model.stats();
    const again = await stream(cwd, `${call} --out queued --queue ${server.url}`, env);
    expect(again.code).toBe(0);
    expect((await model.stats()).calls).toBe(calls);
    expect((await stream(cwd, `${call} --out alone`, env)).code).toBe(0);
    const logs = (out: string): Record<string, string> =>
      Object.fromEntries(
        Object.keys(files(join(cwd, out))).map((name) => [
          name,
          gunzipSync(readFileSync(join(cwd, out, name)))
            .toString()
            .replaceAll(/"latency_ms":[\d.]+/g, ''),
        ]),
      );
    expect(Object.keys(logs('alone'))).toHaveLength(12);
    expect(logs('queued')).toEqual(logs('alone'));
  });
});
