import { describe } from '@jest/globals';
import { testUnavailable } from '../../conformance/operations.js';

describe('POST /vouchers.php [error-503]', () =>
  testUnavailable((service, options) => service.post('/vouchers.php', { site_id: 1, name: 'x' }, options)));
