/** Numbers of PostgreSQL's advisory locks: one a purpose, so that none waits for what it has nothing to do with. */
export const ADVISORY_LOCKS = {
  /** Two servers migrate one after the other. */
  migration: 7_263_518_204,
  /** Who writes a secret shares it; who wraps all of them anew is alone. */
  secrets: 7_263_518_205,
  /** Who takes a master away comes alone. */
  masters: 7_263_518_207,
  /** Of two who ask for names that look alike one comes first. */
  names: 7_263_518_208,
} as const;
