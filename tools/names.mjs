// Exported names are unique in src/ and speak of the domain. Names that are not yet so are listed at the end: a list
// may only get shorter, and a name that is no longer an offender has to leave it.

/** Words that say nothing of what a thing is. */
const VAGUE = new Set(['own', 'given', 'found', 'one', 'listed', 'counted', 'there', 'told', 'said']);
const EXPORT =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) ([\w$]+)/gm;

/**
 * Names that may still be wrong.
 * @typedef {{ readonly duplicates: readonly string[], readonly vague: readonly string[] }} AllowedNames
 */

/**
 * @typedef {object} NameReport
 * @property {number} duplicates names that several files export
 * @property {number} vague
 * @property {string[]} violations
 */

/**
 * @param {ReadonlyMap<string, string>} sources by file, without the entry points: those export the names of others
 * @param {AllowedNames} allowed
 * @returns {NameReport}
 */
export function checkNames(sources, allowed) {
  /** @type {Map<string, Set<string>>} */
  const exporters = new Map();
  for (const [file, source] of sources)
    for (const [, name = ''] of source.matchAll(EXPORT))
      exporters.set(name, (exporters.get(name) ?? new Set()).add(file));
  const duplicates = [...exporters.keys()].filter((name) => (exporters.get(name)?.size ?? 0) > 1);
  const vague = [...exporters.keys()].filter((name) => vagueWord(name) !== undefined);
  const places = (/** @type {string} */ name) => [...(exporters.get(name) ?? [])].join(' and ');
  return {
    duplicates: duplicates.length,
    vague: vague.length,
    violations: [
      ...beyond(duplicates, allowed.duplicates).map(
        (name) => `${places(name)} export ${name}: a name is exported once`,
      ),
      ...beyond(vague, allowed.vague).map(
        (name) => `${places(name)} exports ${name}: "${vagueWord(name) ?? ''}" says nothing; name it after what it is`,
      ),
      ...beyond([...allowed.duplicates, ...allowed.vague], [...duplicates, ...vague]).map(
        (name) => `tools/names.mjs lists ${name}, which is fine now: remove the line`,
      ),
    ],
  };
}

/**
 * The names that are not in the list.
 * @param {readonly string[]} names
 * @param {readonly string[]} list
 */
function beyond(names, list) {
  return names.filter((name) => !list.includes(name));
}

/**
 * A part of a name in camel case or in capitals.
 * @param {string} name
 */
function vagueWord(name) {
  const parts = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return parts.map((part) => part.toLowerCase()).find((part) => VAGUE.has(part));
}

/** @type {AllowedNames} */
export const ALLOWED_NAMES = {
  duplicates: [],
  vague: [],
};
