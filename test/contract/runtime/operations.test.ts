import { afterEach, expect, test } from '@jest/globals';
import { changedContract } from '../../support/contract.js';
import { startService, type Answer, type TestService } from '../../support/service.js';

let service: TestService;
let removeContract: () => void;

/** Creates a voucher with a service whose contract documents another reply than the one its handler gives. */
const createAgainst = async (NODE_ENV: string, change: [from: string, to: string]): Promise<Answer> => {
  const contract = changedContract(change);
  removeContract = contract.remove;
  service = await startService({ contractFile: contract.file, env: { NODE_ENV } });
  const order = { site_id: await service.addSite(), name: 'x' };
  return service.post('/vouchers.php', order, { key: await service.addKey() });
};
afterEach(async () => {
  await service.stop();
  removeContract();
});

const bodyChange: [string, string] = ['formatted_code: { type: string', 'formatted_code: { type: integer'];
const statusChange: [string, string] = ["        '201':\n", "        '200':\n"];
const violations = async (): Promise<string | undefined> =>
  /^voucherd_contract_violations_total\{operation="createVoucher"\} (\d+)$/m.exec(
    (await service.get('/metrics')).text,
  )?.[1];

test.each(['test', 'development'])(
  'in %s a reply that the contract does not document is a 500',
  async (environment) => {
    const { status, body } = await createAgainst(environment, bodyChange);
    expect(status).toBe(500);
    expect(body).toMatchObject({ error: 'server_error', message: expect.stringContaining('formatted_code') });
    expect(await violations()).toBe('1');
  },
);

test('a status that the contract does not document is a 500 as well', async () => {
  const { status, body } = await createAgainst('test', statusChange);
  expect(status).toBe(500);
  expect(body).toMatchObject({ error: 'server_error', message: expect.stringContaining('201') });
});

test.each([
  ['body', bodyChange],
  ['status', statusChange],
])('in production a reply with an undocumented %s is sent and counted in a metric', async (_, change) => {
  const { status, body } = await createAgainst('production', change);
  expect(status).toBe(201);
  expect(body).toMatchObject({ success: true });
  expect(Number(await violations())).toBeGreaterThanOrEqual(1);
});
