import { contractFile, loadContract, type Contract } from '../contract/contract.js';

/**
 * The contract in a file, or the one that comes with the program. Another one was written for another service: what
 * can't be served of it is left out, and `onLeftOut` gets the reason.
 */
export const loadGivenContract = (file: string | undefined, onLeftOut: (reason: string) => void): Contract =>
  file === undefined
    ? loadContract(contractFile)
    : loadContract(file, { onUnsupported: ({ message }) => onLeftOut(message) });
