import { TickMarkType, type Time, type UTCTimestamp } from 'lightweight-charts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * The chart thinks in UTC seconds. To have its days begin at the viewer's midnight, instants are moved by his offset;
 * the offset of the newest point serves all, because a clock put back would give one instant twice.
 */
export class ChartTime {
  private readonly shiftMs: number;
  private readonly daily: boolean;

  /** @param time instants of the chart, UTC ms ascending. */
  constructor(time: readonly number[]) {
    const last = time[time.length - 1];
    this.shiftMs = last === undefined ? 0 : -new Date(last).getTimezoneOffset() * MINUTE_MS;
    this.daily = time.length > 1 && (time[time.length - 1]! - time[0]!) / (time.length - 1) >= DAY_MS;
  }

  /** UTC ms to the chart's own time. */
  toChart(ms: number): UTCTimestamp {
    return ((ms + this.shiftMs) / 1000) as UTCTimestamp;
  }

  /** The chart's own time to UTC ms. */
  toMs(time: Time): number {
    return Number(time) * 1000 - this.shiftMs;
  }

  /** Local date, with the time of day where bars are shorter than a day. */
  label = (time: Time): string => this.labelOf(this.toMs(time));

  labelOf(ms: number): string {
    const at = new Date(ms);
    const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    return this.daily ? date : `${date} ${two(at.getHours())}:${two(at.getMinutes())}`;
  }

  /** Text under a tick of the time axis. */
  tick = (time: Time, kind: TickMarkType): string => {
    const at = new Date(Number(time) * 1000);
    if (kind === TickMarkType.Year) return `${at.getUTCFullYear()}年`;
    if (kind === TickMarkType.Month) return `${at.getUTCMonth() + 1}月`;
    if (kind === TickMarkType.DayOfMonth) return `${at.getUTCMonth() + 1}-${two(at.getUTCDate())}`;
    return `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
  };
}

const two = (value: number) => String(value).padStart(2, '0');
