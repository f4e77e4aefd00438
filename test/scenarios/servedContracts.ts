import type { ServedContracts } from '../../tools/contract/src/contracts.js';
import { apiHints } from './api/index.js';
import { apiKeys } from './local/apiKeys.js';
import { startSimulatedNetwork } from './local/simulatedNetwork.js';
import { webSessions } from './local/webSessions.js';
import { webHints } from './web/index.js';

const everyContract = {
  jsonContentType: 'application/json; charset=utf-8',
  keptRequestIds: /^[\w.:-]{1,64}$/,
};

/** The contracts that voucherd serves. */
export const servedContracts: ServedContracts = [
  {
    ...everyContract,
    name: 'api',
    file: 'openapi.yaml',
    basePath: '',
    credentials: apiKeys,
    hints: apiHints,
    hintsFolder: 'test/scenarios/api',
    types: 'generated/openapi.ts',
    shownAt: { yaml: '/openapi.yaml', json: '/openapi.php' },
  },
  {
    ...everyContract,
    name: 'pages',
    file: 'web.yaml',
    basePath: '/web',
    credentials: webSessions,
    startNetwork: startSimulatedNetwork,
    hints: webHints,
    hintsFolder: 'test/scenarios/web',
    types: 'generated/web.ts',
  },
];
