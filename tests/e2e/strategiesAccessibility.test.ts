import { productWalkedThrough, STRATEGY_WALKS } from '../support/walks';

productWalkedThrough(STRATEGY_WALKS);
