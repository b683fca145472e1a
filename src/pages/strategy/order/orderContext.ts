import { createContext, useContext } from 'react';

/** Reads the lists again after something was done to an order. */
export const RefreshContext = createContext<() => void>(() => {});
export const useRefresh = () => useContext(RefreshContext);
