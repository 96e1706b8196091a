// A Rolldown plugin: what a module imports from an entry point of the package (src/report.ts …) is imported from the file
// that defines it. Chunks are cut by which modules can reach which, and through an entry point a command reaches everything
// behind it: it would load chunks of which it uses one function.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {{ file: string, name: string, attributes: string }} Definition */

/**
 * @param {string} source the folder of the sources
 * @param {readonly string[]} entryPoints their names: `report` for src/report.ts
 * @returns {import('rolldown').Plugin}
 */
export function directImports(source, entryPoints) {
  const exported = new Map(
    entryPoints.map((name) => path.join(source, `${name}.ts`)).map((file) => [file, definitionsIn(file)]),
  );
  return {
    name: 'direct-imports',
    transform: {
      order: 'pre',
      filter: { code: /\bimport\b/ },
      handler(code, id) {
        const folder = path.dirname(id);
        /**
         * @param {string} line
         * @param {string} list
         * @param {string} from
         * @param {(name: string, as: string, from: string) => string} write
         */
        const split = (line, list, from, write) => {
          const definitions = exported.get(path.join(folder, from));
          if (definitions === undefined) return line;
          const lines = specifiers(list).map(({ name, as }) => {
            const found = definitions.get(name);
            if (found === undefined) return write(name, as, `'${from}'`);
            const to = path.relative(folder, found.file).replaceAll('\\', '/');
            return write(found.name, as, `'${to.startsWith('.') ? to : `./${to}`}'${found.attributes}`);
          });
          return lines.join(' ');
        };
        return code
          .replaceAll(
            /^import \{([^}]*)\} from '(\.[^']+)';$/gm,
            (line, /** @type {string} */ list, /** @type {string} */ from) =>
              split(line, list, from, (name, as, file) => `import { ${name} as ${as} } from ${file};`),
          )
          .replaceAll(
            /^ *const \{([^}]*)\} = await import\('(\.[^']+)'\);$/gm,
            (line, /** @type {string} */ list, /** @type {string} */ from) =>
              split(line, list, from, (name, as, file) => `const { ${name}: ${as} } = await import(${file});`),
          );
      },
    },
  };
}

/**
 * What an entry point passes on, by the name under which it does.
 * @param {string} file
 */
function definitionsIn(file) {
  /** @type {Map<string, Definition>} */
  const definitions = new Map();
  const passedOn = /^export \{([^}]*)\} from '(\.[^']+)'( with \{[^}]*\})?;$/gm;
  for (const [, list = '', from = '', attributes = ''] of readFileSync(file, 'utf8').matchAll(passedOn))
    for (const { name, as } of specifiers(list))
      definitions.set(as, { file: path.join(path.dirname(file), from), name, attributes });
  return definitions;
}

/**
 * The names between two braces, `a as b` or `a: b`; types left out.
 * @param {string} list
 */
function specifiers(list) {
  return list.split(',').flatMap((part) => {
    const [name = '', as = name] = part.trim().split(/ as |: /);
    return name === '' || name.startsWith('type ') ? [] : [{ name, as }];
  });
}
