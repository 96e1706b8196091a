import { langfuseContract } from './langfuse-contract.ts';

for (const generation of ['both', 3, 4] as const) langfuseContract(generation);
