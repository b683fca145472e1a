import { jest } from '@jest/globals';

// A page on a busy machine of two cores; a step that takes longer than this hangs.
jest.setTimeout(600_000);
