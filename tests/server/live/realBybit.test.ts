import { testWholeCarry } from '../../support/wholeCarry';

await testWholeCarry('bybit', /^[a-z0-9]{1,36}$/);
