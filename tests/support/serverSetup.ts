import { jest } from '@jest/globals';

// Nothing here is timed: who takes longer than this, among pages and browsers on two cores, hangs.
jest.setTimeout(180_000);
