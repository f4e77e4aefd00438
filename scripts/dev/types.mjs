// Makes the types of the contracts, and then checks those of the sources and tests.
import { spawnSync } from 'node:child_process';
import { makeTypes, write } from '../tasks/generated.mjs';
import { root, script, tool } from '../tasks/run.mjs';

await script(async () => {
  write(await makeTypes());
  const [command, args] = tool('typescript-native/bin/tsc', '--noEmit', '--pretty');
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status;
});
