import { describe } from '@jest/globals';
import { testUnavailable } from '../../conformance/operations.js';

describe('GET /sites.php [error-503]', () =>
  testUnavailable((service, options) => service.get('/sites.php', options)));
