import { Link, type RunTimeLayoutConfig, useLocation } from '@umijs/max';
import { lazy, type ReactNode, Suspense } from 'react';
import { ScreenBoundary } from './ScreenBoundary';
import { SCREEN_TARGET } from './screenTarget';
import { useAppearance } from './useAppearance';

// What is in the frame comes with the frame, not with the login page.
const HeaderActions = lazy(() => import('./HeaderActions').then((m) => ({ default: m.HeaderActions })));
const Banners = lazy(() => import('./Banners').then((m) => ({ default: m.Banners })));
const Notices = lazy(() => import('./Notices').then((m) => ({ default: m.Notices })));
const Forbidden = lazy(() => import('./Forbidden').then((m) => ({ default: m.Forbidden })));
const NotFound = lazy(() => import('./NotFound').then((m) => ({ default: m.NotFound })));

const late = (part: ReactNode, until: ReactNode = null) => <Suspense fallback={until}>{part}</Suspense>;

/** What holds for every screen stands above each, above those for what may not or cannot be shown too. */
function InFrame({ children }: { children: ReactNode }) {
  const { timeZone } = useAppearance();
  const { pathname } = useLocation();
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

/** Umi's layout hook: menu, header and the screens for what may not or cannot be shown. */
export const useFrame: RunTimeLayoutConfig = () => {
  const { dark } = useAppearance();
  const { pathname } = useLocation();
  return {
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
    unAccessible: <InFrame>{late(<Forbidden />)}</InFrame>,
    noFound: <InFrame>{late(<NotFound />)}</InFrame>,
    ErrorBoundary: ScreenBoundary,
  };
};
