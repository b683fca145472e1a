import { wordsOf } from './words';
/** What a right lets a person do; each endpoint row and each screen names one of them. */
export const RIGHTS = ['open', 'signedIn', 'evaluateEditable', 'isMaster'] as const;
export type Right = (typeof RIGHTS)[number];

export const ROLE_LABEL = { master: '管理员', editor: '编辑', user: '普通用户' } as const;
export const ROLES = wordsOf(ROLE_LABEL);
export type Role = (typeof ROLES)[number];

/** The one table of rights. A role that is not in it has nothing beyond being signed in. */
const RIGHTS_OF_ROLE: Record<Role, readonly Right[]> = {
  master: ['open', 'signedIn', 'evaluateEditable', 'isMaster'],
  editor: ['open', 'signedIn', 'evaluateEditable'],
  user: ['open', 'signedIn'],
};

const VISITOR: readonly Right[] = ['open'];
const UNKNOWN_ROLE: readonly Right[] = ['open', 'signedIn'];

function rightsOf(role: string | undefined): readonly Right[] {
  if (role === undefined) return VISITOR;
  return Object.hasOwn(RIGHTS_OF_ROLE, role) ? RIGHTS_OF_ROLE[role as Role] : UNKNOWN_ROLE;
}

/**
 * Every right as a real boolean for a role; `undefined` is a visitor without an account.
 * The console's `access.ts` and the server's guard both read it.
 */
export function accessOf(role: string | undefined): Record<Right, boolean> {
  const rights = rightsOf(role);
  return {
    open: rights.includes('open'),
    signedIn: rights.includes('signedIn'),
    evaluateEditable: rights.includes('evaluateEditable'),
    isMaster: rights.includes('isMaster'),
  };
}
