import { STRATEGY_MODE_LABEL, type StrategyMode } from '#contract/strategy';

const TESTNET = '测试网';
let isTestnet = false;

/** Tells whether orders go to test networks: read when a screen is drawn, and the same for as long as the server runs. */
export function setTestnet(testnet: boolean): void {
  isTestnet = testnet;
}

export const isOnTestnet = (): boolean => isTestnet;

/** What a mode is called here: of test networks nothing is called real. */
export const modeLabel = (mode: StrategyMode): string =>
  mode === 'live' && isTestnet ? TESTNET : STRATEGY_MODE_LABEL[mode];
