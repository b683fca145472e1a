import { ConfigProvider, type ThemeConfig, theme } from 'antd';
import zhCN from 'antd/es/locale/zh_CN';
import type { ReactNode } from 'react';
import { NumberStyleContext } from './NumberStyleContext';
import { useAppearance } from './useAppearance';

/** Styles come from antd's style sheet in global.css; only tokens are worked out here. */
const READY: ThemeConfig = { zeroRuntime: true };
/** Nothing slides or fades for who has asked the system for that. */
const MOTION = { motion: !window.matchMedia('(prefers-reduced-motion: reduce)').matches };

/** A word of two signs is written as every other one. */
const BUTTON = { autoInsertSpace: false };

/**
 * Text of every one of these colours can be read on the grounds it stands on (4.5 : 1). antd derives greyish grounds
 * from such dark colours, on which the same colour is hard to read: those are given.
 */
const LIGHT: ThemeConfig = {
  ...READY,
  algorithm: theme.defaultAlgorithm,
  token: {
    ...MOTION,
    colorPrimary: '#0f766e',
    colorPrimaryBg: '#e3f4f1',
    colorPrimaryBgHover: '#cdebe6',
    controlItemBgActive: '#e3f4f1',
    controlItemBgActiveHover: '#cdebe6',
    colorLink: '#0f766e',
    colorSuccess: '#237804',
    colorSuccessBg: '#f6ffed',
    colorSuccessBorder: '#b7eb8f',
    colorWarning: '#945700',
    colorWarningBg: '#fffbe6',
    colorWarningBorder: '#ffe58f',
    colorError: '#cf1322',
    colorErrorBg: '#fff2f0',
    colorErrorBorder: '#ffccc7',
    colorInfo: '#0958d9',
    colorInfoBg: '#e6f4ff',
    colorInfoBorder: '#91caff',
    colorTextTertiary: '#5c6770',
    colorTextQuaternary: '#656e76',
    colorTextDisabled: 'rgba(0, 0, 0, 0.35)',
  },
};
/** A button that is red all over has dark words on it: its red is light enough to be read as words elsewhere. */
const DARK: ThemeConfig = {
  ...READY,
  algorithm: theme.darkAlgorithm,
  token: {
    ...MOTION,
    colorPrimary: '#178f82',
    colorLink: '#4fbfb2',
    colorError: '#ff777c',
    colorInfo: '#5aa5ff',
    colorTextTertiary: '#99a4ab',
    colorTextQuaternary: '#8b969d',
    colorTextDisabled: 'rgba(255, 255, 255, 0.35)',
  },
  components: {
    Button: { dangerColor: '#240507' },
    Dropdown: { colorPrimary: '#5fd0c3' },
    Pagination: { itemActiveColor: '#4fbfb2', itemActiveColorHover: '#5fd0c3' },
    Tabs: {
      itemSelectedColor: '#4fbfb2',
      itemHoverColor: '#5fd0c3',
      itemActiveColor: '#4fbfb2',
      inkBarColor: '#4fbfb2',
    },
  },
};

/** Colours and words of antd's parts: light or dark, in Chinese; and how money is written. */
export function AppearanceProvider({ children }: { children: ReactNode }) {
  const { dark, numbers } = useAppearance();
  return (
    <ConfigProvider locale={zhCN} theme={dark ? DARK : LIGHT} button={BUTTON}>
      <NumberStyleContext value={numbers}>{children}</NumberStyleContext>
    </ConfigProvider>
  );
}

// Toasts and dialogs called from outside the tree look the same.
ConfigProvider.config({ holderRender: (children) => <AppearanceProvider>{children}</AppearanceProvider> });
