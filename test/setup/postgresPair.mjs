// Runs a throw-away primary and its standby until standard input closes, like postgresServer.mjs. The first line of
// output has their addresses; each line of input is a command, answered by the line "done":
//   stop N     ends a server
//   demote N   starts it again, as the standby of the other
import { createInterface } from 'node:readline';
import { findFreePort } from './freePort.mjs';
import {
  addressOf,
  careless,
  copyData,
  endServer,
  findPrograms,
  initialise,
  makeStandby,
  removeFiles,
  startServer,
} from './postgresFiles.mjs';

for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) process.on(signal, () => process.stdin.destroy());
process.stdout.on('error', () => undefined);

/** What a standby missed while it started is still there. */
const settings = { ...careless, wal_keep_size: '256MB' };
const servers = [];

try {
  const bin = findPrograms();
  const data = [initialise(bin)];
  data.push(copyData(data[0], 'standby'));
  const ports = [await findFreePort()];
  do ports[1] = await findFreePort();
  while (ports[1] === ports[0]);
  const start = async (index) => {
    servers[index] = await startServer(bin, data[index], ports[index], settings);
  };
  await start(0);
  makeStandby(data[1], ports[0]);
  await start(1);
  console.log(JSON.stringify(ports.map(addressOf)));
  for await (const line of createInterface({ input: process.stdin })) {
    const [command, number] = line.split(' ');
    const index = Number(number);
    await endServer(servers[index]);
    if (command === 'demote') {
      makeStandby(data[index], ports[1 - index]);
      await start(index);
    }
    console.log('done');
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await Promise.all(servers.map(endServer));
  removeFiles();
  process.stdin.destroy();
}
