import { describe } from '@jest/globals';
import { voucherTableConformance } from '../conformance/tables.js';
import { makeSqliteDatabase } from '../support/databases.js';

describe('SQLite', () => voucherTableConformance(makeSqliteDatabase));
