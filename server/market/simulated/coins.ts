/** What a simulated coin is drawn from. */
export interface CoinSpec {
  base: string;
  sector: string;
  /** Long-run price, USDT. */
  price: number;
  /** Usual turnover of a day, million USDT. */
  turnoverMillions: number;
  /** Listing day, UTC ms; left out for coins older than the history. */
  listedAt?: number;
}

/** How large a coin is: what it costs to trade, how deep its book is and how far its prices stray go by it. */
export type Tier = 'major' | 'middle' | 'small';

export function tierOf({ turnoverMillions }: CoinSpec): Tier {
  if (turnoverMillions >= 800) return 'major';
  return turnoverMillions >= 60 ? 'middle' : 'small';
}

type Row = readonly [base: string, price: number, turnoverMillions: number, listed?: string];

const SECTORS: Record<string, readonly Row[]> = {
  公链: [
    ['BTC', 92_000, 14_000],
    ['ETH', 3_200, 11_000],
    ['SOL', 165, 4_200],
    ['BNB', 780, 900],
    ['ADA', 0.62, 420],
    ['AVAX', 21, 330],
    ['TRX', 0.29, 140],
    ['DOT', 3.6, 130],
    ['NEAR', 2.4, 190],
    ['APT', 4.3, 150],
    ['SUI', 2.3, 820],
    ['SEI', 0.19, 95],
    ['TON', 2.1, 110],
    ['ATOM', 3.4, 80],
    ['ALGO', 0.18, 60],
    ['HBAR', 0.17, 210],
    ['ICP', 4.8, 120],
    ['EGLD', 12, 18],
    ['KAS', 0.06, 35],
    ['TIA', 1.1, 130],
    ['INJ', 7.6, 95],
    ['BERA', 1.9, 48, '2025-02-06'],
    ['S', 0.17, 55, '2025-01-16'],
    ['MON', 0.034, 140, '2025-10-08'],
    ['XPL', 0.31, 160, '2025-09-25'],
  ],
  二层: [
    ['ARB', 0.28, 190],
    ['OP', 0.42, 120],
    ['STRK', 0.16, 70, '2024-02-20'],
    ['ZK', 0.05, 85, '2024-06-17'],
    ['MANTA', 0.12, 14],
    ['METIS', 11, 6],
    ['IMX', 0.42, 28],
    ['POL', 0.17, 60],
    ['STX', 0.41, 26],
    ['LINEA', 0.014, 44, '2025-09-10'],
  ],
  支付: [
    ['XRP', 2.3, 2_600],
    ['LTC', 96, 330],
    ['BCH', 510, 210],
    ['XLM', 0.28, 130],
    ['ETC', 15, 75],
    ['DASH', 58, 90],
  ],
  DeFi: [
    ['LINK', 15, 420],
    ['UNI', 6.8, 240],
    ['AAVE', 190, 260],
    ['MKR', 1_500, 30],
    ['CRV', 0.48, 110],
    ['COMP', 34, 20],
    ['SNX', 0.7, 24],
    ['LDO', 0.78, 70],
    ['PENDLE', 2.6, 65],
    ['DYDX', 0.3, 40],
    ['GMX', 10, 9],
    ['JUP', 0.32, 60],
    ['CAKE', 2.4, 38],
    ['1INCH', 0.19, 14],
    ['SUSHI', 0.45, 13],
    ['RUNE', 0.82, 22],
    ['HYPE', 34, 900, '2024-12-05'],
    ['ASTER', 1.1, 620, '2025-09-19'],
    ['ENA', 0.29, 310, '2024-04-02'],
    ['ETHFI', 0.92, 48, '2024-03-18'],
    ['EIGEN', 0.81, 42, '2024-10-01'],
  ],
  Meme: [
    ['DOGE', 0.19, 1_500],
    ['1000SHIB', 0.0098, 140],
    ['1000PEPE', 0.0064, 480],
    ['1000BONK', 0.013, 120],
    ['1000FLOKI', 0.061, 60],
    ['WIF', 0.45, 180],
    ['BOME', 0.001, 40, '2024-03-16'],
    ['POPCAT', 0.14, 35, '2024-08-22'],
    ['PNUT', 0.11, 60, '2024-11-11'],
    ['MOODENG', 0.08, 45, '2024-11-14'],
    ['NEIRO', 0.00018, 32, '2024-09-16'],
    ['TRUMP', 6.9, 240, '2025-01-18'],
    ['FARTCOIN', 0.32, 280, '2024-12-20'],
    ['PENGU', 0.014, 170, '2024-12-17'],
    ['PUMP', 0.0035, 260, '2025-07-14'],
    ['币安人生', 0.14, 95, '2025-10-08'],
    ['我踏马来了', 0.021, 42, '2025-10-20'],
  ],
  AI: [
    ['FET', 0.29, 95],
    ['RENDER', 2.2, 70],
    ['TAO', 340, 210],
    ['WLD', 0.74, 190],
    ['ARKM', 0.31, 24],
    ['AI16Z', 0.05, 32, '2024-12-30'],
    ['VIRTUAL', 1.1, 160, '2024-12-11'],
    ['AIXBT', 0.06, 48, '2024-12-19'],
    ['GRASS', 0.36, 20, '2024-10-28'],
    ['KAITO', 0.75, 38, '2025-02-20'],
    ['IO', 0.26, 16, '2024-06-11'],
  ],
  存储: [
    ['FIL', 1.8, 180],
    ['AR', 4.7, 34],
    ['STORJ', 0.17, 9],
    ['BLUR', 0.04, 11],
  ],
  游戏: [
    ['GALA', 0.0098, 60],
    ['SAND', 0.2, 42],
    ['MANA', 0.21, 30],
    ['AXS', 1.2, 38],
    ['APE', 0.34, 26],
    ['PIXEL', 0.014, 12, '2024-02-19'],
    ['NOT', 0.00081, 36, '2024-05-16'],
  ],
  RWA: [
    ['ONDO', 0.62, 130],
    ['OM', 0.09, 60],
    ['PLUME', 0.042, 22, '2025-03-03'],
    ['SYRUP', 0.38, 20, '2025-05-06'],
  ],
  预言机: [
    ['PYTH', 0.1, 34],
    ['TRB', 26, 48],
    ['API3', 0.62, 30],
  ],
  隐私: [
    ['XMR', 360, 160],
    ['ZEC', 420, 980],
    ['SCRT', 0.16, 4],
    ['ROSE', 0.019, 10],
  ],
};

