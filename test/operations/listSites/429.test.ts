import { describe } from '@jest/globals';
import { testRateLimited } from '../../conformance/operations.js';

describe('GET /sites.php [limit-per-minute limit-429-body]', () =>
  testRateLimited((service, options) => service.get('/sites.php', options)));
