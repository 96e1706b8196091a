import { langfuseContract } from './langfuse-contract.ts';

langfuseContract('both');
