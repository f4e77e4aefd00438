import type { Tables } from '../app/tables.js';
import { makeConnectionStore, type ConnectionStore } from '../connections/connectionStore.js';
import type { ConnectionName } from '../connections/connectionTable.js';
import type { Secrets } from '../secrets/encryption.js';

/** Reads and writes what is stored of a server that the service uses, with the given secrets. */
export const connectionStoreOf = (
  name: ConnectionName,
  { connections: table }: Pick<Tables, 'connections'>,
  secrets: () => Secrets,
): ConnectionStore =>
  makeConnectionStore(name, {
    table,
    secrets,
    // Who imports has the current key already.
    writeSealed: (work) => work(secrets()),
  });
