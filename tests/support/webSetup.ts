import '@testing-library/jest-dom';

jest.setTimeout(30_000);
