import { testWholeCarry } from '../../support/wholeCarry';

await testWholeCarry('okx', /^[a-z0-9]{1,32}$/);
