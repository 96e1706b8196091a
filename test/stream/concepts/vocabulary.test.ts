import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { extractorFromSpec } from '../../../src/stream/concepts/extractor-from-spec.ts';
import { vocabularyFiles } from '../../../src/stream/concepts/configured.ts';

interface Concept {
  readonly concept_id: string;
  readonly canonical_name: string;
  readonly aliases: readonly string[];
  readonly types: readonly string[];
  readonly definition?: string;
}

const byFile = vocabularyFiles().map((file) => ({
  name: basename(file),
  concepts: readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Concept),
}));
const concepts = byFile.flatMap((one) => one.concepts);
const namesOf = ({ canonical_name: name, aliases }: Concept): string[] =>
  [name, ...aliases].map((one) => one.toLowerCase());

describe('the open vocabulary', () => {
  it('has more than 500 concepts, each once, with an id of UMLS and one semantic type', () => {
    expect(concepts.length).toBeGreaterThanOrEqual(500);
    expect(new Set(concepts.map((one) => one.concept_id)).size).toBe(concepts.length);
    for (const { concept_id: id, types } of concepts) {
      expect(id).toMatch(/^C\d{7}$/);
      expect(types, id).toEqual([expect.stringMatching(/^T\d{3}$/)]);
    }
  });

  it('gives each name to one concept, and no name that is too short to be looked up or another word', () => {
    const owners = new Map<string, string>();
    const words = [
      'aids',
      'all',
      'pet',
      'pad',
      'ace',
      'art',
      'fall',
      'cold',
      'back',
      'lead',
      'mass',
      'gas',
      'burn',
      'will',
    ];
    for (const concept of concepts)
      for (const name of namesOf(concept)) {
        expect(owners.has(name), `${name}: ${concept.concept_id} and ${owners.get(name) ?? ''}`).toBe(false);
        owners.set(name, concept.concept_id);
        expect(name.length, name).toBeGreaterThanOrEqual(3);
        expect(name, concept.concept_id).toBe(name.trim());
        expect(words).not.toContain(name);
      }
  });

  it('is in the order of its ids, file by file, and its README says how many there are', () => {
    const readme = readFileSync(join(dirname(vocabularyFiles()[0]!), 'README.md'), 'utf8');
    for (const { name, concepts: own } of byFile) {
      const ids = own.map((one) => one.concept_id);
      expect(ids, name).toEqual(ids.toSorted());
      expect(readme).toContain(`| \`${name}\` | ${ids.length} |`);
    }
    const count = (value: number): string => value.toLocaleString('en');
    expect(readme).toContain(`${count(concepts.length)} common clinical concepts`);
    expect(readme).toContain(`${count(concepts.flatMap(namesOf).length)} names`);
    expect(readme).toContain(`${concepts.filter((one) => one.definition !== undefined).length} concepts whose names`);
  });

  // Ids as public terminologies have them: Mondo and HPO (Huntington, short stature, spasticity), DICOM PS3.16 (anatomy,
  // imaging), MedGen and Orphanet (Friedreich ataxia, congenital disorders of glycosylation).
  it.each([
    ['C0020179', 'Huntington disease'],
    ['C0349588', 'Short stature'],
    ['C0026838', 'Muscle spasticity'],
    ['C0016719', 'Friedreich ataxia'],
    ['C0282577', 'Congenital disorder of glycosylation'],
    ['C0013516', 'Echocardiography'],
    ['C0037949', 'Spine'],
    ['C0014876', 'Esophagus'],
    ['C0025598', 'Metformin'],
    ['C0064636', 'Lamotrigine'],
    ['C0020538', 'Hypertension'],
    ['C0004134', 'Ataxia'],
  ])('has %s for %s', (id, name) => {
    expect(concepts.find((one) => one.concept_id === id)?.canonical_name).toBe(name);
  });

  it('finds concepts in plain clinical English through the linker, in any spelling of a name', async () => {
    const extractor = await extractorFromSpec('vocabulary');
    const text =
      'A 45-year-old woman with high blood pressure and type 2 diabetes has had dyspnoea and chest pain for two days. ' +
      'Echocardiogram: mitral regurgitation. She takes metformin. No fever.';
    expect(await extractor.extract(text)).toEqual([
      'C0008031', // chest pain
      'C0011860', // type 2 diabetes
      'C0013404', // dyspnoea
      'C0013516', // echocardiogram
      'C0015967', // fever: it says what is mentioned, not what is the case
      'C0020538', // high blood pressure
      'C0025598', // metformin
      'C0026266', // mitral regurgitation
    ]);
    expect(await extractor.extract('Nothing of the kind was said at the meeting.')).toEqual([]);
    expect(extractor.identity).toMatchObject({ name: 'vocabulary', stoplist: null });
  });
});
