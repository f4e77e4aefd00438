import { testServerError } from '../../conformance/operations.js';

testServerError((service, options) => service.get('/vouchers.php?site_id=1', options));
