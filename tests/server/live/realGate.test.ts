import { testWholeCarry } from '../../support/wholeCarry';

await testWholeCarry('gate', /^t-[a-z0-9]{1,28}$/);
