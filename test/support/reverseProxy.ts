import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { root } from './built.js';
import { sharedCertificate } from './certificate.js';
import { makeFolder } from './folder.js';
import { until } from './until.js';

/** A reverse proxy that docs/reverse-proxy.md has blocks for. */
export interface ProxyProgram {
  readonly name: string;
  /** Undefined where it is not installed. */
  readonly file: string | undefined;
  /** The language of its blocks in the document. */
  readonly language: string;
  /** A block of the document with the ports and files of a test. */
  adapt(block: string, ports: Ports): string;
  arguments(folder: string, file: string): readonly string[];
}

interface Ports {
  readonly service: string;
  readonly proxy: number;
}

const findProgram = (names: readonly string[], version: string): string | undefined =>
  names.find((name) => spawnSync(name, [version]).status === 0);

/** Fails when the document has changed so that nothing would be replaced. */
const replace = (text: string, pattern: RegExp, replacement: string): string => {
  if (!pattern.test(text)) throw new Error(`the block has no ${String(pattern)}`);
  return text.replace(pattern, replacement);
};

const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
  (name) => `${name}_temp_path ${name};`,
);

export const nginx: ProxyProgram = {
  name: 'nginx',
  // Debian has it in /usr/sbin, which is not on everybody's path.
  file: findProgram(['nginx', '/usr/sbin/nginx'], '-v'),
  language: 'nginx',
  adapt: (block, { service, proxy }) => {
    const edits: readonly [RegExp, string][] = [
      [/127\.0\.0\.1:3000/, `127.0.0.1:${service}`],
      [/listen 443 /, `listen 127.0.0.1:${String(proxy)} `],
      [/ssl_certificate \S+;/, 'ssl_certificate cert.pem;'],
      [/ssl_certificate_key \S+;/, 'ssl_certificate_key key.pem;'],
    ];
    const adapted = edits.reduce((text, [pattern, given]) => replace(text, pattern, given), block);
    // One process, which runs as this user.
    return `daemon off; master_process off; pid nginx.pid; error_log error.log;
      events {}
      http { access_log off; ${temporaryPaths.join(' ')} ${adapted} }`;
  },
  // It opens the log before it reads which one to use.
  arguments: (folder, file) => ['-p', folder, '-c', file, '-e', join(folder, 'error.log')],
};

export const caddy: ProxyProgram = {
  name: 'Caddy',
  file: findProgram(['caddy'], 'version'),
  language: 'caddyfile',
  adapt: (block, { service, proxy }) => {
    const site = `https://localhost:${String(proxy)} {\n\tbind 127.0.0.1\n\ttls cert.pem key.pem`;
    const adapted = replace(replace(block, /127\.0\.0\.1:3000/, `127.0.0.1:${service}`), /^\S+ \{/, site);
    // The browser of the tests does not ask for HTTP/3.
    return `{\n\tadmin off\n\tauto_https disable_redirects\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n${adapted}`;
  },
  arguments: (_folder, file) => ['run', '--adapter', 'caddyfile', '--config', file],
};

/** The blocks of the document in a language, in their order. */
const blocksIn = (language: string): string[] =>
  [...readFileSync(join(root, 'docs/reverse-proxy.md'), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === language)
    .map(([, , block = '']) => block);

/** The ways to set up a proxy, in the order of their blocks. */
export const setups = ['a host of its own', 'a path that is kept', 'a path that is removed'] as const;
type Setup = (typeof setups)[number];

/** Starts a proxy from its block of the document. Resolves with what ends it once it answers. */
export const startProxy = async (
  program: ProxyProgram,
  setup: Setup,
  ports: Ports,
): Promise<() => Promise<void>> => {
  const folder = await makeFolder();
  const { cert, key } = await sharedCertificate();
  writeFileSync(join(folder.path, 'cert.pem'), cert);
  writeFileSync(join(folder.path, 'key.pem'), key);
  const block = blocksIn(program.language)[setups.indexOf(setup)] ?? '';
  const file = join(folder.path, 'proxy.conf');
  writeFileSync(file, program.adapt(block, ports));
  const child: ChildProcess = spawn(program.file ?? '', program.arguments(folder.path, file), {
    cwd: folder.path,
    env: { ...process.env, HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = once(child, 'exit').then(() => process.off('exit', kill));
  const stop = async (): Promise<void> => {
    kill();
    await exited;
    await folder.remove();
  };
  try {
    await until(`${program.name} answers`, async () => {
      if (child.exitCode !== null) throw new Error(`${program.name} ended: ${said}`);
      const url = `https://localhost:${String(ports.proxy)}`;
      return (await ask(url, 'GET', '/').catch(() => undefined)) !== undefined;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
};

export interface Http2Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request over HTTP/2 and TLS. */
export const ask = async (
  origin: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Http2Answer> => {
  const { cert } = await sharedCertificate();
  const session = connect(origin, { ca: cert, ALPNProtocols: ['h2'] });
  try {
    return await new Promise<Http2Answer>((resolve, reject) => {
      session.once('error', reject);
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const stream = session.request({ ':method': method, ':path': path, ...type, ...headers });
      let answered: IncomingHttpHeaders = {};
      let text = '';
      stream.setEncoding('utf8');
      stream.on('response', (received) => (answered = received));
      stream.on('data', (chunk: string) => (text += chunk));
      stream.once('error', reject);
      stream.once('end', () => {
        resolve({ status: Number(answered[':status']), headers: answered, text });
      });
      stream.end(body === undefined ? undefined : JSON.stringify(body));
    });
  } finally {
    session.close();
  }
};
