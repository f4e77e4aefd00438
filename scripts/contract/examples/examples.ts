import type { Example } from '../document/examples.js';
import type { Stage } from '../stage.js';
import { sendExample } from './requests.js';
import { compareResponse } from './responses.js';
import { checkExampleValues } from './valid.js';

/** The contract's examples fit their schemas, and are what the service takes and gives. */
export const examples: Stage = {
  name: 'examples',
  title: 'every example of the contract: valid, accepted by the service, and like its answers',
  run: async ({ contract, options, recorder, target: start }) => {
    checkExampleValues(contract, recorder);
    const tried = contract.examples.filter(({ kind }) => kind !== 'header');
    if (tried.length === 0) return;
    const target = await start();
    const sending = { contract, target, recorder, seed: options.seed };
    for (const [done, example] of tried.entries()) {
      recorder.progress(done, tried.length);
      if (isResponse(example)) await compareResponse(sending, example);
      else await sendExample(sending, example);
    }
  },
};

const isResponse = (example: Example): example is Example & { readonly status: number } =>
  example.kind === 'response' && example.status !== undefined;
