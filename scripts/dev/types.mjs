import { writeTypes } from '../tasks/contract.mjs';

// Loading the generator takes longer than its work, so it is loaded before it is needed.
import('openapi-typescript').catch(() => undefined);

/** Makes the types of the contract: what `npm run generate` makes, without a process. */
export const generateTypes = writeTypes;
