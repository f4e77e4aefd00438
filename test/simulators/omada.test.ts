import { EventEmitter } from 'node:events';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runSimulator } from '../../simulators/main.js';
import { startOmadaController, type OmadaController } from '../../simulators/omada/controller.js';
import { sharedCertificate } from '../support/certificate.js';
import { until } from '../support/until.js';

let omada: OmadaController;
let ahead = 0;
beforeAll(async () => {
  omada = await startOmadaController({
    certificate: await sharedCertificate(),
    clock: () => Date.now() + ahead,
    sites: [{ id: 'a', name: 'Hotel' }],
  });
});
afterAll(() => omada.stop());

interface Reply {
  readonly status: number;
  readonly body: { errorCode?: number; result?: Record<string, unknown>; [field: string]: unknown };
}

const send = (method: string, path: string, body?: unknown, token?: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `AccessToken=${token}` };
    request(`${omada.url}${path}`, { method, headers, rejectUnauthorized: false }, (res) => {
      text(res).then(
        (answer) => resolve({ status: res.statusCode ?? 0, body: JSON.parse(answer) as Reply['body'] }),
        reject,
      );
    })
      .on('error', reject)
      .end(body === undefined ? '' : JSON.stringify(body));
  });

const signIn = async (values: object = {}, grant = 'client_credentials'): Promise<Reply> => {
  const { omadacId, clientId: client_id, clientSecret: client_secret } = omada;
  const path = `/openapi/authorize/token?grant_type=${grant}`;
  return send('POST', path, { omadacId, client_id, client_secret, ...values });
};

const order = {
  name: 'Gruppe',
  amount: 2,
  codeLength: 8,
  codeForm: [0],
  limitType: 0,
  limitNum: 1,
  durationType: 1,
  duration: 60,
  timingType: 0,
  rateLimit: { mode: 0, customRateLimit: { downLimitEnable: false, upLimitEnable: false } },
  trafficLimitEnable: false,
  applyToAllPortals: true,
};

describe('the simulated Omada controller', () => {
  test('gives tokens to the application in client mode alone, with status 200 whatever the outcome', async () => {
    expect(await signIn()).toMatchObject({
      status: 200,
      body: { errorCode: 0, result: { expiresIn: 7200 } },
    });
    expect(await signIn({ client_secret: 'x' })).toMatchObject({ status: 200, body: { errorCode: -44_106 } });
    expect(await signIn({}, 'password')).toMatchObject({ status: 200, body: { errorCode: -44_111 } });
  });

  test('refuses tokens that have expired or are unknown, lists without a page, and orders out of bounds', async () => {
    const token = String((await signIn()).body.result?.['accessToken']);
    const base = `/openapi/v1/${omada.omadacId}/sites`;
    const groups = `${base}/a/hotspot/voucher-groups`;
    expect(await send('GET', base, undefined, token)).toMatchObject({
      status: 400,
      body: { status: 400, error: 'Bad Request', path: base },
    });
    expect(await send('GET', `${base}?page=1&pageSize=1001`, undefined, token)).toMatchObject({
      body: { errorCode: -1001 },
    });
    expect(await send('GET', `${base}?page=1&pageSize=10`, undefined, token)).toMatchObject({
      body: {
        errorCode: 0,
        result: { totalRows: 1, currentPage: 1, data: [{ siteId: 'a', name: 'Hotel' }] },
      },
    });
    for (const wrong of [
      { name: 'x'.repeat(33) },
      { amount: 0 },
      { amount: 5001 },
      { codeLength: 5 },
      { codeForm: [2] },
      { limitNum: 1000 },
      { duration: 14_400_001 },
      { duration: '60' },
      { trafficLimitEnable: true },
    ])
      expect(await send('POST', groups, { ...order, ...wrong }, token)).toMatchObject({
        status: 200,
        body: { errorCode: -1001 },
      });
    expect(await send('POST', groups, order, token)).toMatchObject({
      body: { errorCode: 0, result: { id: expect.any(String) } },
    });
    expect(await send('POST', groups, order, token)).toMatchObject({ body: { errorCode: -42_059 } });
    expect(await send('POST', `${base}/b/hotspot/voucher-groups`, order, token)).toMatchObject({
      body: { errorCode: -33_000 },
    });
    expect(omada.vouchers().map(({ code }) => code)).toEqual([
      expect.stringMatching(/^\d{8}$/),
      expect.stringMatching(/^\d{8}$/),
    ]);
    expect(await send('GET', `${base}?page=1&pageSize=10`, undefined, 'AT-x')).toMatchObject({
      status: 200,
      body: { errorCode: -44_113 },
    });
    ahead += 7_200_001;
    expect(await send('GET', `${base}?page=1&pageSize=10`, undefined, token)).toMatchObject({
      status: 200,
      body: { errorCode: -44_112 },
    });
  });
});

test('the command prints what adds it', async () => {
  const signals = new EventEmitter();
  let out = '';
  const io = {
    env: {},
    out: (line: string) => void (out += line),
    err: (line: string) => void (out += line),
  };
  const ended = runSimulator(['omada', '--port', '0', '--site', 'Haus "Süd"', '--seed', '2'], io, signals);
  await until('it waits for a signal', () => signals.listenerCount('SIGTERM') > 0);
  expect(out).toMatch(/SECRET=\w+ npx voucherd controller add --name Omada --kind omada --url https:/);
  expect(out).toMatch(/site add --name 'Haus "Süd"' --controller Omada --controller-site [0-9a-f]{24}/);
  signals.emit('SIGTERM');
  expect(await ended).toBe(0);
});
