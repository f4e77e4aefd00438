import { testUnavailable } from '../../conformance/operations.js';

testUnavailable((service, options) => service.get('/vouchers.php?site_id=1', options));
