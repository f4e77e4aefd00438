import { describe } from '@jest/globals';
import { voucherTableConformance } from '../conformance/tables.js';
import { makePostgresDatabase } from '../support/databases.js';

describe('PostgreSQL', () => voucherTableConformance(makePostgresDatabase));
