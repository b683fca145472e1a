declare module 'fs-native-extensions' {
  /** Takes an exclusive OS lock on an open, writable file; false when another holder has it. */
  export function tryLock(fd: number): boolean;
  export function unlock(fd: number): void;
}
