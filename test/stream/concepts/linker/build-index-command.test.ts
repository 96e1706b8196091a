import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import indexCommand from '../../../../src/cli/stream/build-index.ts';
import { extractorFromSpec } from '../../../../src/stream/concepts/extractor-from-spec.ts';
import { loadIndex } from '../../../../src/stream/concepts/linker/linker-index.ts';
import { type Finished, temporaryFolder } from '../../../cli/run-assay.ts';
import { runCommand } from '../../../cli/run-command.ts';

const KB = ['Ataxia', 'Gait ataxia', 'Pain']
  .map((name, at) => `${JSON.stringify({ concept_id: `C${at}`, canonical_name: name, aliases: [] })}\n`)
  .join('');

function run(args: readonly string[]): Promise<Finished> {
  return runCommand(indexCommand, args);
}

function files(): { readonly kb: string; readonly out: string } {
  const folder = temporaryFolder();
  const kb = join(folder, 'kb.jsonl');
  writeFileSync(kb, KB);
  return { kb, out: join(folder, 'kb.idx') };
}

describe('assay stream index', () => {
  it('builds an index, and reports what is in it and what is not', async () => {
    const { kb, out } = files();
    const { stdout, stderr } = await run(['--kb', kb, '--out', out, '--min-df', '2']);
    expect(stdout).toContain('3 aliases of 3 concepts, 6 trigrams');
    expect(stdout).toContain('knowledge base sha256:');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '! 1 of 3 aliases has no trigram that is in 2 aliases or more, and cannot be found',
    );
    expect(stderr).toBe('');
    expect((await loadIndex(out)).aliasCount).toBe(3);
  });

  it('has the settings of kb:PATH for the same knowledge base, and reports which', async () => {
    const { kb, out } = files();
    const { stdout } = await run(['--kb', kb, '--out', out]);
    expect(stdout).toContain('min-df 1, the default for fewer than 100,000 aliases\n');
    const [file, memory] = await Promise.all([`index:${out}`, `kb:${kb}`].map((spec) => extractorFromSpec(spec)));
    expect(file!.identity).toEqual(memory!.identity);
    expect((await run(['--kb', kb, '--out', out, '--min-df', '2'])).stdout).toContain('min-df 2, by --min-df\n');
  });

  it('gives the same bytes again, and from the compressed file', async () => {
    const { kb, out } = files();
    writeFileSync(`${kb}.gz`, gzipSync(KB));
    await run(['--kb', kb, '--out', out, '--min-df', '1', '--quiet']);
    await run(['--kb', `${kb}.gz`, '--out', `${out}2`, '--min-df', '1', '--quiet']);
    expect(readFileSync(`${out}2`).equals(readFileSync(out))).toBe(true);
  });

  it('prints JSON on standard output and nothing else there', async () => {
    const { kb, out } = files();
    const { stdout } = await run(['--kb', kb, '--out', out, '--min-df', '1', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      concepts: 3,
      aliases: 3,
      indexedAliases: 3,
      minDf: 1,
      bytes: readFileSync(out).length,
      knowledgeBase: { files: [{ name: 'kb.jsonl' }] },
      notes: [],
    });
  });

  it('refuses to write over the knowledge base, and a min-df that is not a number', async () => {
    const { kb, out } = files();
    await expect(run(['--kb', kb, '--out', kb])).rejects.toThrow(/both name/);
    await expect(run(['--kb', kb, '--out', out, '--min-df', 'many'])).rejects.toThrow(
      /--min-df many: expected a whole/,
    );
    expect(readFileSync(kb, 'utf8')).toBe(KB);
  });

  it('leaves no index behind when the knowledge base is wrong', async () => {
    const { kb, out } = files();
    writeFileSync(kb, `${KB}{"concept_id": 7}\n`);
    await expect(run(['--kb', kb, '--out', out])).rejects.toThrow(/kb.jsonl:4: concept_id: expected text/);
    expect(existsSync(out)).toBe(false);
  });
});
