import { useSyncExternalStore } from 'react';

/** What this browser lets the console show; `unsupported` where it has no notifications, as without TLS. */
export type BrowserPermission = NotificationPermission | 'unsupported';

const listeners = new Set<() => void>();

const permissionNow = (): BrowserPermission =>
  typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;

/** Has the browser ask its user, which it does on a click alone. @returns the answer. */
export async function askPermission(): Promise<BrowserPermission> {
  if (typeof Notification !== 'undefined') await Notification.requestPermission();
  for (const listener of listeners) listener();
  return permissionNow();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useBrowserPermission = (): BrowserPermission => useSyncExternalStore(subscribe, permissionNow);
