import { describe } from '@jest/globals';
import { testRateLimited } from '../../conformance/operations.js';

describe('POST /vouchers.php [limit-per-minute limit-429-body]', () =>
  testRateLimited((service, options) => service.post('/vouchers.php', { site_id: 1, name: 'x' }, options)));
