import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { extractorHash, scispacyExtractor } from '../../../src/stream/concepts/scispacy.ts';
import { extractorFromSpec } from '../../../src/stream/concepts/extractor-from-spec.ts';
import { keptFolder } from '../../examples/kept-folder.ts';

const FOLDER = join(import.meta.dirname, '../../../src/stream/concepts');
const REQUIREMENTS = readFileSync(join(FOLDER, 'scispacy-requirements.txt'), 'utf8');
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('NOT TESTED: there is no python3 here to run scispacy-server.py');

/** Packages that have the names and versions of the real ones, of which spacy finds "ataxia" and nothing else. */
const STAND_INS = {
  'spacy/__init__.py': `
__version__ = "3.7.4"
class Entity:
    def __init__(self, text, start):
        self.text, self.start_char, self.end_char = text, start, start + len(text)
        self._ = type("Found", (), {"kb_ents": [("C0004134", 0.98)]})()
class Pipeline:
    meta = {"version": "0.5.4"}
    def add_pipe(self, name, config=None):
        pass
    def get_pipe(self, name):
        concept = type("Concept", (), {"canonical_name": "Ataxia"})()
        return type("Linker", (), {"kb": type("Kb", (), {"cui_to_entity": {"C0004134": concept}})()})()
    def __call__(self, text):
        at = text.find("ataxia")
        return type("Doc", (), {"ents": [] if at < 0 else [Entity("ataxia", at)]})()
def load(name):
    return Pipeline()
`,
  'scispacy/__init__.py': '__version__ = "0.5.4"\n',
  'scispacy/abbreviation.py': 'AbbreviationDetector = None\n',
  'scispacy/linking.py': 'EntityLinker = None\n',
};

const pins = REQUIREMENTS.split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): [string, string] => {
    const [, name = '', version = ''] = /^([\w-]+)(?:==| @ .*-)(\d[\w.]*?)(?:\.tar\.gz)?$/.exec(line) ?? [];
    if (version === '') throw new Error(`not pinned: ${line}`);
    return [name, version];
  });

describe.runIf(hasPython)('the frozen scispaCy extractor', () => {
  const packages = keptFolder();

  beforeAll(() => {
    for (const [name, text] of Object.entries(STAND_INS)) {
      mkdirSync(join(packages, name, '..'), { recursive: true });
      writeFileSync(join(packages, name), text);
    }
    for (const [name, version] of pins) install(name, version);
  });

  afterEach(() => void vi.unstubAllEnvs());

  function install(name: string, version: string): void {
    const folder = join(packages, `${name.replaceAll('-', '_')}-0.dist-info`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'METADATA'), `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`);
  }

  async function open(frozen: string | null) {
    vi.stubEnv('PYTHONPATH', packages);
    const extractor = await scispacyExtractor({ frozen });
    onTestFinished(() => extractor.close?.());
    return extractor;
  }

  it('is named by the hash of its program and its requirements, which any run records', async () => {
    const sum = execFileSync('sh', ['-c', 'cat scispacy-server.py scispacy-requirements.txt | sha256sum'], {
      cwd: FOLDER,
      encoding: 'utf8',
    });
    expect(extractorHash()).toBe(`sha256:${sum.slice(0, 64)}`);
    const extractor = await open(extractorHash());
    expect(extractor.identity.settings).toMatchObject({ extractor_hash: extractorHash(), packages: 'as pinned' });
    expect(await extractor.extract('spinocerebellar ataxia')).toEqual(['C0004134']);
  });

  it('refuses another program or other requirements, named in settings or by the environment', async () => {
    const other = `sha256:${'0'.repeat(64)}`;
    await expect(open(other)).rejects.toThrow(
      `frozen as ${other}, found ${extractorHash()}: its program or its requirements were changed`,
    );
    const settings = join(packages, 'extractor.yaml');
    writeFileSync(settings, `extractor: scispacy\nextractor_hash: ${other}\n`);
    await expect(extractorFromSpec(settings)).rejects.toThrow('its program or its requirements were changed');
    vi.stubEnv('ASSAY_EXTRACTOR_HASH', other);
    await expect(extractorFromSpec('scispacy')).rejects.toThrow('its program or its requirements were changed');
    await expect(scispacyExtractor({ command: ['sh', '-c', 'echo \'{"ready":true}\'; cat'] })).rejects.toThrow(
      'and this is another program',
    );
  });

  it('refuses packages of other versions where it is frozen, and records them where it is not', async () => {
    install('spacy', '3.7.5');
    onTestFinished(() => install('spacy', '3.7.4'));
    await expect(open(extractorHash())).rejects.toThrow('its packages are not as pinned: spacy 3.7.5 (3.7.4)');
    const { identity } = await open(null);
    expect(identity.settings['packages']).toBe('not as pinned: spacy 3.7.5 (3.7.4)');
  });
});
