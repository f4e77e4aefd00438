import { testRateLimited } from '../../conformance/operations.js';

testRateLimited((service, options) => service.get('/vouchers.php?site_id=1', options));
