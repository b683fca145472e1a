import { Link, type RunTimeLayoutConfig, useLocation } from '@umijs/max';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { routes } from '@/routes';
import { ScreenBoundary } from './ScreenBoundary';
import { SCREEN_TARGET } from './screenTarget';
import { useAppearance } from './useAppearance';
import { usePreload } from './usePreload';

// What is in the frame comes with the frame, not with the login page.
const HeaderActions = lazy(() => import('./HeaderActions').then((m) => ({ default: m.HeaderActions })));
const Banners = lazy(() => import('./Banners').then((m) => ({ default: m.Banners })));
const Notices = lazy(() => import('./Notices').then((m) => ({ default: m.Notices })));
const Forbidden = lazy(() => import('./Forbidden').then((m) => ({ default: m.Forbidden })));
const NotFound = lazy(() => import('./NotFound').then((m) => ({ default: m.NotFound })));

const late = (part: ReactNode, until: ReactNode = null) => <Suspense fallback={until}>{part}</Suspense>;

/** What stands in the place of a screen that may not be shown. */
export const NotAllowed = () => late(<Forbidden />);

/** What holds for every screen stands above each, above those for what may not or cannot be shown too. */
function InFrame({ children }: { children: ReactNode }) {
  const { timeZone } = useAppearance();
  const { pathname } = useLocation();
  usePreload();
  return (
    <>
      {late(<Banners />, <div className="banners-room" />)}
      {late(<Notices />)}
      {/* Times stand everywhere, in charts too: in another zone the screen is drawn anew. */}
      <div key={timeZone} {...SCREEN_TARGET} className="page">
        <ScreenBoundary address={pathname}>{children}</ScreenBoundary>
      </div>
    </>
  );
}

/** From here on the menu has its words, px: antd's `lg`. */
const ROOM_FOR_MENU = 992;

/** Umi's layout hook: menu, header and the screens for what may not or cannot be shown. */
export const useFrame: RunTimeLayoutConfig = () => {
  const { dark } = useAppearance();
  const { pathname } = useLocation();
  // Open from the first picture on: what opens later moves all below it.
  const [openKeys, onOpenChange] = useState(() =>
    routes.filter(({ path }) => pathname.startsWith(`${path}/`)).map(({ path }) => path),
  );
  return {
    openKeys,
    // The layout takes each window for a narrow one first, and slides the menu open where it is not.
    defaultCollapsed: window.innerWidth < ROOM_FOR_MENU,
    onOpenChange: (keys) => onOpenChange(keys || []),
    title: 'Hedge Console',
    logo: '/logo.svg',
    layout: 'mix',
    navTheme: dark ? 'realDark' : 'light',
    siderWidth: 208,
    token: { pageContainer: { paddingBlockPageContainerContent: 0, paddingInlinePageContainerContent: 0 } },
    actionsRender: () => [
      <Suspense key="actions">
        <HeaderActions />
      </Suspense>,
    ],
    // The menu is one stop of the keyboard, within which arrows lead; its links would each be one more on the way to the screen.
    menuItemRender: ({ path, children }, name) =>
      children || !path || path === pathname ? (
        name
      ) : (
        <Link to={path} tabIndex={-1}>
          {name}
        </Link>
      ),
    childrenRender: (screen) => <InFrame>{screen}</InFrame>,
    unAccessible: (
      <InFrame>
        <NotAllowed />
      </InFrame>
    ),
    noFound: <InFrame>{late(<NotFound />)}</InFrame>,
    ErrorBoundary: ScreenBoundary,
  };
};
