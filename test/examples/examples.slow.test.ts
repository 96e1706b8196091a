import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function run(path: string): string {
  const done = spawnSync(process.execPath, ['--conditions=assay-source', path], { cwd: ROOT, encoding: 'utf8' });
  expect(done.stderr).toBe('');
  expect(done.status).toBe(0);
  return done.stdout;
}

describe('the examples of the library', () => {
  it('journal: scores three files and lists ungrounded quotes', () => {
    const said = run('examples/journal/score.ts');
    expect(said).toContain('precision: 0.75, n = 28');
    expect(said).toMatch(/not in the text:\n {2}D06: .+\n {2}D07: Sore jaw/);
  });

  it('pii: shows what two rules do to the score', () => {
    const lines = run('examples/pii/score.ts').trimEnd().split('\n');
    // 38 hits, 14 spurious, 8 missed: P 38/52, R 38/46.
    expect(lines[0]).toBe('as it is                 precision 0.731  recall 0.826  f1 0.776');
    // Without loc-in-org 32 hits, 21 spurious, 8 missed: P 32/53, R 32/40.
    expect(lines[1]).toBe('judge.loc-in-org=off     precision 0.604  recall 0.800  f1 0.688');
    // Without excuse-missed the 31 excused gold spans are missed: R 38/77.
    expect(lines[2]).toBe('judge.excuse-missed=off  precision 0.731  recall 0.494  f1 0.589');
  });

  it('consult: scores two systems with what people said, and says how each class was settled', () => {
    const lines = run('examples/consult/score.ts').trimEnd().split('\n');
    // By hand: see docs/tasks/consult.md.
    expect(lines).toEqual(
      expect.arrayContaining([
        'plain accuracy: 0.200, n = 5',
        'guided accuracy: 0.857, n = 7',
        'guided completeness: 0.469, n = 8',
        'guided treatment_relevance: 3.889, n = 36',
        'guided hallucination_rate: 0.231, n = 13',
        'prakriti: Fleiss’ kappa 0.515',
        'claims: Cohen’s kappa 0.678',
        'C02: pitta (2 of 3 experts)',
        'C04: vata-pitta (adjudicated: Signs of both are equally strong.)',
        'C06: unknown (3 of 3 experts)',
      ]),
    );
    expect(lines.find((line) => line.startsWith('plain hallucination_rate'))).toMatch(/undefined \(.+\), n = 0$/);
  });

  it('graph: cases from memory, and pairing on its own', () => {
    // John D. Smith is 1 - 3/13 = 0.769 from John Smith: a match at 0.75, none at 0.85.
    expect(run('examples/graph/score.ts')).toBe(
      [
        'entity_f1: 1',
        'type_accuracy: 0.5',
        'relationship_f1: undefined (there is neither gold nor a prediction that counts)',
        'Acme Corporation = ACME Corporation (1)',
        'John Smith was missed; closest: John D. Smith, similarity 0.769 is under 0.85',
        '',
      ].join('\n'),
    );
  });
});
