import { Text } from './value';

/** Why a person lets go on what is frozen. */
export const UnfreezeReason = Text({
  title: '恢复的原因',
  minLength: 1,
  maxLength: 200,
  description: '核对过什么；首尾空白不计',
});
