import { createSecureContext } from 'node:tls';
import type { Command } from 'commander';
import { explainListenError } from '../../config/config.js';
import { publicText } from '../../lib/publicText.js';
import { readGivenFile } from '../givenFile.js';
import { CommandError, counted, parseWholeNumber, type Io } from '../io.js';
import { sanitizeLine } from '../../lib/label.js';
import { waitForSignal, type Signals } from '../../lib/signals.js';
import { formatViolation } from './violationText.js';
import type { Exchange } from './proxyServer.js';

interface ProxyOptions {
  port: string;
  contract?: string;
  fail?: boolean;
  caFile?: string;
  timeout: string;
  json?: boolean;
}

/**
 * Adds the options of `proxy`, which forwards to a server and compares requests and responses with a
 * contract.
 */
export const addProxyCommand = (proxy: Command, io: Io, signals: Signals = process): void => {
  proxy
    .argument('<url>', 'the server behind the proxy, such as http://localhost:3000')
    .option('--port <number>', 'where to listen, on this machine only; 0 for any free port', '4010')
    .option('--contract <file>', 'another contract than the one that comes with the program')
    .option('--fail', 'answer contract violations with 400 or 502')
    .option('--ca-file <file>', 'certificates in PEM to trust for https, instead of those of the system')
    .option('--timeout <seconds>', 'how long the server may be silent', '30')
    .option('--json', 'print the address, each violation and the summary as JSON, a line each')
    .action(async (url: string, options: ProxyOptions) => {
      const address = parseServer(url);
      const port = parseWholeNumber('--port', options.port, 0, 65_535);
      const timeoutMs = parseWholeNumber('--timeout', options.timeout, 1, 3600) * 1000;
      const ca = options.caFile === undefined ? undefined : await readCertificates(options.caFile);
      const { loadGivenContract } = await import('../givenContract.js');
      const { makeExchangeCheck } = await import('../../contract/proxy/exchangeCheck.js');
      const { startProxyServer } = await import('./proxyServer.js');
      const { makeUpstream } = await import('./upstream.js');
      const contract = loadGivenContract(
        options.contract,
        () => address.pathname,
        (reason) => io.err(`not checked: ${sanitizeLine(reason)}\n`),
        (path) => `start the proxy with ${address.origin}${path}`,
      );
      const print = makePrinter(io, options.json === true);
      const server = await startProxyServer({
        port,
        check: makeExchangeCheck(contract),
        upstream: makeUpstream({ url: address, ca, timeoutMs }),
        fails: options.fail === true,
        onExchange: print.exchange,
        onFailure: print.failure,
      }).catch((error: unknown) => {
        throw explainListenError(error as NodeJS.ErrnoException, { host: '127.0.0.1', port }, '--port');
      });
      const signalled = waitForSignal(signals);
      print.start(server.url, address, contract.operations.size);
      await signalled;
      await server.stop();
      print.end();
    });
};

/**
 * An address of a server. It may hold a path, but no secrets, which other programs of this machine could see.
 */
const parseServer = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '')
    throw new CommandError(
      'option-invalid',
      `"${publicText(text)}" is not allowed: an address such as http://localhost:3000 or https://example.org/api`,
    );
  if (url.username !== '' || url.password !== '')
    throw new CommandError(
      'option-invalid',
      'the address must not hold a user or a password: clients send their own key',
    );
  return url;
};

const readCertificates = async (file: string): Promise<string> => {
  try {
    const ca = await readGivenFile('--ca-file', file);
    createSecureContext({ ca });
    if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw new Error('none');
    return ca;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      'option-invalid',
      `--ca-file: "${file}" is not allowed: a file with certificates in PEM`,
    );
  }
};

/** How many of the violations of one exchange get a line. */
const maxLines = 20;

/** Prints what the proxy finds, and counts it. */
const makePrinter = (io: Io, json: boolean) => {
  let [requests, violations, failures] = [0, 0, 0];
  const printJson = (value: object): void => io.out(`${JSON.stringify(value)}\n`);

  const shown = ({ method, path, operation, status }: Exchange) => ({
    method: clean(method),
    path: clean(path),
    operation,
    status,
  });
  const placeOf = ({ method, path, status }: Exchange): string =>
    `${clean(method)} ${clean(path)} ${String(status)}`;

  const exchange = (seen: Exchange): void => {
    const { violations: found } = seen;
    requests += 1;
    violations += found.length;
    for (const violation of found.slice(0, maxLines))
      if (json) printJson({ ...shown(seen), ...violation });
      else io.out(`${placeOf(seen)}  ${formatViolation(violation)}\n`);
    const more = found.length - maxLines;
    if (more > 0 && !json) io.out(`${placeOf(seen)}  and ${counted(more, 'more violation')}\n`);
  };

  return {
    exchange,
    failure: (seen: Exchange, failure: string): void => {
      failures += 1;
      if (json) printJson({ ...shown(seen), failure });
      else io.err(`${placeOf(seen)}  ${failure}\n`);
    },
    start: (url: string, server: URL, operations: number): void => {
      if (json) printJson({ url });
      else {
        const { pathname } = server;
        const paths = pathname === '/' ? '' : ` Clients call ${url} without ${pathname}.`;
        io.out(
          `${url} forwards requests to ${server.href} and compares them and the responses with the contract (${counted(operations, 'operation')}).${paths} A line for each violation; stop with Ctrl-C.\n`,
        );
      }
    },
    end: (): void => {
      if (json) printJson({ requests, violations, failures });
      else if (violations === 0)
        io.out(`${counted(requests, 'request')}, no violations of the contract${ofFailures(failures)}\n`);
      if (violations > 0)
        throw new CommandError(
          'contract-violated',
          `${counted(requests, 'request')}, ${counted(violations, 'violation')} of the contract${ofFailures(failures)}`,
        );
    },
  };
};

const ofFailures = (failures: number): string =>
  failures === 0 ? '' : `, ${String(failures)} without a response of the server`;

/** Text of a client or a server, safe to print. */
const clean = (text: string): string => {
  const line = publicText(sanitizeLine(text));
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
};
