// Lints the contracts that it is sent.
import { parentPort } from 'node:worker_threads';
import { lintContract } from '../lint/lintContract.mjs';

parentPort.on('message', async (source) => {
  try {
    parentPort.postMessage({ findings: await lintContract(source) });
  } catch (error) {
    parentPort.postMessage({ failure: error.message });
  }
});
