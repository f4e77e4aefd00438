// Judges the contracts that it is sent: by the rules of redocly.yaml, and against the last release.
import { parentPort } from 'node:worker_threads';
import { groupByCause, lintContract } from '../lint/lintContract.mjs';
import { root } from '../tasks/run.mjs';

/** Made by the build, so a checkout whose scripts do not compile has none. */
const breaking = new URL('../../dist/tools/contract/src/breaking/breaking.js', import.meta.url);

const findBreaking = async (source) => {
  const found = await import(breaking.href).catch((error) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  });
  return found ? found.findBreaking(source, `${root}openapi.yaml`) : [];
};

parentPort.on('message', async (source) => {
  try {
    const found = await lintContract(source, root);
    const isMisspelt = ({ rule }) => rule === 'contract/known-extensions';
    // A misspelt key explains a change, and a change what lint finds.
    const findings = [
      ...found.filter(isMisspelt),
      ...(await findBreaking(source)),
      ...found.filter((finding) => !isMisspelt(finding)),
    ];
    parentPort.postMessage({ findings: groupByCause(findings) });
  } catch (error) {
    parentPort.postMessage({ failure: error.message });
  }
});
