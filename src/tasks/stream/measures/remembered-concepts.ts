import { hash } from 'node:crypto';

import type { ConceptExtractor } from '../concepts/extractor.ts';

/** The same extractor, asked once for each text: variants of one trace share its text and many windows. */
export function rememberedConcepts(extractor: ConceptExtractor): ConceptExtractor {
  const known = new Map<string, Promise<readonly string[]>>();
  return {
    identity: extractor.identity,
    extract(text) {
      const key = hash('sha256', text, 'base64');
      let found = known.get(key);
      if (found === undefined) {
        found = extractor.extract(text);
        known.set(key, found);
      }
      return found;
    },
    nameOf: (id) => extractor.nameOf?.(id) ?? null,
    close: () => extractor.close?.() ?? Promise.resolve(),
  };
}
