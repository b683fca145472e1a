import { createContext, useContext } from 'react';

/** Reads the lists again after something was done to an order. */
export const RefreshContext = createContext<() => void>(() => {});
export const useRefresh = () => useContext(RefreshContext);

/** Where the tools of the rows stand, when there is room for them beside the tabs. */
export const ToolsPlace = createContext<HTMLElement | null>(null);
