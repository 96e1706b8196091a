// Builds the screens in web/ into dist/web/: for each an HTML page, one script, one style sheet and what fonts it has,
// nothing inline. `review` and `home` are served so, under a content security policy of 'self'; `report` is put into a
// single file when a report is written. With --if-possible it stays silent where Vite, Preact or the font is missing, as in
// an install without the workspace.
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectBundled } from './runtime-packages.mjs';

const FONT = 'noto-sans-devanagari';
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const fromWeb = createRequire(path.join(root, 'web', 'package.json'));

const screens = readdirSync(path.join(root, 'web')).filter((name) =>
  existsSync(path.join(root, 'web', name, 'index.html')),
);
if (!process.argv.includes('--if-possible') || canBuildWeb()) for (const name of screens) await buildScreen(name);

function canBuildWeb() {
  try {
    for (const name of ['vite', 'preact', `@fontsource/${FONT}`]) fromWeb.resolve(`${name}/package.json`);
    fromWeb.resolve('d3-force');
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name */
async function buildScreen(name) {
  const { build } = await import('vite');
  const outDir = path.join(root, 'dist', 'web', name);
  const built = await build({
    configFile: false,
    root: path.join(root, 'web', name),
    // The page may be served under any path.
    base: './',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        output: {
          entryFileNames: `${name}.js`,
          assetFileNames: ({ names }) => fontName(names[0] ?? '') ?? `${name}[extname]`,
          codeSplitting: false,
        },
      },
    },
  });
  const files = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  expectBundled(
    root,
    files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : file.originalFileNames)),
  );
  // The licence of a font goes where the font goes.
  if (!readdirSync(outDir).some((file) => file.endsWith('.woff2'))) return;
  const from = path.dirname(fromWeb.resolve(`@fontsource/${FONT}/package.json`));
  copyFileSync(path.join(from, 'LICENSE'), path.join(outDir, `${FONT}.LICENSE`));
}

/**
 * `noto-sans-devanagari-400.woff2`; null for what is no font.
 *
 * @param {string} file
 */
function fontName(file) {
  const weight = /-(\d+)-normal\.woff2$/.exec(file)?.[1];
  return weight === undefined ? null : `${FONT}-${weight}.woff2`;
}
