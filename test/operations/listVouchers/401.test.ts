import { testUnauthorized } from '../../conformance/operations.js';

testUnauthorized((service, options) => service.get('/vouchers.php?site_id=1', options));
