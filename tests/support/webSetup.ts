import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

jest.setTimeout(180_000);
// On a busy machine a page may be a moment late: what fails twice has failed, and what was told of the first time stays.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

// The first screen of a file compiles the whole console; the page as HTML under a failure hides its sentence.
configure({
  asyncUtilTimeout: 10_000,
  getElementError: (message) => new Error(message ?? 'not found'),
});
