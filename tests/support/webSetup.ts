import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

jest.setTimeout(90_000);

// The first screen of a file compiles the whole console; the page as HTML under a failure hides its sentence.
configure({
  asyncUtilTimeout: 10_000,
  getElementError: (message) => new Error(message ?? 'not found'),
});
