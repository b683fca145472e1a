import { createContext } from 'react';
import type { NumberStyle } from '#contract/user';

/** How the reader wants amounts of money written; figures are drawn again when that changes. */
export const NumberStyleContext = createContext<NumberStyle>('auto');
