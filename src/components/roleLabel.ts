import { accessOf, type Right, ROLE_LABEL, ROLES, type Role } from '#contract/access';

/** How a role is called; one that this console does not know keeps its own word. */
export function roleLabel(role: string): string {
  return Object.hasOwn(ROLE_LABEL, role) ? ROLE_LABEL[role as Role] : role;
}

/** The roles that hold a right, in words. */
export function rolesWith(right: Right): string {
  if (right === 'open' || right === 'signedIn') return '任意登录账户';
  return ROLES.filter((role) => accessOf(role)[right])
    .map((role) => `${roleLabel(role)}（${role}）`)
    .join('、');
}