/** Coins that stay listed, most traded sector first. */
export const COINS: readonly CoinSpec[] = Object.entries(SECTORS).flatMap(([sector, rows]) =>
  rows.map(([base, price, turnoverMillions, listed]) => ({
    base,
    sector,
    price,
    turnoverMillions,
    ...(listed ? { listedAt: Date.parse(`${listed}T00:00:00Z`) } : {}),
  })),
);

const newcomer = (sector: string, base: string, price: number, turnoverMillions: number): CoinSpec => ({
  base,
  sector,
  price,
  turnoverMillions,
});

/** Coins that come, are traded for some months and go, in this order, over and over. */
export const NEWCOMERS: readonly CoinSpec[] = [
  newcomer('Meme', 'GIGGLE', 74, 120),
  newcomer('AI', 'SAHARA', 0.041, 60),
  newcomer('DeFi', 'AVNT', 0.52, 55),
  newcomer('公链', 'SOMI', 0.38, 42),
  newcomer('游戏', 'HOLO', 0.12, 26),
  newcomer('AI', '0G', 1.2, 85),
  newcomer('DeFi', 'WLFI', 0.13, 210),
  newcomer('Meme', 'SPX', 0.62, 70),
  newcomer('RWA', 'ALLO', 0.16, 34),
  newcomer('预言机', 'EUL', 5.2, 14),
  newcomer('AI', 'COAI', 1.4, 90),
  newcomer('二层', 'ERA', 0.24, 22),
  newcomer('隐私', 'ZKC', 0.13, 46),
  newcomer('Meme', 'MUBARAK', 0.019, 24),
  newcomer('公链', 'STABLE', 0.018, 38),
  newcomer('存储', 'WAL', 0.16, 30),
  newcomer('DeFi', 'LIT', 1.9, 65),
  newcomer('AI', 'RECALL', 0.14, 20),
  newcomer('Meme', 'DOOD', 0.0062, 18),
  newcomer('公链', 'MITO', 0.08, 16),
  newcomer('游戏', 'GAIA', 0.044, 9),
  newcomer('AI', 'HEMI', 0.028, 24),
  newcomer('DeFi', 'RESOLV', 0.07, 17),
  newcomer('二层', 'TOWNS', 0.0079, 13),
  newcomer('Meme', 'BROCCOLI', 0.013, 19),
  newcomer('RWA', 'HUMA', 0.027, 15),
  newcomer('AI', 'NEWT', 0.11, 12),
  newcomer('DeFi', 'DOLO', 0.046, 21),
  newcomer('公链', 'INIT', 0.1, 14),
  newcomer('Meme', 'USELESS', 0.12, 28),
  newcomer('AI', 'OPEN', 0.21, 25),
  newcomer('游戏', 'TURTLE', 0.064, 11),
];
