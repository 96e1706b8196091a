import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const CHECK_FOLDER = join(import.meta.dirname, '../../src/audit/checks');

test('no check writes a limit into its documentation by hand', () => {
  const written = readdirSync(CHECK_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const source = readFileSync(join(CHECK_FOLDER, name), 'utf8');
      const texts = source.matchAll(/^ {2}(?:about|severity):\s*('[^']*'|`[^`]*(?:\\`[^`]*)*`),$/gm);
      const byHand = [...texts].map(([, text = '']) => text.replaceAll(/\$\{[^}]*\}|F1|0\/0/g, ''));
      return byHand.filter((text) => /\d/.test(text)).map((text) => `${name}: ${text}`);
    });
  expect(written).toEqual([]);
});
