import { Navigate, Outlet, useAccess, useLocation } from '@umijs/max';
import { routes } from '@/routes';
import { NotAllowed } from './useFrame';

/** The four groups: a group's own path goes on to its first screen that is allowed and in the menu. */
export default function RouteGroup() {
  const access = useAccess();
  const { pathname } = useLocation();
  const group = routes.find(({ path }) => path === pathname.replace(/\/+$/, ''));
  if (!group) return <Outlet />;
  const first = group.routes?.find((child) => !child.hideInMenu && child.access && access[child.access]);
  if (first) return <Navigate to={first.path} replace />;
  return <NotAllowed />;
}
