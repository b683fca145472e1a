import { createContext, use } from 'react';
import type { ApiKeyRow } from '#contract/apiKey';

/** What the parts of the screen can ask of it. */
interface KeyScreen {
  /** Reads the lists again after something was done. */
  refresh: () => void;
  rotate: (row: ApiKeyRow) => void;
  edit: (row: ApiKeyRow) => void;
}

export const KeyContext = createContext<KeyScreen>({ refresh: () => {}, rotate: () => {}, edit: () => {} });
export const useKeyScreen = () => use(KeyContext);
