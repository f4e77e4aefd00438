// `npm run mock`: the API without a service behind it; arguments are handed to `voucherd mock`.
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
  const argv = ['mock', ...process.argv.slice(2)];
  const { main } = await loadProgram(argv);
  return main(argv);
});
