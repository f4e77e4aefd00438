import { describe } from '@jest/globals';
import { testUnavailable } from '../../conformance/operations.js';

describe('GET /vouchers.php [error-503]', () =>
  testUnavailable((service, options) => service.get('/vouchers.php?site_id=1', options)));
