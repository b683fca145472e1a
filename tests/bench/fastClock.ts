import { QUIET_START } from '../support/clockFrom';

/**
 * A time that goes so many times as fast, the same in all processes that are told when it began.
 * @param beganAt UTC ms of the machine
 */
export const fastClock = (speed: number, beganAt: number) => () =>
  Math.floor(QUIET_START + (Date.now() - beganAt) * speed);
