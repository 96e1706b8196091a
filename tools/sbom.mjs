// Writes dist/sbom.cdx.json (CycloneDX) and dist/THIRD-PARTY-LICENSES.md from package-lock.json: the same bytes each time,
// without a time, a number or an address of a registry. `npm sbom` has all three, and leaves out what is in a bundle.
// Usage: node tools/sbom.mjs
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listRuntimePackages, packageUrl, readManifest } from './runtime-packages.mjs';

/** @typedef {import('./runtime-packages.mjs').RuntimePackage} RuntimePackage */

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
if (path.basename(process.argv[1] ?? '') === 'sbom.mjs') writeLists();

function writeLists() {
  const { packages, problems } = listRuntimePackages(root);
  if (problems.length > 0) {
    console.error(
      `${problems.join('\n')}\nIf we may ship it, add the licence to ALLOWED_LICENCES in tools/runtime-packages.mjs.`,
    );
    process.exitCode = 1;
    return;
  }
  const dist = path.join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(path.join(dist, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(root, packages), null, 1)}\n`);
  writeFileSync(path.join(dist, 'THIRD-PARTY-LICENSES.md'), licenceList(root, packages));
}

/**
 * @param {string} folder
 * @param {readonly RuntimePackage[]} packages
 */
export function billOfMaterials(folder, packages) {
  const { name, version, description, license, dependencies } = readManifest(path.join(folder, 'package.json'));
  const own = packageUrl(name, version);
  const direct = packages.filter((one) => one.name in dependencies || one.isBundled);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'library',
        'bom-ref': own,
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
        purl: own,
      },
    },
    components: packages.map(component),
    dependencies: [
      { ref: own, dependsOn: direct.map((one) => packageUrl(one.name, one.version)) },
      ...packages.map((one) => ({ ref: packageUrl(one.name, one.version), dependsOn: one.needs })),
    ],
  };
}

/** @param {RuntimePackage} own */
function component({ name, version, licence, sha512, isInstalled, isBundled }) {
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: 'library',
    'bom-ref': packageUrl(name, version),
    ...(group === undefined ? {} : { group }),
    name: short,
    version,
    scope: isInstalled || isBundled ? 'required' : 'optional',
    hashes: [{ alg: 'SHA-512', content: sha512 }],
    licenses: [licence.includes(' ') ? { expression: licence } : { license: { id: licence } }],
    purl: packageUrl(name, version),
    ...(isBundled ? { properties: [{ name: 'assay:bundled', value: 'true' }] } : {}),
  };
}

/**
 * A table of all, and the texts of those that dist/ holds a copy of.
 * @param {string} folder
 * @param {readonly RuntimePackage[]} packages
 */
export function licenceList(folder, packages) {
  const bundled = packages.filter(({ isBundled }) => isBundled);
  const line = (/** @type {RuntimePackage} */ { name, version, licence }) => `| ${name} | ${version} | ${licence} |`;
  const table = (/** @type {readonly RuntimePackage[]} */ some) =>
    ['| package | version | licence |', '|---|---|---|', ...some.map(line)].join('\n');
  const texts = bundled.map(({ name }) => `## ${name}\n\n${licenceText(folder, name)}`);
  return `# Licences of other packages

Installed with Assay:

${table(packages.filter(({ isInstalled }) => isInstalled))}

In the files of Assay, whole or in part; their texts are below:

${table(bundled)}

Optional, with all that they need: not installed unless you do. The versions are those that this release was tested with.

${table(packages.filter(({ isInstalled, isBundled }) => !isInstalled && !isBundled))}

${texts.join('\n')}`;
}

/** @param {string} folder @param {string} name */
function licenceText(folder, name) {
  const place = path.join(folder, 'node_modules', name);
  const file = readdirSync(place).find((one) => /^licen[cs]e(?:\.|$)/i.test(one));
  if (file === undefined) throw new Error(`${name} has no file with its licence`);
  const text = readFileSync(path.join(place, file), 'utf8').replaceAll('\r\n', '\n').trimEnd();
  return `\`\`\`text\n${text}\n\`\`\`\n`;
}
