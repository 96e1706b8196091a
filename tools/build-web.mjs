// Builds the screens in web/ into dist/web/: for each an HTML page, one script and one style sheet, nothing inline, so
// that they run under a content security policy of 'self'. With --if-possible it stays silent where Vite or Preact is
// missing, as in an install without the workspace.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

if (!process.argv.includes('--if-possible') || canBuildWeb()) await buildScreen('review');

function canBuildWeb() {
  const fromWeb = createRequire(path.join(root, 'web', 'package.json'));
  try {
    fromWeb.resolve('vite/package.json');
    fromWeb.resolve('preact/package.json');
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name */
async function buildScreen(name) {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: path.join(root, 'web', name),
    // The page may be served under any path.
    base: './',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: path.join(root, 'dist', 'web', name),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        output: { entryFileNames: `${name}.js`, assetFileNames: `${name}[extname]`, codeSplitting: false },
      },
    },
  });
}
