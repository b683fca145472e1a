import { STRATEGY_MODE_LABEL, type StrategyMode } from '#contract/strategy';

const TESTNET = '测试网';
let isTestnet = false;

/** Tells whether orders go to test networks: read when a screen is drawn, and the same for as long as the server runs. */
export function setTestnet(testnet: boolean): void {
  isTestnet = testnet;
}

export const isOnTestnet = (): boolean => isTestnet;

/** A text of ours as it reads here, without names that people gave: of test networks nothing is called real. */
export const worded = (text: string): string =>
  isTestnet ? text.replaceAll(STRATEGY_MODE_LABEL.live, TESTNET).replaceAll('TRADING=live', 'TRADING=testnet') : text;

/** What a mode is called here. */
export const modeLabel = (mode: StrategyMode): string => worded(STRATEGY_MODE_LABEL[mode]);
