// `npm run proxy -- URL`: a proxy that compares requests and responses with the contract; `voucherd proxy` does it.
import './tasks/nodeVersion.mjs';
import { buildAnyway } from './dev/compiler.mjs';
import { generateWhenStale } from './tasks/contract.mjs';
import { install } from './tasks/install.mjs';
import { loadProgram } from './tasks/program.mjs';
import { script } from './tasks/run.mjs';

await script(async () => {
  await install();
  await generateWhenStale();
  await buildAnyway();
  const argv = ['proxy', ...process.argv.slice(2)];
  const { main } = await loadProgram(argv);
  return main(argv);
});
