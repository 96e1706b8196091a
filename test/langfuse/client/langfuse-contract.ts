import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { langfuseBackend } from '../../../src/langfuse/client/langfuse-backend.ts';
import { serveLangfuse } from '../../../src/server/langfuse/langfuse-server.ts';
import { openStore } from '../../../src/store/store.ts';
import { backendContract } from '../../experiment/backend-contract.ts';

const KEYS = { publicKey: 'pk-lf-contract', secretKey: 'sk-lf-contract' };

/** Holds the Langfuse backend to what every backend does, over an embedded server of one generation. */
export function langfuseContract(generation: 3 | 4 | 'both'): void {
  backendContract(
    `Langfuse (embedded, generation ${generation})`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'assay-langfuse-'));
      const store = openStore(folder);
      const server = await serveLangfuse({ store, keys: KEYS, generation, port: 0 });
      const environment = {
        LANGFUSE_BASE_URL: server.url,
        LANGFUSE_PUBLIC_KEY: KEYS.publicKey,
        LANGFUSE_SECRET_KEY: KEYS.secretKey,
      };
      const backend = await langfuseBackend({ environment, settleMs: 200 });
      return {
        backend,
        close: async () => {
          await backend.close();
          await server.close();
          store.close();
          rmSync(folder, { recursive: true });
        },
      };
    },
    // Langfuse itself has none of these.
    { archivesDatasets: false, listsArchivedItems: false, keepsControlCharacters: false },
  );
}
