import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';

interface ColumnSettingProps {
  children?: ReactNode;
}

const ColumnSetting = lazy(() => import('@ant-design/pro-components/es/table/components/ColumnSetting'));

/** Opens the settings as the click would have that brought them. */
function Opened(props: ColumnSettingProps) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    place.current?.querySelector('button')?.click();
  }, []);
  return (
    <span ref={place}>
      <ColumnSetting {...(props as object as Parameters<typeof ColumnSetting>[0])} />
    </span>
  );
}

/** In the place of ProTable's column settings: the same, loaded with the tree that they are made of when first opened. */
export default function LateColumnSetting(props: ColumnSettingProps) {
  const [asked, setAsked] = useState(false);
  // The button within takes the keyboard; its clicks come here.
  const closed = (
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <span onClick={() => setAsked(true)}>{props.children}</span>
  );
  if (!asked) return closed;
  return (
    <Suspense fallback={closed}>
      <Opened {...props} />
    </Suspense>
  );
}
