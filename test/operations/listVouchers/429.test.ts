import { describe } from '@jest/globals';
import { testRateLimited } from '../../conformance/operations.js';

describe('GET /vouchers.php [limit-per-minute limit-429-body]', () =>
  testRateLimited((service, options) => service.get('/vouchers.php?site_id=1', options)));
