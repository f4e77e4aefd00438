import { testRateLimited } from '../../conformance/operations.js';

testRateLimited((service, options) => service.post('/vouchers.php', { site_id: 1, name: 'x' }, options));
