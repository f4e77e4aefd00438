// The health check of the image: asks the service of this machine for /healthz, by the settings that it was started with.
// Ends with 0 when it answers with 200, otherwise with 1.
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

const { HOST = '', PORT, BASE_PATH = '', TLS_CERT_FILE } = process.env;
const socketPath = /^(?:unix:)?(\/.*)$/.exec(HOST)?.[1];
/** Listening everywhere is not an address to connect to. */
const host = ['', '0.0.0.0'].includes(HOST) ? '127.0.0.1' : HOST === '::' ? '::1' : HOST;
const target = socketPath === undefined ? { host, port: PORT || 3000 } : { socketPath };

const end = (problem) => {
  if (problem !== undefined) console.error(problem);
  process.exit(problem === undefined ? 0 : 1);
};

const request = TLS_CERT_FILE ? requestHttps : requestHttp;
request({
  ...target,
  path: `${BASE_PATH.replace(/\/$/, '')}/healthz`,
  timeout: 4000,
  // Its certificate names the public host. It is asked on this machine, and told nothing.
  rejectUnauthorized: false,
})
  .on('response', ({ statusCode }) => end(statusCode === 200 ? undefined : `/healthz answers ${statusCode}`))
  .on('timeout', () => end('/healthz does not answer'))
  .on('error', ({ message }) => end(message))
  .end();
