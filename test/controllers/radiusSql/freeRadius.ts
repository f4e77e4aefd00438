import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { policyText } from '../../../src/controllers/radiusSql/policy.js';
import { findFreePort } from '../../setup/freePort.mjs';
import { makeFolder } from '../../support/folder.js';
import { until } from '../../support/until.js';
import type { RadiusDatabase } from './radiusDatabase.js';

const find = (name: string): string | undefined =>
  ['/usr/sbin', '/usr/bin'].map((folder) => join(folder, name)).find((file) => existsSync(file));

const sqlFolder = '/etc/freeradius/3.0/mods-config/sql/main';

/** Is FreeRADIUS installed, with its modules for databases and its tools? */
export const hasFreeRadius =
  find('freeradius') !== undefined &&
  find('radclient') !== undefined &&
  ['postgresql', 'mysql'].every((dialect) => existsSync(join(sqlFolder, dialect, 'schema.sql')));

/** The schema as FreeRADIUS ships it. */
export const shippedSchema = (dialect: RadiusDatabase['dialect']): Promise<string> =>
  readFile(join(sqlFolder, dialect, 'schema.sql'), 'utf8');

const secret = 'testing123';

/** What a RADIUS server answered: the kind of packet, and its attributes. */
interface RadiusAnswer {
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface FreeRadius {
  /** The secret that access points share with it. */
  readonly secret: string;
  /** Where Disconnect-Requests are answered, as an access point would. */
  readonly disconnectPort: number;
  send(kind: 'auth' | 'acct', attributes: Readonly<Record<string, string | number>>): Promise<RadiusAnswer>;
  output(): string;
  stop(): Promise<void>;
}

/** A FreeRADIUS of a test's own. Without the policy it is one whose administrator has added nothing. */
export const startFreeRadius = async (
  database: RadiusDatabase,
  { hasPolicy = true } = {},
): Promise<FreeRadius> => {
  const folder = await makeFolder();
  const [authPort, acctPort, disconnectPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const { dialect, host, port, name, credentials } = database;
  const policy = join(folder.path, 'policy');
  await mkdir(policy);
  await writeFile(join(policy, 'voucherd'), policyText(dialect));
  const listen = (type: string, at: number): string =>
    `listen {\n type = ${type}\n ipaddr = 127.0.0.1\n port = ${String(at)}\n}`;
  const driver =
    dialect === 'postgresql'
      ? `radius_db = "host=${host} port=${String(port)} dbname=${name} user=${credentials.username} password=${credentials.password}"`
      : `server = "${host}"\n port = ${String(port)}\n login = "${credentials.username}"\n password = "${credentials.password}"\n radius_db = "${name}"`;
  await writeFile(
    join(folder.path, 'radiusd.conf'),
    `libdir = /usr/lib/freeradius
logdir = ${folder.path}
radacctdir = ${folder.path}
run_dir = ${folder.path}
raddbdir = ${folder.path}
modconfdir = /etc/freeradius/3.0/mods-config
pidfile = ${folder.path}/pid
security {
  allow_vulnerable_openssl = yes
}
thread pool {
  start_servers = 1
  max_servers = 4
  min_spare_servers = 1
  max_spare_servers = 2
}
client localhost {
  ipaddr = 127.0.0.1
  secret = ${secret}
}
modules {
  pap {
  }
  chap {
  }
  expiration {
  }
  always ok {
    rcode = ok
  }
  always reject {
    rcode = reject
  }
  expr {
  }
  sql {
    dialect = "${dialect}"
    driver = "rlm_sql_${dialect}"
    ${driver}
    acct_table1 = "radacct"
    acct_table2 = "radacct"
    postauth_table = "radpostauth"
    authcheck_table = "radcheck"
    groupcheck_table = "radgroupcheck"
    authreply_table = "radreply"
    groupreply_table = "radgroupreply"
    usergroup_table = "radusergroup"
    client_table = "nas"
    group_attribute = "SQL-Group"
    read_groups = yes
    pool {
      start = 1
      min = 1
      max = 4
      spare = 1
      uses = 0
      lifetime = 0
      idle_timeout = 60
    }
    $INCLUDE ${sqlFolder}/${dialect}/queries.conf
  }
}
policy {
  $INCLUDE ${policy}/
}
server default {
  ${listen('auth', authPort)}
  ${listen('acct', acctPort)}
  authorize {
    chap
    ${hasPolicy ? 'voucherd' : ''}
    sql
    expiration
    pap
  }
  authenticate {
    Auth-Type PAP {
      pap
    }
    Auth-Type CHAP {
      chap
    }
  }
  preacct {
    update request {
      &Acct-Unique-Session-Id := "%{md5:%{User-Name},%{Acct-Session-ID},%{NAS-IP-Address}}"
    }
  }
  accounting {
    sql
  }
}
server disconnect {
  ${listen('coa', disconnectPort)}
  recv-coa {
    ok
  }
  send-coa {
    ok
  }
}
`,
  );
  const server = spawn(find('freeradius') ?? '', ['-X', '-d', folder.path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = (): void => void server.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(server, 'exit');
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  await until('FreeRADIUS is ready', () => {
    if (server.exitCode !== null) throw new Error(`freeradius has ended:\n${output.slice(-3000)}`);
    return output.includes('Ready to process requests');
  });
  return {
    secret,
    disconnectPort,
    output: () => output,
    send: (kind, attributes) =>
      new Promise((resolve, reject) => {
        const at = `127.0.0.1:${String(kind === 'auth' ? authPort : acctPort)}`;
        const client = execFile(
          find('radclient') ?? '',
          ['-x', '-r', '1', '-t', '20', at, kind, secret],
          (error, out) => {
            const [, answer] = /Received ([^]*)/.exec(out) ?? [];
            if (answer === undefined) {
              reject(error ?? new Error(out));
              return;
            }
            const found = [...answer.matchAll(/^\t([\w-]+) = "?([^"\n]*)"?$/gm)];
            resolve({
              kind: answer.split(' ')[0] ?? '',
              attributes: Object.fromEntries(found.map(([, key, value]) => [key, value])),
            });
          },
        );
        client.stdin?.end(
          Object.entries(attributes)
            .map(([key, value]) => `${key} = ${typeof value === 'number' ? String(value) : `"${value}"`}`)
            .join('\n'),
        );
      }),
    stop: async () => {
      process.off('exit', kill);
      server.kill('SIGKILL');
      await ended;
      await folder.remove();
    },
  };
};
