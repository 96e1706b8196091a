// Speaks the protocol of scispacy-server.py without scispaCy: "ataxia" and "brain" are mentions, with fixed candidates.
// The first argument says how it behaves; the last one is the settings, as the real program gets them.
import { createInterface } from 'node:readline';

const [behaviour = 'good', settings = '{}'] = process.argv.slice(2);

const CANDIDATES: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  ataxia: [
    ['C0000003', 0.71],
    ['c0004134', 1],
    ['C0000002', 0.7],
    ['C0000001', 0.69],
  ],
  brain: [['C0006104', 0.99]],
};

const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

function mentions(text: string): unknown[] {
  return [...text.matchAll(/ataxia|brain|it/gi)].map(({ 0: surface, index }) => ({
    surface,
    start: index,
    end: index + surface.length,
    candidates: CANDIDATES[surface.toLowerCase()] ?? [],
  }));
}

if (behaviour === 'dies-at-once') {
  process.stderr.write("ModuleNotFoundError: No module named 'scispacy'\n");
  process.exit(3);
}
if (behaviour === 'not-ready') {
  say({ ready: false, error: "OSError: Can't find model 'en_core_sci_sm'" });
  process.exit(1);
}
if (behaviour === 'chatters') process.stdout.write('Loading the model …\n');
if (behaviour !== 'never-ready')
  say({
    ready: true,
    model: 'en_core_sci_sm',
    model_version: '0.5.4',
    scispacy: '0.5.4',
    spacy: '3.7.4',
    linker: 'umls',
    kb_concepts: 2,
    kb_sha256: `sha256:${'ab'.repeat(32)}`,
    told: JSON.parse(settings) as unknown,
  });

for await (const line of createInterface({ input: process.stdin })) {
  const { id, text } = JSON.parse(line) as { id: number; text: string };
  if (behaviour === 'dies' && id === 2) {
    process.stderr.write('\u001b[31mout of memory\n');
    process.exit(9);
  }
  if (behaviour === 'silent') continue;
  if (behaviour === 'other-bytes') process.stdout.write(Buffer.from([0x7b, 0xff, 0x0a]));
  else if (behaviour === 'garbage') process.stdout.write('not an answer\u001b[2J\n');
  else if (behaviour === 'wrong-id') say({ id: id + 1, mentions: [] });
  else if (behaviour === 'bad-score')
    say({ id, mentions: [{ surface: 'ataxia', candidates: [['C0004134', 'high']] }] });
  else if (text.includes('boom')) say({ id, error: 'ValueError: boom' });
  else say({ id, mentions: mentions(text) });
}
