import { ConfigProvider, type ThemeConfig, theme } from 'antd';
import zhCN from 'antd/es/locale/zh_CN';
import type { ReactNode } from 'react';
import { NumberStyleContext } from './NumberStyleContext';
import { useAppearance } from './useAppearance';

/** Styles come from antd's style sheet in global.css; only tokens are worked out here. */
const READY: ThemeConfig = { zeroRuntime: true };

/** antd derives greyish grounds from so dark a green, on which the same green is hard to read. */
const LIGHT: ThemeConfig = {
  ...READY,
  algorithm: theme.defaultAlgorithm,
  token: {
    colorPrimary: '#0f766e',
    colorPrimaryBg: '#e3f4f1',
    colorPrimaryBgHover: '#cdebe6',
    controlItemBgActive: '#e3f4f1',
    controlItemBgActiveHover: '#cdebe6',
    colorLink: '#0f766e',
  },
};
const DARK: ThemeConfig = {
  ...READY,
  algorithm: theme.darkAlgorithm,
  token: { colorPrimary: '#1a9c8e', colorLink: '#4fbfb2' },
  components: { Dropdown: { colorPrimary: '#5fd0c3' } },
};

/** Colours and words of antd's parts: light or dark, in Chinese; and how money is written. */
export function AppearanceProvider({ children }: { children: ReactNode }) {
  const { dark, numbers } = useAppearance();
  return (
    <ConfigProvider locale={zhCN} theme={dark ? DARK : LIGHT}>
      <NumberStyleContext value={numbers}>{children}</NumberStyleContext>
    </ConfigProvider>
  );
}

// Toasts and dialogs called from outside the tree look the same.
ConfigProvider.config({ holderRender: (children) => <AppearanceProvider>{children}</AppearanceProvider> });
