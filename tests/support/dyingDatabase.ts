import type { Database } from '#server/base/db/client';

/** Commits so many times and then never again, as if the process had been killed. */
export function dyingDatabase(db: Database, last: number) {
  let commits = 0;
  let die = () => {};
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const dying = new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value;
      return (work: never) => {
        commits += 1;
        if (commits <= last) return target.transaction(work);
        die();
        return new Promise(() => {});
      };
    },
  });
  return { db: dying, died };
}
