import { realKillSoak } from '../../support/realKillSoak';

const KILLS = 3;

test(
  `whoever trades a real account is killed ${KILLS} times: nothing is sent twice or lost, and the books are the exchange's`,
  async () => {
    const { doubled, lost, differences, ...done } = await realKillSoak({ exchanges: ['binance'], kills: KILLS });
    process.stdout.write(`real kills: ${JSON.stringify(done)}\n`);
    expect({ doubled, lost, differences }).toEqual({ doubled: [], lost: [], differences: [] });
    expect(done.deals).toBeGreaterThan(0);
  },
  KILLS * 300_000,
);
