import { expect, test } from '@jest/globals';
import newman, { type Summary } from 'newman';
import postman, { type Converted } from 'openapi-to-postmanv2';
import { loadContract } from '../../src/contract/contract.js';
import { withApi } from '../support/api.js';
import { contractFile } from '../support/contract.js';
import { exampleRequests } from '../support/exampleRequests.js';

const api = withApi({ env: { BASE_PATH: '/api' } });

/** As Postman's own import does it, with the examples of the description as values. */
const convert = (data: string): Promise<Converted> =>
  new Promise((resolve, reject) => {
    const options = { parametersResolution: 'Example' };
    postman.convertV2({ type: 'string', data }, options, (error, converted) => {
      if (error) reject(error);
      else resolve(converted);
    });
  });

const run = (options: Record<string, unknown>): Promise<Summary> =>
  new Promise((resolve, reject) => {
    newman.run(options, (error, summary) => {
      if (error) reject(error);
      else resolve(summary);
    });
  });

test.each(['/openapi.php', '/openapi.yaml'])(
  '%s becomes a Postman collection that runs against the service with nothing but a key',
  async (path) => {
    const siteId = await api.addSite();
    const { result, reason, output } = await convert((await api.get(path)).text);
    expect({ result, reason }).toEqual({ result: true, reason: undefined });
    const collection = output[0]?.data;
    // The example of the contract is site 1.
    expect(siteId).toBeGreaterThanOrEqual(1);
    const { run: done } = await run({
      collection,
      envVar: [
        { key: 'bearerToken', value: api.key },
        { key: 'apiKey', value: api.key },
      ],
      timeoutRequest: 120_000,
    });
    const answers = done.executions.map(({ item, response }) => [item.name, response.code]);
    const { operations } = loadContract(contractFile);
    expect(answers).toEqual(
      exampleRequests().map(({ operationId, status }) => [
        operations.get(operationId)?.definition.summary,
        status,
      ]),
    );
    expect(done.failures).toEqual([]);
  },
);
