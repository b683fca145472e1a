import { ConfigProvider, theme } from 'antd';
import zhCN from 'antd/es/locale/zh_CN';
import type { ReactNode } from 'react';
import { useAppearance } from './useAppearance';

/** Colours and words of antd's parts: light or dark, in Chinese. */
export function AppearanceProvider({ children }: { children: ReactNode }) {
  const { dark } = useAppearance();
  return (
    <ConfigProvider
      locale={zhCN}
      theme={{ algorithm: dark ? theme.darkAlgorithm : theme.defaultAlgorithm, token: { colorPrimary: '#0f766e' } }}
    >
      {children}
    </ConfigProvider>
  );
}

// Toasts and dialogs called from outside the tree look the same.
ConfigProvider.config({ holderRender: (children) => <AppearanceProvider>{children}</AppearanceProvider> });
