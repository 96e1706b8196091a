import { describe } from 'vitest';

import { presetAliases, presetNames } from '../../src/recipe/presets.ts';
import { noReference } from '../reference/reference-data.ts';
import { goldenTests } from './golden-net.ts';

const FILES = ['tab_piranha_10', 'tab_relabelled_64', 'tab_presidio_64'];
const RUN = '--set interval.resamples=300 --no-report --quiet --out OUT/run';

describe.skipIf(noReference)('golden net: court texts under every preset for spans', () => {
  goldenTests(
    'reference-pii',
    presetNames()
      .flatMap((name) => [name, ...presetAliases(name)])
      .filter((name) => name.startsWith('pii/'))
      .flatMap((preset) =>
        FILES.map((file) => ({
          name: `${preset.replace('/', '-')}-${file}`,
          line: `score ${preset} --cases ../shared/reference/pii/${file}.json ${RUN}`,
        })),
      ),
  );
});
