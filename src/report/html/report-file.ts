import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { errorCode } from '../../data/source.ts';
import { xmlText } from '../svg/markup.ts';

/** Beside the compiled program and beside the sources alike: three folders up is the package. */
const BUILT = fileURLToPath(new URL('../../../dist/web/report/', import.meta.url));

/** The viewer as it was built. */
export interface Viewer {
  readonly script: string;
  readonly style: string;
}

/** The built viewer; null if it has not been built. */
export function readViewer(folder: string = BUILT): Viewer | null {
  try {
    return {
      script: inline(readFileSync(`${folder}/report.js`, 'utf8'), 'script'),
      style: inline(readFileSync(`${folder}/report.css`, 'utf8'), 'style'),
    };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** Safe inside its element. Line ends are what a browser makes of them before it hashes. */
function inline(code: string, element: 'script' | 'style'): string {
  return code
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(new RegExp(`</(?=${element})`, 'gi'), '<\\/')
    .replaceAll('<!--', '<\\!--');
}

/**
 * Nothing is loaded, nothing is sent, and nothing runs but the one script that is named by its hash, whatever a document
 * or an answer holds.
 */
export function reportPolicy({ script, style }: Viewer): string {
  const named = (code: string): string => `'sha256-${hash('sha256', code, 'base64')}'`;
  return [
    "default-src 'none'",
    `script-src ${named(script)}`,
    `style-src ${named(style)}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** What comes before the data. */
export function reportOpening(title: string, viewer: Viewer): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${reportPolicy(viewer)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="assay">
<title>${xmlText(title)}</title>
<style>${viewer.style}</style>
</head>
<body>
<div id="app"><p class="opening">Opening… If this stays, the file may have been cut off when it was saved or sent.</p></div>
`;
}

/** A block of compressed data. */
export function compressedBlock(id: string, content: string): string {
  return `<script type="text/plain" id="${id}">${content}</script>\n`;
}

/** A block of JSON: with no `<` in it, it cannot end its element or begin a comment. */
export function jsonBlock(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>\n`;
}

/** What comes after the data: the numbers for those whose browser runs no script, and the script. */
export function reportClosing(withoutScript: string, { script }: Viewer): string {
  return `<noscript>${withoutScript}</noscript>
<script>${script}</script>
</body>
</html>
`;
}
