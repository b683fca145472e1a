import type { NumberStyle, Rise, TimeZone } from './user';

/** What people call the words of their preferences: apart from these, which every page loads. */
export const RISE_LABEL: Record<Rise, string> = { green: '绿涨红跌', red: '红涨绿跌' };
export const NUMBER_STYLE_LABEL: Record<NumberStyle, string> = {
  auto: '自动',
  compact: '万 / 亿',
  thousands: '千分位',
};
export const TIME_ZONE_LABEL: Record<TimeZone, string> = {
  local: '跟随浏览器',
  UTC: 'UTC',
  'Asia/Shanghai': '北京',
  'Asia/Singapore': '新加坡',
  'Asia/Tokyo': '东京',
  'Asia/Dubai': '迪拜',
  'Europe/London': '伦敦',
  'Europe/Zurich': '苏黎世',
  'America/New_York': '纽约',
  'America/Los_Angeles': '洛杉矶',
};

/** The same by the fields of the call that changes them. */
export const PREFERENCE_LABELS = { rise: RISE_LABEL, numbers: NUMBER_STYLE_LABEL, timeZone: TIME_ZONE_LABEL } as const;
